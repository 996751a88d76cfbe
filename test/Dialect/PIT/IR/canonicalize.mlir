// RUN: pit-opt %s --canonicalize | FileCheck %s

!idx = !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>

// A packed tensor that is written and read through one index stays packed.
// CHECK-LABEL: func @write_then_read
// CHECK-SAME: (%[[P:.*]]: tensor<32x2xf32>
func.func @write_then_read(%p: tensor<32x2xf32>, %d: tensor<4x8x2xf32>, %i: !idx) -> tensor<32x2xf32> {
  // CHECK-NEXT: return %[[P]]
  %w = pit.swrite %p into %d[%i] store dims = [0, 1] : tensor<32x2xf32>, tensor<4x8x2xf32>, !idx
  %r = pit.sread %w[%i] dims = [0, 1] : tensor<4x8x2xf32>, !idx -> tensor<32x2xf32>
  return %r : tensor<32x2xf32>
}

// Accumulation reads the destination, and another index lists other points: neither cancels.
// CHECK-LABEL: func @keeps
func.func @keeps(%p: tensor<32x2xf32>, %d: tensor<4x8x2xf32>, %i: !idx, %j: !idx) -> (tensor<32x2xf32>, tensor<32x2xf32>) {
  // CHECK: pit.swrite
  // CHECK: pit.sread
  // CHECK: pit.swrite
  // CHECK: pit.sread
  %w = pit.swrite %p into %d[%i] accumulate dims = [0, 1] : tensor<32x2xf32>, tensor<4x8x2xf32>, !idx
  %r = pit.sread %w[%i] dims = [0, 1] : tensor<4x8x2xf32>, !idx -> tensor<32x2xf32>
  %w2 = pit.swrite %p into %d[%i] store dims = [0, 1] : tensor<32x2xf32>, tensor<4x8x2xf32>, !idx
  %r2 = pit.sread %w2[%j] dims = [0, 1] : tensor<4x8x2xf32>, !idx -> tensor<32x2xf32>
  return %r, %r2 : tensor<32x2xf32>, tensor<32x2xf32>
}

// An element that several segments list holds what the last of them stored.
// CHECK-LABEL: func @listed_twice
func.func @listed_twice(%p: tensor<32x2xf32>, %d: tensor<4x2xf32>, %i: !idx) -> tensor<32x2xf32> {
  // CHECK: pit.swrite
  // CHECK: pit.sread
  %w = pit.swrite %p into %d[%i] store dims = [0, -1] : tensor<32x2xf32>, tensor<4x2xf32>, !idx
  %r = pit.sread %w[%i] dims = [0, -1] : tensor<4x2xf32>, !idx -> tensor<32x2xf32>
  return %r : tensor<32x2xf32>
}

// CHECK-LABEL: func @read_then_write
// CHECK-SAME: (%[[D:.*]]: tensor<4x8x2xf32>
func.func @read_then_write(%d: tensor<4x8x2xf32>, %i: !idx) -> tensor<4x8x2xf32> {
  // CHECK-NEXT: return %[[D]]
  %r = pit.sread %d[%i] dims = [0, 1] : tensor<4x8x2xf32>, !idx -> tensor<32x2xf32>
  %w = pit.swrite %r into %d[%i] store dims = [0, 1] : tensor<32x2xf32>, tensor<4x8x2xf32>, !idx
  return %w : tensor<4x8x2xf32>
}

// CHECK-LABEL: func @same_mark_twice
func.func @same_mark_twice(%x: tensor<4x8xf32>, %m: tensor<4x8xi1>) -> tensor<4x8xf32> {
  // CHECK-COUNT-1: pit.sparse
  // CHECK-NOT: pit.sparse
  %0 = pit.sparse %x by(%m : tensor<4x8xi1>) <kind = mask, axes = [0, 1]> : tensor<4x8xf32>
  %1 = pit.sparse %0 by(%m : tensor<4x8xi1>) <kind = mask, axes = [0, 1]> : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func @bounds_combine
func.func @bounds_combine(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: pit.sparse %{{.*}} <kind = values, axes = [0, 1], at_most = 2>
  // CHECK-NOT: pit.sparse
  %0 = pit.sparse %x <kind = values, axes = [0, 1], at_most = 2> : tensor<4x8xf32>
  %1 = pit.sparse %0 <kind = values, axes = [0, 1], at_most = 5> : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func @assembled
// CHECK-SAME: (%[[O:.*]]: tensor<?xi64>, %[[C:.*]]: tensor<?xi32>)
func.func @assembled(%o: tensor<?xi64>, %c: tensor<?xi32>) -> (tensor<?xi64>, tensor<?xi32>) {
  // CHECK-NEXT: return %[[O]], %[[C]]
  %i = pit.assemble %o, %c : tensor<?xi64>, tensor<?xi32> -> !idx
  %0 = pit.offsets %i : !idx -> tensor<?xi64>
  %1 = pit.coords %i : !idx -> tensor<?xi32>
  return %0, %1 : tensor<?xi64>, tensor<?xi32>
}

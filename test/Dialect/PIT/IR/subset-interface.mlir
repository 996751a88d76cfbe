// RUN: pit-opt %s --allow-unregistered-dialect --loop-invariant-subset-hoisting | FileCheck %s

!idx = !pit.index<[8], coordinate = 0, tile = [1], width = 32>
!pairs = !pit.index<[8, 4], coordinate = 0, tile = [1, 1], width = 32>

// What a loop reads and stores through one index stays packed while it runs.
// CHECK-LABEL: func.func @hoist(
// CHECK-SAME: %[[X:.*]]: tensor<8x2xf32>, %[[I:[a-z0-9]+]]: !pit.index
// CHECK: %[[P:.*]] = pit.sread %[[X]][%[[I]]]
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[FULL:.*]] = %[[X]], %[[PACKED:.*]] = %[[P]])
// CHECK-NOT: pit.s
// CHECK: %[[NEW:.*]] = "test.step"(%[[PACKED]])
// CHECK-NOT: pit.s
// CHECK: scf.yield %[[FULL]], %[[NEW]]
// CHECK: pit.swrite %[[LOOP]]#1 into %[[LOOP]]#0[%[[I]]]
func.func @hoist(%x: tensor<8x2xf32>, %i: !idx, %lb: index, %ub: index, %step: index) -> tensor<8x2xf32> {
  %y = scf.for %k = %lb to %ub step %step iter_args(%t = %x) -> tensor<8x2xf32> {
    %p = pit.sread %t[%i] dims = [0] : tensor<8x2xf32>, !idx -> tensor<8x2xf32>
    %q = "test.step"(%p) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %w = pit.swrite %q into %t[%i] store dims = [0] : tensor<8x2xf32>, tensor<8x2xf32>, !idx
    scf.yield %w : tensor<8x2xf32>
  }
  return %y : tensor<8x2xf32>
}

// Sums need what was there; another index lists other elements; and an element that is listed twice is stored once.
// CHECK-LABEL: func.func @stays(
// CHECK-NOT: pit.s
// CHECK: scf.for
// CHECK: pit.sread
// CHECK: pit.swrite
// CHECK: scf.yield
// CHECK: scf.for
// CHECK: pit.sread
// CHECK: pit.swrite
// CHECK: scf.yield
// CHECK: scf.for
// CHECK: pit.sread
// CHECK: pit.swrite
// CHECK: scf.yield
// CHECK-NOT: pit.s
// CHECK: return
func.func @stays(%x: tensor<8x2xf32>, %i: !idx, %j: !idx, %pairs: !pairs, %lb: index, %ub: index, %step: index)
    -> tensor<8x2xf32> {
  %a = scf.for %k = %lb to %ub step %step iter_args(%t = %x) -> tensor<8x2xf32> {
    %p = pit.sread %t[%i] dims = [0] : tensor<8x2xf32>, !idx -> tensor<8x2xf32>
    %q = "test.step"(%p) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %w = pit.swrite %q into %t[%i] accumulate dims = [0] : tensor<8x2xf32>, tensor<8x2xf32>, !idx
    scf.yield %w : tensor<8x2xf32>
  }
  %b = scf.for %k = %lb to %ub step %step iter_args(%t = %a) -> tensor<8x2xf32> {
    %p = pit.sread %t[%i] dims = [0] : tensor<8x2xf32>, !idx -> tensor<8x2xf32>
    %q = "test.step"(%p) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %w = pit.swrite %q into %t[%j] store dims = [0] : tensor<8x2xf32>, tensor<8x2xf32>, !idx
    scf.yield %w : tensor<8x2xf32>
  }
  %c = scf.for %k = %lb to %ub step %step iter_args(%t = %b) -> tensor<8x2xf32> {
    %p = pit.sread %t[%pairs] dims = [0, -1] : tensor<8x2xf32>, !pairs -> tensor<32x2xf32>
    %q = "test.step"(%p) : (tensor<32x2xf32>) -> tensor<32x2xf32>
    %w = pit.swrite %q into %t[%pairs] store dims = [0, -1] : tensor<32x2xf32>, tensor<8x2xf32>, !pairs
    scf.yield %w : tensor<8x2xf32>
  }
  return %c : tensor<8x2xf32>
}

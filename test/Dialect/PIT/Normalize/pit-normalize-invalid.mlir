// What normalisation has to leave alone.
// RUN: pit-opt %s --pit-normalize | FileCheck %s

// Ops on buffers: nothing to fold.
// CHECK-LABEL: func @buffers
// CHECK: linalg.matmul
func.func @buffers(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// An op that is marked `pit.dense` is not folded into its user, although it is elementwise and used once.
// CHECK-LABEL: func @opted_out
// CHECK: %[[E:.*]] = linalg.generic {{.*}} attrs = {pit.dense}
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} ins(%[[E]] :
// CHECK: math.absf
func.func @opted_out(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.exp {pit.dense} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.abs ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// A value that is used twice is not computed twice.
// CHECK-LABEL: func @two_uses
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// CHECK: return
func.func @two_uses(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.abs ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.negf ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}

// A sum is not computed again for every element that reads it.
// CHECK-LABEL: func @sum
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
func.func @sum(%x: tensor<4x8xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1]
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

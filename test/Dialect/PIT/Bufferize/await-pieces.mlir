// What awaits pieces copies nothing, also where others must not write the argument.
// RUN: pit-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s

// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[X:.*]]: memref<?x8xf32>, %[[WORDS:.*]]: memref<2xi32>
// CHECK-NOT: memref.copy
// CHECK: pit.await_pieces %[[X]] arrived(%[[WORDS]])
// CHECK-NOT: memref.copy
// CHECK: linalg.reduce ins(%[[X]] : memref<?x8xf32>)
func.func @sums(%x: tensor<?x8xf32> {bufferization.writable = false}, %words: tensor<2xi32>, %rank: index, %zero: tensor<8xf32>) -> tensor<8xf32> {
  %all = pit.await_pieces %x arrived(%words) own(%rank) : tensor<?x8xf32>, tensor<2xi32> -> tensor<?x8xf32>
  %y = linalg.reduce ins(%all : tensor<?x8xf32>) outs(%zero : tensor<8xf32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  return %y : tensor<8xf32>
}

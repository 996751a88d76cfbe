// What is done to a tensor without elements: no reshape, pad or slice is left, which could not be bufferized.
// RUN: pit-opt %s --canonicalize | FileCheck %s

// The patterns are PIT's, which has to be loaded, and so has linalg.
func.func private @index(!pit.index<[1, 24], coordinate = 1, tile = [1, 1], width = 32>)
func.func private @linalg(%a: tensor<2xf32>, %b: f32) -> tensor<2xf32> {
  %0 = linalg.fill ins(%b : f32) outs(%a : tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func @nothing(
// CHECK-SAME: %[[A:.*]]: tensor<?x0x?x?xf32>
// CHECK-NOT: collapse_shape
// CHECK: %[[DIM:.*]] = tensor.dim %[[A]], %c3
// CHECK: tensor.empty(%[[DIM]]) : tensor<0x?xf32>
func.func @nothing(%a: tensor<?x0x?x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.collapse_shape %a [[0, 1, 2], [3]] : tensor<?x0x?x?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Around nothing, there is only padding.
// CHECK-LABEL: func @pad(
// CHECK-SAME: %[[A:.*]]: tensor<?x0xf32>, %[[LOW:.*]]: index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[DIM:.*]] = tensor.dim %[[A]], %c0
// CHECK: %[[SUM:.*]] = arith.addi %[[DIM]], %[[LOW]] : index
// CHECK: %[[EXTENT:.*]] = arith.addi %[[SUM]], %c3{{.*}} : index
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[EXTENT]]) : tensor<?x2xf32>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[ONE]] : f32) outs(%[[EMPTY]] : tensor<?x2xf32>)
// CHECK: return %[[FILL]]
func.func @pad(%a: tensor<?x0xf32>, %low: index) -> tensor<?x2xf32> {
  %p = tensor.pad %a low[%low, 2] high[3, 0] {
  ^bb0(%i: index, %j: index):
    %one = arith.constant 1.0 : f32
    tensor.yield %one : f32
  } : tensor<?x0xf32> to tensor<?x2xf32>
  return %p : tensor<?x2xf32>
}

// A padding that is computed from its position is generated.
// CHECK-LABEL: func @computed(
// CHECK: %[[R:.*]] = tensor.generate
// CHECK: ^bb0(%[[I:.*]]: index):
// CHECK: %[[V:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: tensor.yield %[[V]] : i64
// CHECK: } : tensor<4xi64>
// CHECK: return %[[R]]
func.func @computed(%a: tensor<0xi64>) -> tensor<4xi64> {
  %p = tensor.pad %a low[1] high[3] {
  ^bb0(%i: index):
    %v = arith.index_cast %i : index to i64
    tensor.yield %v : i64
  } : tensor<0xi64> to tensor<4xi64>
  return %p : tensor<4xi64>
}

// Of an extent that is not known to be 0, nothing is claimed.
// CHECK-LABEL: func @unknown(
// CHECK: tensor.pad
func.func @unknown(%a: tensor<?xi64>, %v: i64) -> tensor<?xi64> {
  %p = tensor.pad %a low[1] high[3] {
  ^bb0(%i: index):
    tensor.yield %v : i64
  } : tensor<?xi64> to tensor<?xi64>
  return %p : tensor<?xi64>
}

// CHECK-LABEL: func @insert(
// CHECK-SAME: %{{.*}}: tensor<0x3xf32>, %[[B:.*]]: tensor<2x3xf32>, %{{.*}}: index
// CHECK-NEXT: return %[[B]]
func.func @insert(%a: tensor<0x3xf32>, %b: tensor<2x3xf32>, %at: index) -> tensor<2x3xf32> {
  %r = tensor.insert_slice %a into %b[%at, 0] [0, 3] [1, 1] : tensor<0x3xf32> into tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

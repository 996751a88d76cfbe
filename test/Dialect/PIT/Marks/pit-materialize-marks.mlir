// RUN: pit-opt %s --pit-materialize-marks -split-input-file | FileCheck %s

// A mark becomes the op, all uses read the op, and the attribute is gone.
// CHECK-LABEL: func @argument
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[LEN:.*]]: tensor<4xi64>)
func.func @argument(%x: tensor<4x8xf32> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>,
                                                       pad = "left", absent = "undef"}},
                    %len: tensor<4xi64>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK-NEXT: %[[S:.*]] = pit.sparse %[[X]] by(%[[LEN]] : tensor<4xi64>) <kind = lengths, axes = [0, 1], absent = undef, pad = left>
  // CHECK-NEXT: return %[[S]], %[[S]]
  return %x, %x : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// On an op: behind it, with every key.
// CHECK-LABEL: func @op
func.func @op(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[R:.*]] = linalg.exp ins
  // CHECK-NEXT: %[[S:.*]] = pit.sparse %[[R]] <kind = values, axes = [1, 0], tile = [4, 2], at_most = 3>
  // CHECK-NEXT: return %[[S]]
  %r = linalg.exp {pit.sparse = {source = "values", axes = array<i64: 1, 0>, granularity = array<i64: 4, 2>, at_most = 3 : i64}}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// A pattern that is read from a marked argument is read from what the mark makes of it, whichever comes first.
// CHECK-LABEL: func @chain
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[M:.*]]: tensor<4xi1>, %[[N:.*]]: tensor<4xi1>)
func.func @chain(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>}},
                 %m: tensor<4xi1> {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 0>}},
                 %n: tensor<4xi1>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[MASK:.*]] = pit.sparse %[[M]] by(%[[N]] :
  // CHECK-NEXT: %[[S:.*]] = pit.sparse %[[X]] by(%[[MASK]] :
  // CHECK-NEXT: return %[[S]]
  return %x : tensor<4xf32>
}

// -----

// Declarations have nothing to mark, and bufferization makes their arguments buffers, which no mark may stand on.
// CHECK-LABEL: func private @declared(tensor<4xf32>)
func.func private @declared(tensor<4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>}})

// -----

// A micro-tile that is wider than the tensor ends where the tensor does.
// CHECK-LABEL: func @wide_tile
// CHECK: pit.sparse {{.*}} tile = [2, 1, 4]>
func.func @wide_tile(%x: tensor<?x1x8xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1, 2>, granularity = array<i64: 2, 3, 4>}})
    -> tensor<?x1x8xf32> {
  return %x : tensor<?x1x8xf32>
}

// RUN: pit-opt %s --pit-fuse-tiles | FileCheck %s

// Of the mask's four dimensions, one has micro-tiles of one element, which its
// tile lacks: what lies along the mask's last dimension is the tile's third.
#slice = affine_map<(d0, d1, d2) -> (d1, d2)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: @dropped
// CHECK: ^bb0(%{{.*}}: tensor<?x?xf64>, %[[MASK:.*]]: tensor<?x?x?xi1>, %{{.*}}: tensor<?x?x?xf64>):
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[MASK]], %[[C0]]
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[MASK]], %[[C1]]
// CHECK-DAG: %[[K:.*]] = tensor.dim %[[MASK]], %[[C2]]
// CHECK: tensor.empty(%[[M]], %[[N]], %[[K]])
func.func @dropped(%mask: tensor<19x7x2x7xi1>) -> tensor<19x7x2x7xf64> {
  %cst = arith.constant 0.000000e+00 : f64
  %0 = pit.detect by(%mask : tensor<19x7x2x7xi1>) <kind = mask, axes = [0, 1, 2, 3], tile = [4, 2, 1, 2]> : <[19, 7, 2, 7], coordinate = 0, tile = [4, 2, 1, 2], width = 32>
  %1 = tensor.empty() : tensor<7x2x7xf64>
  %2 = tensor.empty() : tensor<640x2x2xf64>
  %3 = pit.tiled tile 256 {dims = [array<i64: -1, 0, 1, 2>, array<i64: 0, 1, -1, 2>], packed = array<i1: false, true>} over(%0 : !pit.index<[19, 7, 2, 7], coordinate = 0, tile = [4, 2, 1, 2], width = 32>) ins(%1 : tensor<7x2x7xf64>) outs(%2 : tensor<640x2x2xf64>) {
  ^bb0(%arg5: tensor<?x?xf64>, %arg6: tensor<?x?x?xf64>):
    %8 = linalg.generic {indexing_maps = [#slice, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<?x?xf64>) outs(%arg6 : tensor<?x?x?xf64>) {
    ^bb0(%in: f64, %out: f64):
      linalg.yield %in : f64
    } -> tensor<?x?x?xf64>
    pit.yield %8 : tensor<?x?x?xf64>
  } -> tensor<640x2x2xf64>
  %4 = pit.tiled tile 256 {dims = [array<i64: 0, 1, 2, 3>, array<i64: 0, 1, -1, 2>, array<i64: 0, 1, -1, 2>], packed = array<i1: false, true, true>} over(%0 : !pit.index<[19, 7, 2, 7], coordinate = 0, tile = [4, 2, 1, 2], width = 32>) ins(%mask, %3 : tensor<19x7x2x7xi1>, tensor<640x2x2xf64>) outs(%2 : tensor<640x2x2xf64>) {
  ^bb0(%arg5: tensor<?x?x?xi1>, %arg6: tensor<?x?x?xf64>, %arg7: tensor<?x?x?xf64>):
    %8 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5, %arg6 : tensor<?x?x?xi1>, tensor<?x?x?xf64>) outs(%arg7 : tensor<?x?x?xf64>) {
    ^bb0(%in: i1, %in_0: f64, %out: f64):
      %9 = arith.select %in, %in_0, %cst : f64
      linalg.yield %9 : f64
    } -> tensor<?x?x?xf64>
    pit.yield %8 : tensor<?x?x?xf64>
  } -> tensor<640x2x2xf64>
  %5 = tensor.empty() : tensor<19x7x2x7xf64>
  %6 = linalg.fill ins(%cst : f64) outs(%5 : tensor<19x7x2x7xf64>) -> tensor<19x7x2x7xf64>
  %7 = pit.tiled tile 256 {dims = [array<i64: 0, 1, -1, 2>, array<i64: 0, 1, 2, 3>], packed = array<i1: true, false>} over(%0 : !pit.index<[19, 7, 2, 7], coordinate = 0, tile = [4, 2, 1, 2], width = 32>) ins(%4 : tensor<640x2x2xf64>) outs(%6 : tensor<19x7x2x7xf64>) {
  ^bb0(%arg5: tensor<?x?x?xf64>, %arg6: tensor<?x?x?xf64>):
    pit.yield %arg5 : tensor<?x?x?xf64>
  } -> tensor<19x7x2x7xf64>
  return %7 : tensor<19x7x2x7xf64>
}

// A value that an op reads as it is and with one more dimension of size 1 got one more at each step: the limit grew with what it had got before.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (1 elements compared

#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d2)>
#map2 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<?x?xf64>, %arg1: tensor<?x?xf64>, %arg2: tensor<1xi1>) -> tensor<1xf64> attributes {inputs = ["kind=ints shape=11x8 lo=1 hi=2 live=10% block=11x1 dead=zero seed=90899", "kind=ints shape=11x11 lo=1 hi=2 seed=846386", "kind=ints shape=1 lo=0 hi=2 seed=909617"]} {
    %c1 = arith.constant 1 : index
    %dim = tensor.dim %arg0, %c1 : tensor<?x?xf64>
    %c0 = arith.constant 0 : index
    %dim_0 = tensor.dim %arg0, %c0 : tensor<?x?xf64>
    %cst = arith.constant 0.000000e+00 : f64
    %0 = tensor.empty(%dim_0, %dim) : tensor<?x?xf64>
    %1 = linalg.fill ins(%cst : f64) outs(%0 : tensor<?x?xf64>) -> tensor<?x?xf64>
    %2 = linalg.matmul ins(%arg1, %arg0 : tensor<?x?xf64>, tensor<?x?xf64>) outs(%1 : tensor<?x?xf64>) -> tensor<?x?xf64>
    %cst_1 = arith.constant 0.000000e+00 : f64
    %3 = tensor.empty(%dim) : tensor<?xf64>
    %4 = linalg.fill ins(%cst_1 : f64) outs(%3 : tensor<?xf64>) -> tensor<?xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["reduction", "reduction", "parallel"]} ins(%2, %2 : tensor<?x?xf64>, tensor<?x?xf64>) outs(%4 : tensor<?xf64>) {
    ^bb0(%in: f64, %in_2: f64, %out: f64):
      %11 = arith.mulf %in, %in_2 : f64
      %12 = arith.addf %out, %11 : f64
      linalg.yield %12 : f64
    } -> tensor<?xf64>
    %expanded = tensor.expand_shape %5 [[0, 1]] output_shape [%dim, 1] : tensor<?xf64> into tensor<?x1xf64>
    %6 = tensor.empty() : tensor<1xf64>
    %7 = linalg.vecmat ins(%5, %expanded : tensor<?xf64>, tensor<?x1xf64>) outs(%6 : tensor<1xf64>) -> tensor<1xf64>
    %8 = pit.sparse %arg2 <kind = values, axes = [0]> : tensor<1xi1>
    %9 = tensor.empty() : tensor<1xf64>
    %10 = linalg.generic {indexing_maps = [#map2, #map2, #map2, #map2], iterator_types = ["parallel"]} ins(%7, %8, %7 : tensor<1xf64>, tensor<1xi1>, tensor<1xf64>) outs(%9 : tensor<1xf64>) {
    ^bb0(%in: f64, %in_2: i1, %in_3: f64, %out: f64):
      %11 = arith.minimumf %in_3, %in : f64
      %cst_4 = arith.constant 0xFFF0000000000000 : f64
      %12 = arith.select %in_2, %11, %cst_4 : f64
      linalg.yield %12 : f64
    } -> tensor<1xf64>
    return %10 : tensor<1xf64>
  }
}


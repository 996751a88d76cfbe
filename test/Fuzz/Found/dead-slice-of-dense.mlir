// Seed 1601237. An op that reads positions stays dense, and reads full forms of
// packed values. What its dead slices hold was computed as if nothing were
// known of those.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
module {
  func.func @main(%arg0: tensor<?x?x?xf64>, %arg1: tensor<?x?xi1>, %arg2: tensor<?xf64>) -> tensor<?x?x?xf64> attributes {inputs = ["kind=ints shape=4x11x19 lo=1 hi=2 seed=519385", "kind=ints shape=5x2 lo=1 hi=2 live=0% dead=zero seed=380618", "kind=ints shape=19 lo=1 hi=4 live=5% dead=zero seed=109651"]} {
    %c2 = arith.constant 2 : index
    %dim = tensor.dim %arg0, %c2 : tensor<?x?x?xf64>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?x?xf64>
    %c0 = arith.constant 0 : index
    %dim_1 = tensor.dim %arg0, %c0 : tensor<?x?x?xf64>
    %0 = tensor.empty(%dim, %dim_1, %dim_0) : tensor<?x?x?xf64>
    %transposed = linalg.transpose ins(%arg0 : tensor<?x?x?xf64>) outs(%0 : tensor<?x?x?xf64>) permutation = [2, 0, 1] 
    %1 = pit.sparse %transposed by(%arg1 : tensor<?x?xi1>) <kind = blocks, axes = [0, 2], pad = left, tile = [4, 8]> : tensor<?x?x?xf64>
    %2 = tensor.empty(%dim, %dim_1, %dim_0) : tensor<?x?x?xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<?x?x?xf64>) outs(%2 : tensor<?x?x?xf64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_2 = arith.constant 0.000000e+00 : f64
      %cst_3 = arith.constant 2.000000e+00 : f64
      %cst_4 = arith.constant 1.000000e+00 : f64
      %9 = arith.addf %in, %cst_4 : f64
      %10 = linalg.index 1 : index
      %c2_5 = arith.constant 2 : index
      %11 = arith.cmpi sge, %10, %c2_5 : index
      %cst_6 = arith.constant 0.000000e+00 : f64
      %12 = arith.select %11, %9, %cst_6 : f64
      linalg.yield %12 : f64
    } -> tensor<?x?x?xf64>
    %4 = tensor.empty(%dim, %dim_1, %dim_0) : tensor<?x?x?xf64>
    %5 = linalg.abs ins(%3 : tensor<?x?x?xf64>) outs(%4 : tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
    %cst = arith.constant 0.000000e+00 : f64
    %6 = tensor.empty(%dim, %dim_0, %dim_0) : tensor<?x?x?xf64>
    %7 = linalg.fill ins(%cst : f64) outs(%6 : tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map2, #map3], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%arg2, %5, %3 : tensor<?xf64>, tensor<?x?x?xf64>, tensor<?x?x?xf64>) outs(%7 : tensor<?x?x?xf64>) {
    ^bb0(%in: f64, %in_2: f64, %in_3: f64, %out: f64):
      %9 = arith.mulf %in, %in_2 : f64
      %cst_4 = arith.constant 0.000000e+00 : f64
      %cst_5 = arith.constant 2.000000e+00 : f64
      %10 = math.absf %in_3 : f64
      %11 = arith.mulf %9, %10 : f64
      %12 = arith.addf %out, %11 : f64
      linalg.yield %12 : f64
    } -> tensor<?x?x?xf64>
    return %8 : tensor<?x?x?xf64>
  }
}


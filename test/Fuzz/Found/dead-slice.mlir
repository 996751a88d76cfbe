// What a dead slice holds was computed of zeros for what does not count in it; here that divides.
// RUN: pit-fuzz %s --opt-level 3 | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
module {
  func.func @main(%arg0: tensor<3x5xi1>, %arg1: tensor<5x17xf32>, %arg2: tensor<5x17xf32>, %arg3: tensor<3x5x5x17xf32>, %arg4: tensor<3x5x5xf32>) -> tensor<3x5x5x17xf32> attributes {inputs = ["kind=ints shape=3x5 lo=1 hi=2 live=50% dead=zero seed=930114", "kind=ints shape=5x17 lo=1 hi=2 seed=685250", "kind=ints shape=5x17 lo=1 hi=2 live=80% dead=zero seed=608859", "kind=ints shape=3x5x5x17 lo=1 hi=2 seed=1", "kind=ints shape=3x5x5 lo=1 hi=2 seed=1"]} {
    %0 = tensor.empty() : tensor<3x5x5x17xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %arg4 : tensor<3x5x5x17xf32>, tensor<3x5x5xf32>) outs(%0 : tensor<3x5x5x17xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %5 = arith.divf %in, %in_0 : f32
      linalg.yield %5 : f32
    } -> tensor<3x5x5x17xf32>
    %2 = pit.sparse %arg1 by(%arg2 : tensor<5x17xf32>) <kind = routing, axes = [0, 1]> : tensor<5x17xf32>
    %3 = tensor.empty() : tensor<3x5x5x17xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map2, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg0, %2 : tensor<3x5x5x17xf32>, tensor<3x5xi1>, tensor<5x17xf32>) outs(%3 : tensor<3x5x5x17xf32>) {
    ^bb0(%in: f32, %in_0: i1, %in_1: f32, %out: f32):
      %cst = arith.constant 0.000000e+00 : f32
      %cst_2 = arith.constant 2.000000e+00 : f32
      %cst_3 = arith.constant 5.000000e-01 : f32
      %5 = arith.mulf %in, %cst_3 : f32
      %6 = arith.mulf %in_1, %5 : f32
      %cst_4 = arith.constant 0xFF800000 : f32
      %7 = arith.select %in_0, %6, %cst_4 : f32
      linalg.yield %7 : f32
    } -> tensor<3x5x5x17xf32>
    return %4 : tensor<3x5x5x17xf32>
  }
}


// Seed 1046368. A sum whose terms cancel is exact in the written order, and
// not in others.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>
module {
  func.func @main(%arg0: tensor<11x16x5xf32>, %arg1: tensor<5x3x11xf32> {pit.sparse = {absent = "zero", axes = array<i64: 1, 2>, pad = "left", source = "values"}}, %arg2: tensor<5x9xf32>, %arg3: tensor<11x16x3xf32>) -> tensor<11x16x3xf32> attributes {inputs = ["kind=ints shape=11x16x5 lo=-3 hi=3 seed=265824", "kind=reals shape=5x3x11 lo=-4 hi=4 seed=160044", "kind=ints shape=5x9 lo=1 hi=2 seed=565934", "kind=ints shape=11x16x3 lo=-2 hi=3 seed=1"], pipeline = "tile-size=2"} {
    %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]} ins(%arg0, %arg1 : tensor<11x16x5xf32>, tensor<5x3x11xf32>) outs(%arg3 : tensor<11x16x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %1, %out : f32
      linalg.yield %2 : f32
    } -> tensor<11x16x3xf32>
    return %0 : tensor<11x16x3xf32>
  }
}


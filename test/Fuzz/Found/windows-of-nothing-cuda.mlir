// Windows of no image were slices out of bounds.
// RUN: pit-fuzz %s --target cuda --compile-only | FileCheck %s
// CHECK: compiled (

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d3, d2)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d2, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>
module {
  func.func @main(%arg0: tensor<0x7x5xf32>, %arg1: tensor<1x5x5xf32>) -> tensor<0x7x5xf32> attributes {inputs = ["kind=ints shape=0x7x5 lo=1 hi=2 live=90% dead=zero seed=137227", "kind=ints shape=1x5x5 lo=1 hi=2 seed=601113"]} {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<0x7x5xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<0x7x5xf32>) -> tensor<0x7x5xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]} ins(%arg0, %arg1 : tensor<0x7x5xf32>, tensor<1x5x5xf32>) outs(%1 : tensor<0x7x5xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<0x7x5xf32>
    return %2 : tensor<0x7x5xf32>
  }
}


// Windows were taken for dimensions where loops of a reduction are merged, and accessed out of bounds.
// RUN: %emulated-cuda pit-fuzz %s --target cuda | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d3, d2 + d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d0)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2)>
module {
  func.func @main(%arg0: tensor<6x24x16xf64>, %arg1: tensor<2x4x6xf64>) -> tensor<23x13xf64> attributes {inputs = ["kind=ints shape=6x24x16 lo=1 hi=2 seed=895507", "kind=ints shape=2x4x6 lo=1 hi=2 live=2% dead=zero seed=124612"]} {
    %0 = tensor.empty() : tensor<23x13xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["reduction", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<6x24x16xf64>, tensor<2x4x6xf64>) outs(%0 : tensor<23x13xf64>) {
    ^bb0(%in: f64, %in_0: f64, %out: f64):
      %2 = arith.maximumf %in, %in_0 : f64
      %3 = arith.minimumf %out, %2 : f64
      linalg.yield %3 : f64
    } -> tensor<23x13xf64>
    return %1 : tensor<23x13xf64>
  }
}


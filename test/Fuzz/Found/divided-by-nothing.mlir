// Seed 1236439. An extent was derived from the others of its group, by dividing
// by their product, which is 0.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func @main(%arg0: tensor<9x?x9x0xf64>, %arg1: tensor<?x?xf64>) -> tensor<?x?xf64> attributes {inputs = ["kind=ints shape=9x17x9x0 lo=1 hi=2 seed=435544", "kind=ints shape=17x0 lo=1 hi=2 seed=809389"]} {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2, 3]] : tensor<9x?x9x0xf64> into tensor<?xf64>
    %0 = linalg.generic {indexing_maps = [#map, #map, #map, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed, %collapsed, %collapsed : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) outs(%arg1 : tensor<?x?xf64>) {
    ^bb0(%in: f64, %in_0: f64, %in_1: f64, %out: f64):
      %1 = arith.maximumf %in, %in_0 : f64
      %2 = arith.maximumf %1, %in_1 : f64
      %3 = arith.addf %out, %2 : f64
      linalg.yield %3 : f64
    } -> tensor<?x?xf64>
    return %0 : tensor<?x?xf64>
  }
}


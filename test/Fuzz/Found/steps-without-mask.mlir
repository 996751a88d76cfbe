// The dense form of a product of one row, whose steps a mask lists one by one, multiplied what the mask leaves out: the rule that packs the
// row was made without the mask, as all that is listed is live.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xi1>, %arg3: tensor<3xf32>) -> tensor<3xf32> attributes {inputs = ["kind=ints shape=3x4 lo=1 hi=2 seed=143080", "kind=ints shape=4 lo=-2 hi=2 seed=694238", "kind=ints shape=4 lo=0 hi=2 seed=1", "kind=ints shape=3 lo=-2 hi=3 seed=1"]} {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg2, %arg1 : tensor<4xi1>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: i1, %in_0: f32, %out: f32):
      %3 = arith.uitofp %in : i1 to f32
      %4 = arith.mulf %in_0, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<4xf32>
    %2 = linalg.matvec ins(%arg0, %1 : tensor<3x4xf32>, tensor<4xf32>) outs(%arg3 : tensor<3xf32>) -> tensor<3xf32>
    return %2 : tensor<3xf32>
  }
}


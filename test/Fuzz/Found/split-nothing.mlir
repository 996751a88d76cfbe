// Normalisation did not terminate: it folded a reshape of a tensor without elements, which made another one.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
module {
  func.func @main(%arg0: tensor<0x64x?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<0x1xi1>) -> tensor<0x1x64x?xf32> attributes {inputs = ["kind=ints shape=0x64x4 lo=1 hi=2 live=50% block=1x2x2 dead=zero seed=45896", "kind=ints shape=4 lo=-2 hi=3 seed=561504", "kind=ints shape=0x1 lo=1 hi=2 seed=999272"]} {
    %c2 = arith.constant 2 : index
    %dim = tensor.dim %arg0, %c2 : tensor<0x64x?xf32>
    %0 = tensor.empty(%dim) : tensor<0x64x?xf32>
    %1 = linalg.mul ins(%arg0, %arg0 : tensor<0x64x?xf32>, tensor<0x64x?xf32>) outs(%0 : tensor<0x64x?xf32>) -> tensor<0x64x?xf32>
    %expanded = tensor.expand_shape %1 [[0, 1], [2], [3]] output_shape [0, 1, 64, %dim] : tensor<0x64x?xf32> into tensor<0x1x64x?xf32>
    %2 = tensor.empty(%dim) : tensor<0x1x64x?xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %1, %arg1 : tensor<0x1x64x?xf32>, tensor<0x64x?xf32>, tensor<?xf32>) outs(%2 : tensor<0x1x64x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
      %cst = arith.constant 0.000000e+00 : f32
      %cst_2 = arith.constant 2.000000e+00 : f32
      %5 = arith.negf %in : f32
      %6 = arith.addf %in_0, %5 : f32
      %cst_3 = arith.constant 0.000000e+00 : f32
      %cst_4 = arith.constant 2.000000e+00 : f32
      %7 = arith.maximumf %in_1, %cst_3 : f32
      %8 = arith.minimumf %6, %7 : f32
      %cst_5 = arith.constant 0.000000e+00 : f32
      %cst_6 = arith.constant 2.000000e+00 : f32
      %9 = arith.maximumf %8, %cst_5 : f32
      linalg.yield %9 : f32
    } -> tensor<0x1x64x?xf32>
    %4 = pit.sparse %3 by(%arg2 : tensor<0x1xi1>) <kind = blocks, axes = [0, 1], absent = undef, tile = [4, 2]> : tensor<0x1x64x?xf32>
    return %4 : tensor<0x1x64x?xf32>
  }
}


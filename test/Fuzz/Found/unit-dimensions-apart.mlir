// Upstream's patterns for reshapes moved a dimension of size 1 back and forth, and added one each time.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1 * 2 + d2)>
#map5 = affine_map<(d0, d1, d2) -> (d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<31x7x31xf32>, %arg1: tensor<1x31xf32>, %arg2: tensor<3xf32>) -> (tensor<1x15xf32>, tensor<1x31xf32>, tensor<217x1x31xf32>, tensor<31x7x1x31xf32>) attributes {inputs = ["kind=reals shape=31x7x31 lo=-3 hi=3 seed=967877", "kind=ints shape=1x31 lo=-1 hi=1 seed=143370", "kind=reals shape=3 lo=-1 hi=1 live=30% dead=zero seed=155967"], pipeline = "finite=false"} {
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [31, 7, 1, 31] : tensor<31x7x31xf32> into tensor<31x7x1x31xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<31x7x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<31x7x1xf32>) -> tensor<31x7x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded : tensor<31x7x1x31xf32>) outs(%1 : tensor<31x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.addf %out, %in : f32
      linalg.yield %16 : f32
    } -> tensor<31x7x1xf32>
    %3 = tensor.empty() : tensor<31x7x1x31xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %2 : tensor<31x7x1x31xf32>, tensor<31x7x1xf32>) outs(%3 : tensor<31x7x1x31xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %cst_4 = arith.constant 3.100000e+01 : f32
      %16 = arith.divf %in_3, %cst_4 : f32
      %17 = arith.subf %in, %16 : f32
      linalg.yield %17 : f32
    } -> tensor<31x7x1x31xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %5 = tensor.empty() : tensor<31x7x1xf32>
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<31x7x1xf32>) -> tensor<31x7x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%4 : tensor<31x7x1x31xf32>) outs(%6 : tensor<31x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.mulf %in, %in : f32
      %17 = arith.addf %out, %16 : f32
      linalg.yield %17 : f32
    } -> tensor<31x7x1xf32>
    %8 = tensor.empty() : tensor<31x7x1x31xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %7 : tensor<31x7x1x31xf32>, tensor<31x7x1xf32>) outs(%8 : tensor<31x7x1x31xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %cst_4 = arith.constant 1.000000e+00 : f32
      %16 = arith.addf %in_3, %cst_4 : f32
      %17 = math.rsqrt %16 : f32
      %18 = arith.mulf %in, %17 : f32
      linalg.yield %18 : f32
    } -> tensor<31x7x1x31xf32>
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<31x7x1x31xf32> into tensor<217x1x31xf32>
    %10 = tensor.empty() : tensor<217x1x31xf32>
    %11 = linalg.softmax dimension(0) ins(%collapsed : tensor<217x1x31xf32>) outs(%10 : tensor<217x1x31xf32>) -> tensor<217x1x31xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction", "parallel", "parallel"]} ins(%collapsed : tensor<217x1x31xf32>) outs(%arg1 : tensor<1x31xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.addf %out, %in : f32
      linalg.yield %16 : f32
    } -> tensor<1x31xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %12 low[0, 0] high[0, 0] {
    ^bb0(%arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x31xf32> to tensor<1x31xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %13 = tensor.empty() : tensor<1x15xf32>
    %14 = linalg.fill ins(%cst_2 : f32) outs(%13 : tensor<1x15xf32>) -> tensor<1x15xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<1x31xf32>, tensor<3xf32>) outs(%14 : tensor<1x15xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %16 = arith.mulf %in, %in_3 : f32
      %17 = arith.addf %out, %16 : f32
      linalg.yield %17 : f32
    } -> tensor<1x15xf32>
    return %15, %padded, %11, %expanded : tensor<1x15xf32>, tensor<1x31xf32>, tensor<217x1x31xf32>, tensor<31x7x1x31xf32>
  }
}

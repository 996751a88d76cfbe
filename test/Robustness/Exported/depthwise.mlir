// A depthwise and a pointwise convolution as torch-mlir exports them, on an image with dead channels.
// RUN: pit-run %s --random normal --random uniform:-0.4:0.4 --check --report | FileCheck %s
//
// %arg0 = x
// %arg1 = d.weight
// %arg2 = d.bias
// %arg3 = p.weight
// %arg4 = p.bias

// CHECK: check: result 0: bit-identical

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> ()>
module {
  func.func @main(%arg0: tensor<2x8x10x10xf32> {pit.sparse = {absent = "zero", axes = array<i64: 0, 1>, source = "values"}}, %arg1: tensor<8x1x3x3xf32>, %arg2: tensor<8xf32>, %arg3: tensor<16x8x1x1xf32>, %arg4: tensor<16xf32>) -> tensor<2x16x10x10xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<6.000000e+00> : tensor<f32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg5: index, %arg6: index, %arg7: index, %arg8: index):
      tensor.yield %cst : f32
    } : tensor<2x8x10x10xf32> to tensor<2x8x12x12xf32>
    %0 = tensor.empty() : tensor<2x8x10x10xf32>
    %broadcasted = linalg.broadcast ins(%arg2 : tensor<8xf32>) outs(%0 : tensor<2x8x10x10xf32>) dimensions = [0, 2, 3]
    %collapsed = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<8x1x3x3xf32> into tensor<8x3x3xf32>
    %1 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %collapsed : tensor<2x8x12x12xf32>, tensor<8x3x3xf32>) outs(%broadcasted : tensor<2x8x10x10xf32>) -> tensor<2x8x10x10xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %cst_1 : tensor<2x8x10x10xf32>, tensor<f32>) outs(%0 : tensor<2x8x10x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %8 = arith.cmpf ogt, %in, %in_3 : f32
      %9 = arith.select %8, %in, %in_3 : f32
      linalg.yield %9 : f32
    } -> tensor<2x8x10x10xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0, %2 : tensor<f32>, tensor<2x8x10x10xf32>) outs(%0 : tensor<2x8x10x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %8 = arith.cmpf olt, %in, %in_3 : f32
      %9 = arith.select %8, %in, %in_3 : f32
      linalg.yield %9 : f32
    } -> tensor<2x8x10x10xf32>
    %4 = tensor.empty() : tensor<2x16x10x10xf32>
    %broadcasted_2 = linalg.broadcast ins(%arg4 : tensor<16xf32>) outs(%4 : tensor<2x16x10x10xf32>) dimensions = [0, 2, 3]
    %5 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%3, %arg3 : tensor<2x8x10x10xf32>, tensor<16x8x1x1xf32>) outs(%broadcasted_2 : tensor<2x16x10x10xf32>) -> tensor<2x16x10x10xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %cst_1 : tensor<2x16x10x10xf32>, tensor<f32>) outs(%4 : tensor<2x16x10x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %8 = arith.cmpf ogt, %in, %in_3 : f32
      %9 = arith.select %8, %in, %in_3 : f32
      linalg.yield %9 : f32
    } -> tensor<2x16x10x10xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0, %6 : tensor<f32>, tensor<2x16x10x10xf32>) outs(%4 : tensor<2x16x10x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %8 = arith.cmpf olt, %in, %in_3 : f32
      %9 = arith.select %8, %in, %in_3 : f32
      linalg.yield %9 : f32
    } -> tensor<2x16x10x10xf32>
    return %7 : tensor<2x16x10x10xf32>
  }
}

// bert_encoder_layer: Post-norm encoder layer; positions at or after lengths[b] are padding.
// Written by examples/torch/export.py (torch 2.15.0, torch-mlir 20261001); edit that, not this.
// Run: pit-run examples/torch/bert_encoder_layer.mlir --random=normal --random=lengths:20:64 --random=normal:0.05 --check --report
// Look at: 31 rules follow from two marks of one tensor of lengths; padded rows are never computed, and "undef" in the check are their results.
// %arg0 = x
// %arg1 = lengths
// %arg2 = query.weight
// %arg3 = query.bias
// %arg4 = key.weight
// %arg5 = key.bias
// %arg6 = value.weight
// %arg7 = value.bias
// %arg8 = output.weight
// %arg9 = output.bias
// %arg10 = norm1.weight
// %arg11 = norm1.bias
// %arg12 = fc1.weight
// %arg13 = fc1.bias
// %arg14 = fc2.weight
// %arg15 = fc2.bias
// %arg16 = norm2.weight
// %arg17 = norm2.bias

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map12 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @main(%arg0: tensor<8x128x256xf32> {pit.sparse = {absent = "undef", axes = array<i64: 0, 1>, from = 1 : i64, pad = "right", source = "lengths"}}, %arg1: tensor<8xi64>, %arg2: tensor<256x256xf32>, %arg3: tensor<256xf32>, %arg4: tensor<256x256xf32>, %arg5: tensor<256xf32>, %arg6: tensor<256x256xf32>, %arg7: tensor<256xf32>, %arg8: tensor<256x256xf32>, %arg9: tensor<256xf32>, %arg10: tensor<256xf32>, %arg11: tensor<256xf32>, %arg12: tensor<1024x256xf32>, %arg13: tensor<1024xf32>, %arg14: tensor<256x1024xf32>, %arg15: tensor<256xf32>, %arg16: tensor<256xf32>, %arg17: tensor<256xf32>) -> tensor<8x128x256xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_6 = arith.constant 9.9999999999999998E-13 : f64
    %cst_7 = arith.constant 8.000000e+00 : f32
    %cst_8 = arith.constant 2.560000e+02 : f64
    %cst_9 = arith.constant 2.560000e+02 : f32
    %cst_10 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<128xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<128xi64>) {
    ^bb0(%out: i64):
      %95 = linalg.index 0 : index
      %96 = arith.index_cast %95 : index to i64
      linalg.yield %96 : i64
    } -> tensor<128xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [1, 128] : tensor<128xi64> into tensor<1x128xi64>
    %expanded_11 = tensor.expand_shape %arg1 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %2 = tensor.empty() : tensor<8x128xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_11 : tensor<1x128xi64>, tensor<8x1xi64>) outs(%2 : tensor<8x128xi1>) {
    ^bb0(%in: i64, %in_38: i64, %out: i1):
      %95 = arith.cmpi slt, %in, %in_38 : i64
      linalg.yield %95 : i1
    } -> tensor<8x128xi1>
    %4 = tensor.empty() : tensor<8x128xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%3, %cst_4, %cst_5 : tensor<8x128xi1>, tensor<f32>, tensor<f32>) outs(%4 : tensor<8x128xf32>) attrs =  {pit.sparse = {absent = "neg_inf", axes = array<i64: 0, 1>, from = 1 : i64, pad = "right", source = "lengths"}} {
    ^bb0(%in: i1, %in_38: f32, %in_39: f32, %out: f32):
      %95 = arith.select %in, %in_38, %in_39 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128xf32>
    %expanded_12 = tensor.expand_shape %5 [[0], [1, 2, 3]] output_shape [8, 1, 1, 128] : tensor<8x128xf32> into tensor<8x1x1x128xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<8x128x256xf32> into tensor<1024x256xf32>
    %6 = tensor.empty() : tensor<256x256xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<256x256xf32>) outs(%6 : tensor<256x256xf32>) permutation = [1, 0]
    %7 = tensor.empty() : tensor<1024x256xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %9 = linalg.matmul ins(%collapsed, %transposed : tensor<1024x256xf32>, tensor<256x256xf32>) outs(%8 : tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %10 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<256xf32>) outs(%7 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x256xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%9, %10 : tensor<1024x256xf32>, tensor<1024x256xf32>) outs(%7 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.addf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<1024x256xf32>
    %expanded_13 = tensor.expand_shape %11 [[0, 1], [2, 3]] output_shape [8, 128, 4, 64] : tensor<1024x256xf32> into tensor<8x128x4x64xf32>
    %12 = tensor.empty() : tensor<8x4x128x64xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<8x128x4x64xf32>) outs(%12 : tensor<8x4x128x64xf32>) permutation = [0, 2, 1, 3]
    %transposed_15 = linalg.transpose ins(%arg4 : tensor<256x256xf32>) outs(%6 : tensor<256x256xf32>) permutation = [1, 0]
    %13 = linalg.matmul ins(%collapsed, %transposed_15 : tensor<1024x256xf32>, tensor<256x256xf32>) outs(%8 : tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %14 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<256xf32>) outs(%7 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x256xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%13, %14 : tensor<1024x256xf32>, tensor<1024x256xf32>) outs(%7 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.addf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<1024x256xf32>
    %expanded_16 = tensor.expand_shape %15 [[0, 1], [2, 3]] output_shape [8, 128, 4, 64] : tensor<1024x256xf32> into tensor<8x128x4x64xf32>
    %transposed_17 = linalg.transpose ins(%arg6 : tensor<256x256xf32>) outs(%6 : tensor<256x256xf32>) permutation = [1, 0]
    %16 = linalg.matmul ins(%collapsed, %transposed_17 : tensor<1024x256xf32>, tensor<256x256xf32>) outs(%8 : tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %17 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<256xf32>) outs(%7 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x256xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16, %17 : tensor<1024x256xf32>, tensor<1024x256xf32>) outs(%7 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.addf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<1024x256xf32>
    %expanded_18 = tensor.expand_shape %18 [[0, 1], [2, 3]] output_shape [8, 128, 4, 64] : tensor<1024x256xf32> into tensor<8x128x4x64xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<8x128x4x64xf32>) outs(%12 : tensor<8x4x128x64xf32>) permutation = [0, 2, 1, 3]
    %19 = tensor.empty() : tensor<8x4x64x128xf32>
    %transposed_20 = linalg.transpose ins(%expanded_16 : tensor<8x128x4x64xf32>) outs(%19 : tensor<8x4x64x128xf32>) permutation = [0, 2, 3, 1]
    %collapsed_21 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<8x4x128x64xf32> into tensor<32x128x64xf32>
    %collapsed_22 = tensor.collapse_shape %transposed_20 [[0, 1], [2], [3]] : tensor<8x4x64x128xf32> into tensor<32x64x128xf32>
    %20 = tensor.empty() : tensor<32x128x128xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<32x128x128xf32>) -> tensor<32x128x128xf32>
    %22 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<32x128x64xf32>, tensor<32x64x128xf32>) outs(%21 : tensor<32x128x128xf32>) -> tensor<32x128x128xf32>
    %expanded_23 = tensor.expand_shape %22 [[0, 1], [2], [3]] output_shape [8, 4, 128, 128] : tensor<32x128x128xf32> into tensor<8x4x128x128xf32>
    %23 = tensor.empty() : tensor<8x4x128x128xf32>
    %24 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<8x4x128x128xf32>) outs(%23 : tensor<8x4x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.divf %in, %cst_7 : f32
      linalg.yield %95 : f32
    } -> tensor<8x4x128x128xf32>
    %25 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %expanded_12 : tensor<8x4x128x128xf32>, tensor<8x1x1x128xf32>) outs(%23 : tensor<8x4x128x128xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.addf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x4x128x128xf32>
    %26 = tensor.empty() : tensor<8x4x128xi64>
    %27 = linalg.fill ins(%c0_i64 : i64) outs(%26 : tensor<8x4x128xi64>) -> tensor<8x4x128xi64>
    %28 = tensor.empty() : tensor<8x4x128xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<8x4x128xf32>) -> tensor<8x4x128xf32>
    %30:2 = linalg.generic {indexing_maps = [#map6, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<8x4x128x128xf32>) outs(%29, %27 : tensor<8x4x128xf32>, tensor<8x4x128xi64>) {
    ^bb0(%in: f32, %out: f32, %out_38: i64):
      %95 = linalg.index 3 : index
      %96 = arith.index_cast %95 : index to i64
      %97 = arith.maximumf %in, %out : f32
      %98 = arith.cmpf ogt, %in, %out : f32
      %99 = arith.select %98, %96, %out_38 : i64
      linalg.yield %97, %99 : f32, i64
    } -> (tensor<8x4x128xf32>, tensor<8x4x128xi64>)
    %expanded_24 = tensor.expand_shape %30#0 [[0], [1], [2, 3]] output_shape [8, 4, 128, 1] : tensor<8x4x128xf32> into tensor<8x4x128x1xf32>
    %31 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %expanded_24 : tensor<8x4x128x128xf32>, tensor<8x4x128x1xf32>) outs(%23 : tensor<8x4x128x128xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.subf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x4x128x128xf32>
    %32 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<8x4x128x128xf32>) outs(%23 : tensor<8x4x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = math.exp %in : f32
      linalg.yield %95 : f32
    } -> tensor<8x4x128x128xf32>
    %33 = tensor.empty() : tensor<8x4x128x1xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<8x4x128x1xf32>) -> tensor<8x4x128x1xf32>
    %35 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%32 : tensor<8x4x128x128xf32>) outs(%34 : tensor<8x4x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.addf %in, %out : f32
      linalg.yield %95 : f32
    } -> tensor<8x4x128x1xf32>
    %36 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %35 : tensor<8x4x128x128xf32>, tensor<8x4x128x1xf32>) outs(%23 : tensor<8x4x128x128xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.divf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x4x128x128xf32>
    %collapsed_25 = tensor.collapse_shape %36 [[0, 1], [2], [3]] : tensor<8x4x128x128xf32> into tensor<32x128x128xf32>
    %collapsed_26 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3]] : tensor<8x4x128x64xf32> into tensor<32x128x64xf32>
    %37 = tensor.empty() : tensor<32x128x64xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<32x128x64xf32>) -> tensor<32x128x64xf32>
    %39 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<32x128x128xf32>, tensor<32x128x64xf32>) outs(%38 : tensor<32x128x64xf32>) -> tensor<32x128x64xf32>
    %expanded_27 = tensor.expand_shape %39 [[0, 1], [2], [3]] output_shape [8, 4, 128, 64] : tensor<32x128x64xf32> into tensor<8x4x128x64xf32>
    %40 = tensor.empty() : tensor<8x128x4x64xf32>
    %transposed_28 = linalg.transpose ins(%expanded_27 : tensor<8x4x128x64xf32>) outs(%40 : tensor<8x128x4x64xf32>) permutation = [0, 2, 1, 3]
    %collapsed_29 = tensor.collapse_shape %transposed_28 [[0, 1], [2, 3]] : tensor<8x128x4x64xf32> into tensor<1024x256xf32>
    %transposed_30 = linalg.transpose ins(%arg8 : tensor<256x256xf32>) outs(%6 : tensor<256x256xf32>) permutation = [1, 0]
    %41 = linalg.matmul ins(%collapsed_29, %transposed_30 : tensor<1024x256xf32>, tensor<256x256xf32>) outs(%8 : tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %42 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<256xf32>) outs(%7 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x256xf32>
    %43 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%41, %42 : tensor<1024x256xf32>, tensor<1024x256xf32>) outs(%7 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.addf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<1024x256xf32>
    %expanded_31 = tensor.expand_shape %43 [[0, 1], [2]] output_shape [8, 128, 256] : tensor<1024x256xf32> into tensor<8x128x256xf32>
    %44 = tensor.empty() : tensor<8x128x256xf32>
    %45 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_31 : tensor<8x128x256xf32>, tensor<8x128x256xf32>) outs(%44 : tensor<8x128x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.addf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x256xf32>
    %46 = tensor.empty() : tensor<8x128x256xf64>
    %47 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<8x128x256xf32>) outs(%46 : tensor<8x128x256xf64>) {
    ^bb0(%in: f32, %out: f64):
      %95 = arith.extf %in : f32 to f64
      linalg.yield %95 : f64
    } -> tensor<8x128x256xf64>
    %48 = tensor.empty() : tensor<8x128x1xf64>
    %49 = linalg.fill ins(%cst_1 : f64) outs(%48 : tensor<8x128x1xf64>) -> tensor<8x128x1xf64>
    %50 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%47 : tensor<8x128x256xf64>) outs(%49 : tensor<8x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.addf %in, %out : f64
      linalg.yield %95 : f64
    } -> tensor<8x128x1xf64>
    %51 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50 : tensor<8x128x1xf64>) outs(%48 : tensor<8x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.divf %in, %cst_8 : f64
      linalg.yield %95 : f64
    } -> tensor<8x128x1xf64>
    %52 = linalg.generic {indexing_maps = [#map10, #map11, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %51 : tensor<8x128x256xf64>, tensor<8x128x1xf64>) outs(%46 : tensor<8x128x256xf64>) {
    ^bb0(%in: f64, %in_38: f64, %out: f64):
      %95 = arith.subf %in, %in_38 : f64
      linalg.yield %95 : f64
    } -> tensor<8x128x256xf64>
    %53 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %52 : tensor<8x128x256xf64>, tensor<8x128x256xf64>) outs(%46 : tensor<8x128x256xf64>) {
    ^bb0(%in: f64, %in_38: f64, %out: f64):
      %95 = arith.mulf %in, %in_38 : f64
      linalg.yield %95 : f64
    } -> tensor<8x128x256xf64>
    %54 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%53 : tensor<8x128x256xf64>) outs(%49 : tensor<8x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.addf %in, %out : f64
      linalg.yield %95 : f64
    } -> tensor<8x128x1xf64>
    %55 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<8x128x1xf64>) outs(%48 : tensor<8x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.divf %in, %cst_8 : f64
      linalg.yield %95 : f64
    } -> tensor<8x128x1xf64>
    %56 = tensor.empty() : tensor<8x128x1xf32>
    %57 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<8x128x1xf64>) outs(%56 : tensor<8x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %95 = arith.truncf %in : f64 to f32
      linalg.yield %95 : f32
    } -> tensor<8x128x1xf32>
    %58 = linalg.fill ins(%cst : f32) outs(%56 : tensor<8x128x1xf32>) -> tensor<8x128x1xf32>
    %59 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%45 : tensor<8x128x256xf32>) outs(%58 : tensor<8x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.addf %in, %out : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x1xf32>
    %60 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<8x128x1xf32>) outs(%56 : tensor<8x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.divf %in, %cst_9 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x1xf32>
    %61 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<8x128x1xf32>) outs(%56 : tensor<8x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.truncf %cst_6 : f64 to f32
      %96 = arith.addf %in, %95 : f32
      linalg.yield %96 : f32
    } -> tensor<8x128x1xf32>
    %62 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<8x128x1xf32>) outs(%56 : tensor<8x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = math.rsqrt %in : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x1xf32>
    %63 = linalg.generic {indexing_maps = [#map10, #map11, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %60 : tensor<8x128x256xf32>, tensor<8x128x1xf32>) outs(%44 : tensor<8x128x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.subf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x256xf32>
    %64 = linalg.generic {indexing_maps = [#map10, #map11, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %62 : tensor<8x128x256xf32>, tensor<8x128x1xf32>) outs(%44 : tensor<8x128x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.mulf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x256xf32>
    %65 = linalg.generic {indexing_maps = [#map10, #map12, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %arg10 : tensor<8x128x256xf32>, tensor<256xf32>) outs(%44 : tensor<8x128x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.mulf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x256xf32>
    %66 = linalg.generic {indexing_maps = [#map10, #map12, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %arg11 : tensor<8x128x256xf32>, tensor<256xf32>) outs(%44 : tensor<8x128x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.addf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x256xf32>
    %collapsed_32 = tensor.collapse_shape %66 [[0, 1], [2]] : tensor<8x128x256xf32> into tensor<1024x256xf32>
    %67 = tensor.empty() : tensor<256x1024xf32>
    %transposed_33 = linalg.transpose ins(%arg12 : tensor<1024x256xf32>) outs(%67 : tensor<256x1024xf32>) permutation = [1, 0]
    %68 = tensor.empty() : tensor<1024x1024xf32>
    %69 = linalg.fill ins(%cst : f32) outs(%68 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %70 = linalg.matmul ins(%collapsed_32, %transposed_33 : tensor<1024x256xf32>, tensor<256x1024xf32>) outs(%69 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %71 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<1024xf32>) outs(%68 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %72 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%70, %71 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%68 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.addf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<1024x1024xf32>
    %expanded_34 = tensor.expand_shape %72 [[0, 1], [2]] output_shape [8, 128, 1024] : tensor<1024x1024xf32> into tensor<8x128x1024xf32>
    %73 = tensor.empty() : tensor<8x128x1024xf32>
    %74 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<8x128x1024xf32>) outs(%73 : tensor<8x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.divf %in, %cst_10 : f32
      %96 = math.erf %95 : f32
      %97 = arith.addf %96, %cst_2 : f32
      %98 = arith.mulf %97, %cst_3 : f32
      %99 = arith.mulf %in, %98 : f32
      linalg.yield %99 : f32
    } -> tensor<8x128x1024xf32>
    %collapsed_35 = tensor.collapse_shape %74 [[0, 1], [2]] : tensor<8x128x1024xf32> into tensor<1024x1024xf32>
    %transposed_36 = linalg.transpose ins(%arg14 : tensor<256x1024xf32>) outs(%7 : tensor<1024x256xf32>) permutation = [1, 0]
    %75 = linalg.matmul ins(%collapsed_35, %transposed_36 : tensor<1024x1024xf32>, tensor<1024x256xf32>) outs(%8 : tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %76 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg15 : tensor<256xf32>) outs(%7 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x256xf32>
    %77 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%75, %76 : tensor<1024x256xf32>, tensor<1024x256xf32>) outs(%7 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.addf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<1024x256xf32>
    %expanded_37 = tensor.expand_shape %77 [[0, 1], [2]] output_shape [8, 128, 256] : tensor<1024x256xf32> into tensor<8x128x256xf32>
    %78 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %expanded_37 : tensor<8x128x256xf32>, tensor<8x128x256xf32>) outs(%44 : tensor<8x128x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.addf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x256xf32>
    %79 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<8x128x256xf32>) outs(%46 : tensor<8x128x256xf64>) {
    ^bb0(%in: f32, %out: f64):
      %95 = arith.extf %in : f32 to f64
      linalg.yield %95 : f64
    } -> tensor<8x128x256xf64>
    %80 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%79 : tensor<8x128x256xf64>) outs(%49 : tensor<8x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.addf %in, %out : f64
      linalg.yield %95 : f64
    } -> tensor<8x128x1xf64>
    %81 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<8x128x1xf64>) outs(%48 : tensor<8x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.divf %in, %cst_8 : f64
      linalg.yield %95 : f64
    } -> tensor<8x128x1xf64>
    %82 = linalg.generic {indexing_maps = [#map10, #map11, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %81 : tensor<8x128x256xf64>, tensor<8x128x1xf64>) outs(%46 : tensor<8x128x256xf64>) {
    ^bb0(%in: f64, %in_38: f64, %out: f64):
      %95 = arith.subf %in, %in_38 : f64
      linalg.yield %95 : f64
    } -> tensor<8x128x256xf64>
    %83 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %82 : tensor<8x128x256xf64>, tensor<8x128x256xf64>) outs(%46 : tensor<8x128x256xf64>) {
    ^bb0(%in: f64, %in_38: f64, %out: f64):
      %95 = arith.mulf %in, %in_38 : f64
      linalg.yield %95 : f64
    } -> tensor<8x128x256xf64>
    %84 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%83 : tensor<8x128x256xf64>) outs(%49 : tensor<8x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.addf %in, %out : f64
      linalg.yield %95 : f64
    } -> tensor<8x128x1xf64>
    %85 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<8x128x1xf64>) outs(%48 : tensor<8x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %95 = arith.divf %in, %cst_8 : f64
      linalg.yield %95 : f64
    } -> tensor<8x128x1xf64>
    %86 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<8x128x1xf64>) outs(%56 : tensor<8x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %95 = arith.truncf %in : f64 to f32
      linalg.yield %95 : f32
    } -> tensor<8x128x1xf32>
    %87 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%78 : tensor<8x128x256xf32>) outs(%58 : tensor<8x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.addf %in, %out : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x1xf32>
    %88 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<8x128x1xf32>) outs(%56 : tensor<8x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.divf %in, %cst_9 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x1xf32>
    %89 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<8x128x1xf32>) outs(%56 : tensor<8x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = arith.truncf %cst_6 : f64 to f32
      %96 = arith.addf %in, %95 : f32
      linalg.yield %96 : f32
    } -> tensor<8x128x1xf32>
    %90 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<8x128x1xf32>) outs(%56 : tensor<8x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %95 = math.rsqrt %in : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x1xf32>
    %91 = linalg.generic {indexing_maps = [#map10, #map11, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %88 : tensor<8x128x256xf32>, tensor<8x128x1xf32>) outs(%44 : tensor<8x128x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.subf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x256xf32>
    %92 = linalg.generic {indexing_maps = [#map10, #map11, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %90 : tensor<8x128x256xf32>, tensor<8x128x1xf32>) outs(%44 : tensor<8x128x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.mulf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x256xf32>
    %93 = linalg.generic {indexing_maps = [#map10, #map12, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %arg16 : tensor<8x128x256xf32>, tensor<256xf32>) outs(%44 : tensor<8x128x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.mulf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x256xf32>
    %94 = linalg.generic {indexing_maps = [#map10, #map12, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %arg17 : tensor<8x128x256xf32>, tensor<256xf32>) outs(%44 : tensor<8x128x256xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %95 = arith.addf %in, %in_38 : f32
      linalg.yield %95 : f32
    } -> tensor<8x128x256xf32>
    return %94 : tensor<8x128x256xf32>
  }
}

// mixtral: One module that takes hidden states; of several results the first.
// Written by examples/torch/hugging_face.py (torch 2.15.0, torch-mlir 20261001); edit that, not this.
//
// %arg0 = x
// %arg1 = block.gate.weight
// %arg2 = block.experts.gate_up_proj
// %arg3 = block.experts.down_proj

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<4x128x128xf32>, %arg1: tensor<8x128xf32>, %arg2: tensor<8x1024x128xf32>, %arg3: tensor<8x128x512xf32>) -> tensor<4x128x128xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<4x128x128xf32> into tensor<512x128xf32>
    %0 = tensor.empty() : tensor<128x8xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<8x128xf32>) outs(%0 : tensor<128x8xf32>) permutation = [1, 0]
    %1 = tensor.empty() : tensor<512x8xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<512x8xf32>) -> tensor<512x8xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<512x128xf32>, tensor<128x8xf32>) outs(%2 : tensor<512x8xf32>) -> tensor<512x8xf32>
    %4 = tensor.empty() : tensor<512xi64>
    %5 = linalg.fill ins(%c0_i64 : i64) outs(%4 : tensor<512xi64>) -> tensor<512xi64>
    %6 = tensor.empty() : tensor<512xf32>
    %7 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<512xf32>) -> tensor<512xf32>
    %8:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<512x8xf32>) outs(%7, %5 : tensor<512xf32>, tensor<512xi64>) {
    ^bb0(%in: f32, %out: f32, %out_36: i64):
      %56 = linalg.index 1 : index
      %57 = arith.index_cast %56 : index to i64
      %58 = arith.maximumf %in, %out : f32
      %59 = arith.cmpf ogt, %in, %out : f32
      %60 = arith.select %59, %57, %out_36 : i64
      linalg.yield %58, %60 : f32, i64
    } -> (tensor<512xf32>, tensor<512xi64>)
    %expanded = tensor.expand_shape %8#0 [[0, 1]] output_shape [512, 1] : tensor<512xf32> into tensor<512x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %expanded : tensor<512x8xf32>, tensor<512x1xf32>) outs(%1 : tensor<512x8xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %56 = arith.subf %in, %in_36 : f32
      linalg.yield %56 : f32
    } -> tensor<512x8xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<512x8xf32>) outs(%1 : tensor<512x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = math.exp %in : f32
      linalg.yield %56 : f32
    } -> tensor<512x8xf32>
    %11 = tensor.empty() : tensor<512x1xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<512x1xf32>) -> tensor<512x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<512x8xf32>) outs(%12 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.addf %in, %out : f32
      linalg.yield %56 : f32
    } -> tensor<512x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %13 : tensor<512x8xf32>, tensor<512x1xf32>) outs(%1 : tensor<512x8xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %56 = arith.divf %in, %in_36 : f32
      linalg.yield %56 : f32
    } -> tensor<512x8xf32>
    %15 = tensor.empty() : tensor<8xi64>
    %16 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%15 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %56 = linalg.index 0 : index
      %57 = arith.index_cast %56 : index to i64
      linalg.yield %57 : i64
    } -> tensor<8xi64>
    %expanded_4 = tensor.expand_shape %16 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %17:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%14 : tensor<512x8xf32>) outs(%7, %5 : tensor<512xf32>, tensor<512xi64>) {
    ^bb0(%in: f32, %out: f32, %out_36: i64):
      %56 = linalg.index 1 : index
      %57 = arith.index_cast %56 : index to i64
      %58 = arith.maximumf %in, %out : f32
      %59 = arith.cmpf ogt, %in, %out : f32
      %60 = arith.select %59, %57, %out_36 : i64
      linalg.yield %58, %60 : f32, i64
    } -> (tensor<512xf32>, tensor<512xi64>)
    %expanded_5 = tensor.expand_shape %17#1 [[0, 1]] output_shape [512, 1] : tensor<512xi64> into tensor<512x1xi64>
    %18 = tensor.empty() : tensor<512x8xi1>
    %19 = linalg.generic {indexing_maps = [#map4, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_4, %expanded_5 : tensor<1x8xi64>, tensor<512x1xi64>) outs(%18 : tensor<512x8xi1>) {
    ^bb0(%in: i64, %in_36: i64, %out: i1):
      %56 = arith.cmpi eq, %in, %in_36 : i64
      linalg.yield %56 : i1
    } -> tensor<512x8xi1>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map5, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %14, %cst_3 : tensor<512x8xi1>, tensor<512x8xf32>, tensor<f32>) outs(%1 : tensor<512x8xf32>) {
    ^bb0(%in: i1, %in_36: f32, %in_37: f32, %out: f32):
      %56 = arith.select %in, %in_36, %in_37 : f32
      linalg.yield %56 : f32
    } -> tensor<512x8xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%20 : tensor<512x8xf32>) outs(%12 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.addf %in, %out : f32
      linalg.yield %56 : f32
    } -> tensor<512x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map5, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %cst_2, %14 : tensor<512x8xi1>, tensor<f32>, tensor<512x8xf32>) outs(%1 : tensor<512x8xf32>) {
    ^bb0(%in: i1, %in_36: f32, %in_37: f32, %out: f32):
      %56 = arith.select %in, %in_36, %in_37 : f32
      linalg.yield %56 : f32
    } -> tensor<512x8xf32>
    %23:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%22 : tensor<512x8xf32>) outs(%7, %5 : tensor<512xf32>, tensor<512xi64>) {
    ^bb0(%in: f32, %out: f32, %out_36: i64):
      %56 = linalg.index 1 : index
      %57 = arith.index_cast %56 : index to i64
      %58 = arith.maximumf %in, %out : f32
      %59 = arith.cmpf ogt, %in, %out : f32
      %60 = arith.select %59, %57, %out_36 : i64
      linalg.yield %58, %60 : f32, i64
    } -> (tensor<512xf32>, tensor<512xi64>)
    %expanded_6 = tensor.expand_shape %23#1 [[0, 1]] output_shape [512, 1] : tensor<512xi64> into tensor<512x1xi64>
    %24 = linalg.generic {indexing_maps = [#map4, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_4, %expanded_6 : tensor<1x8xi64>, tensor<512x1xi64>) outs(%18 : tensor<512x8xi1>) {
    ^bb0(%in: i64, %in_36: i64, %out: i1):
      %56 = arith.cmpi eq, %in, %in_36 : i64
      linalg.yield %56 : i1
    } -> tensor<512x8xi1>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map5, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %22, %cst_3 : tensor<512x8xi1>, tensor<512x8xf32>, tensor<f32>) outs(%1 : tensor<512x8xf32>) {
    ^bb0(%in: i1, %in_36: f32, %in_37: f32, %out: f32):
      %56 = arith.select %in, %in_36, %in_37 : f32
      linalg.yield %56 : f32
    } -> tensor<512x8xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%25 : tensor<512x8xf32>) outs(%12 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.addf %in, %out : f32
      linalg.yield %56 : f32
    } -> tensor<512x1xf32>
    %concat = tensor.concat dim(1) %21, %26 : (tensor<512x1xf32>, tensor<512x1xf32>) -> tensor<512x2xf32>
    %concat_7 = tensor.concat dim(1) %expanded_5, %expanded_6 : (tensor<512x1xi64>, tensor<512x1xi64>) -> tensor<512x2xi64>
    %27 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%concat : tensor<512x2xf32>) outs(%12 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.addf %in, %out : f32
      linalg.yield %56 : f32
    } -> tensor<512x1xf32>
    %28 = tensor.empty() : tensor<512x2xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%concat, %27 : tensor<512x2xf32>, tensor<512x1xf32>) outs(%28 : tensor<512x2xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %56 = arith.divf %in, %in_36 : f32
      linalg.yield %56 : f32
    } -> tensor<512x2xf32>
    %expanded_8 = tensor.expand_shape %concat_7 [[0], [1, 2]] output_shape [512, 2, 1] : tensor<512x2xi64> into tensor<512x2x1xi64>
    %30 = tensor.empty() : tensor<512x2x8xi1>
    %31 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_8, %16 : tensor<512x2x1xi64>, tensor<8xi64>) outs(%30 : tensor<512x2x8xi1>) {
    ^bb0(%in: i64, %in_36: i64, %out: i1):
      %56 = arith.cmpi eq, %in, %in_36 : i64
      linalg.yield %56 : i1
    } -> tensor<512x2x8xi1>
    %32 = tensor.empty() : tensor<512x2x8xi64>
    %33 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<512x2x8xi1>) outs(%32 : tensor<512x2x8xi64>) {
    ^bb0(%in: i1, %out: i64):
      %56 = arith.extui %in : i1 to i64
      linalg.yield %56 : i64
    } -> tensor<512x2x8xi64>
    %34 = tensor.empty() : tensor<512x2x8xf32>
    %35 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<512x2x8xi64>) outs(%34 : tensor<512x2x8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %56 = arith.sitofp %in : i64 to f32
      linalg.yield %56 : f32
    } -> tensor<512x2x8xf32>
    %expanded_9 = tensor.expand_shape %29 [[0], [1, 2]] output_shape [512, 2, 1] : tensor<512x2xf32> into tensor<512x2x1xf32>
    %36 = linalg.generic {indexing_maps = [#map8, #map6, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35, %expanded_9 : tensor<512x2x8xf32>, tensor<512x2x1xf32>) outs(%34 : tensor<512x2x8xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %56 = arith.mulf %in, %in_36 : f32
      linalg.yield %56 : f32
    } -> tensor<512x2x8xf32>
    %37 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "reduction", "parallel"]} ins(%36 : tensor<512x2x8xf32>) outs(%2 : tensor<512x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.addf %in, %out : f32
      linalg.yield %56 : f32
    } -> tensor<512x8xf32>
    %expanded_10 = tensor.expand_shape %arg2 [[0], [1], [2, 3]] output_shape [8, 1024, 128, 1] : tensor<8x1024x128xf32> into tensor<8x1024x128x1xf32>
    %expanded_11 = tensor.expand_shape %collapsed [[0, 1], [2]] output_shape [1, 512, 128] : tensor<512x128xf32> into tensor<1x512x128xf32>
    %38 = tensor.empty() : tensor<128x8x1024x1xf32>
    %transposed_12 = linalg.transpose ins(%expanded_10 : tensor<8x1024x128x1xf32>) outs(%38 : tensor<128x8x1024x1xf32>) permutation = [2, 0, 1, 3]
    %collapsed_13 = tensor.collapse_shape %transposed_12 [[0], [1, 2, 3]] : tensor<128x8x1024x1xf32> into tensor<128x8192xf32>
    %expanded_14 = tensor.expand_shape %collapsed_13 [[0, 1], [2]] output_shape [1, 128, 8192] : tensor<128x8192xf32> into tensor<1x128x8192xf32>
    %39 = tensor.empty() : tensor<1x512x8192xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<1x512x8192xf32>) -> tensor<1x512x8192xf32>
    %41 = linalg.batch_matmul ins(%expanded_11, %expanded_14 : tensor<1x512x128xf32>, tensor<1x128x8192xf32>) outs(%40 : tensor<1x512x8192xf32>) -> tensor<1x512x8192xf32>
    %collapsed_15 = tensor.collapse_shape %41 [[0, 1], [2]] : tensor<1x512x8192xf32> into tensor<512x8192xf32>
    %expanded_16 = tensor.expand_shape %collapsed_15 [[0], [1, 2, 3]] output_shape [512, 1, 8, 1024] : tensor<512x8192xf32> into tensor<512x1x8x1024xf32>
    %42 = tensor.empty() : tensor<512x8x1024x1xf32>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<512x1x8x1024xf32>) outs(%42 : tensor<512x8x1024x1xf32>) permutation = [0, 2, 3, 1]
    %collapsed_18 = tensor.collapse_shape %transposed_17 [[0], [1], [2, 3]] : tensor<512x8x1024x1xf32> into tensor<512x8x1024xf32>
    %extracted_slice = tensor.extract_slice %collapsed_18[0, 0, 0] [512, 8, 512] [1, 1, 1] : tensor<512x8x1024xf32> to tensor<512x8x512xf32>
    %extracted_slice_19 = tensor.extract_slice %collapsed_18[0, 0, 512] [512, 8, 512] [1, 1, 1] : tensor<512x8x1024xf32> to tensor<512x8x512xf32>
    %43 = tensor.empty() : tensor<512x8x512xf32>
    %44 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<512x8x512xf32>) outs(%43 : tensor<512x8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = arith.negf %in : f32
      %57 = math.exp %56 : f32
      %58 = arith.addf %57, %cst_1 : f32
      %59 = arith.divf %cst_1, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<512x8x512xf32>
    %45 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice, %44 : tensor<512x8x512xf32>, tensor<512x8x512xf32>) outs(%43 : tensor<512x8x512xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %56 = arith.mulf %in, %in_36 : f32
      linalg.yield %56 : f32
    } -> tensor<512x8x512xf32>
    %46 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %extracted_slice_19 : tensor<512x8x512xf32>, tensor<512x8x512xf32>) outs(%43 : tensor<512x8x512xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %56 = arith.mulf %in, %in_36 : f32
      linalg.yield %56 : f32
    } -> tensor<512x8x512xf32>
    %expanded_20 = tensor.expand_shape %37 [[0], [1, 2, 3]] output_shape [512, 8, 1, 1] : tensor<512x8xf32> into tensor<512x8x1x1xf32>
    %47 = tensor.empty() : tensor<512x1x8x1xf32>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<512x8x1x1xf32>) outs(%47 : tensor<512x1x8x1xf32>) permutation = [0, 2, 1, 3]
    %expanded_22 = tensor.expand_shape %46 [[0], [1], [2, 3]] output_shape [512, 8, 512, 1] : tensor<512x8x512xf32> into tensor<512x8x512x1xf32>
    %48 = tensor.empty() : tensor<512x1x8x512xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<512x8x512x1xf32>) outs(%48 : tensor<512x1x8x512xf32>) permutation = [0, 3, 1, 2]
    %expanded_24 = tensor.expand_shape %arg3 [[0], [1], [2, 3]] output_shape [8, 128, 512, 1] : tensor<8x128x512xf32> into tensor<8x128x512x1xf32>
    %49 = linalg.generic {indexing_maps = [#map10, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_21, %transposed_23 : tensor<512x1x8x1xf32>, tensor<512x1x8x512xf32>) outs(%48 : tensor<512x1x8x512xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %56 = arith.mulf %in, %in_36 : f32
      linalg.yield %56 : f32
    } -> tensor<512x1x8x512xf32>
    %50 = tensor.empty() : tensor<512x8x512x1xf32>
    %transposed_25 = linalg.transpose ins(%49 : tensor<512x1x8x512xf32>) outs(%50 : tensor<512x8x512x1xf32>) permutation = [0, 2, 3, 1]
    %collapsed_26 = tensor.collapse_shape %transposed_25 [[0], [1, 2, 3]] : tensor<512x8x512x1xf32> into tensor<512x4096xf32>
    %expanded_27 = tensor.expand_shape %collapsed_26 [[0, 1], [2]] output_shape [1, 512, 4096] : tensor<512x4096xf32> into tensor<1x512x4096xf32>
    %51 = tensor.empty() : tensor<8x512x128x1xf32>
    %transposed_28 = linalg.transpose ins(%expanded_24 : tensor<8x128x512x1xf32>) outs(%51 : tensor<8x512x128x1xf32>) permutation = [0, 2, 1, 3]
    %collapsed_29 = tensor.collapse_shape %transposed_28 [[0, 1], [2, 3]] : tensor<8x512x128x1xf32> into tensor<4096x128xf32>
    %expanded_30 = tensor.expand_shape %collapsed_29 [[0, 1], [2]] output_shape [1, 4096, 128] : tensor<4096x128xf32> into tensor<1x4096x128xf32>
    %52 = tensor.empty() : tensor<1x512x128xf32>
    %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<1x512x128xf32>) -> tensor<1x512x128xf32>
    %54 = linalg.batch_matmul ins(%expanded_27, %expanded_30 : tensor<1x512x4096xf32>, tensor<1x4096x128xf32>) outs(%53 : tensor<1x512x128xf32>) -> tensor<1x512x128xf32>
    %collapsed_31 = tensor.collapse_shape %54 [[0, 1], [2]] : tensor<1x512x128xf32> into tensor<512x128xf32>
    %expanded_32 = tensor.expand_shape %collapsed_31 [[0], [1, 2, 3]] output_shape [512, 1, 1, 128] : tensor<512x128xf32> into tensor<512x1x1x128xf32>
    %55 = tensor.empty() : tensor<512x128x1x1xf32>
    %transposed_33 = linalg.transpose ins(%expanded_32 : tensor<512x1x1x128xf32>) outs(%55 : tensor<512x128x1x1xf32>) permutation = [0, 3, 1, 2]
    %collapsed_34 = tensor.collapse_shape %transposed_33 [[0], [1, 2, 3]] : tensor<512x128x1x1xf32> into tensor<512x128xf32>
    %expanded_35 = tensor.expand_shape %collapsed_34 [[0, 1], [2]] output_shape [4, 128, 128] : tensor<512x128xf32> into tensor<4x128x128xf32>
    return %expanded_35 : tensor<4x128x128xf32>
  }
}

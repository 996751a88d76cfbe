// A layer's attention of Llama in bf16, cut out of what examples/torch/hugging_face.py exports (torch 2.15, torch-mlir 20261001, transformers 5.24):
// queries, keys and values behind the rotary embedding, and the tokenizer's mask.
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
func.func @main(%58: tensor<2x4x64x32xbf16>, %63: tensor<2x2x64x32xbf16>, %transposed_19: tensor<2x2x64x32xbf16>, %arg1: tensor<2x64xi64>) -> tensor<2x64x4x32xbf16> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c64_i64 = arith.constant 64 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<-3.389530e+38> : tensor<bf16>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<bf16>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant 0.17677669529663689 : f64
    %0 = tensor.empty() : tensor<64xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<64xi64>) {
    ^bb0(%out: i64):
      %198 = linalg.index 0 : index
      %199 = arith.index_cast %198 : index to i64
      linalg.yield %199 : i64
    } -> tensor<64xi64>
    %2 = tensor.empty() : tensor<2x64xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<2x64xi64>) outs(%2 : tensor<2x64xi1>) {
    ^bb0(%in: i64, %out: i1):
      %198 = arith.cmpi ne, %in, %c0_i64 : i64
      linalg.yield %198 : i1
    } -> tensor<2x64xi1>
    %4 = tensor.empty() : tensor<2xi64>
    %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%4 : tensor<2xi64>) {
    ^bb0(%out: i64):
      %198 = linalg.index 0 : index
      %199 = arith.index_cast %198 : index to i64
      linalg.yield %199 : i64
    } -> tensor<2xi64>
    %expanded = tensor.expand_shape %5 [[0, 1, 2, 3]] output_shape [2, 1, 1, 1] : tensor<2xi64> into tensor<2x1x1x1xi64>
    %expanded_9 = tensor.expand_shape %1 [[0, 1, 2, 3]] output_shape [1, 1, 64, 1] : tensor<64xi64> into tensor<1x1x64x1xi64>
    %expanded_10 = tensor.expand_shape %1 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xi64> into tensor<1x1x1x64xi64>
    %6 = tensor.empty() : tensor<1x1x64x64xi1>
    %7 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %expanded_9 : tensor<1x1x1x64xi64>, tensor<1x1x64x1xi64>) outs(%6 : tensor<1x1x64x64xi1>) {
    ^bb0(%in: i64, %in_86: i64, %out: i1):
      %198 = arith.cmpi sle, %in, %in_86 : i64
      linalg.yield %198 : i1
    } -> tensor<1x1x64x64xi1>
    %8 = linalg.generic {indexing_maps = [#map5, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %7 : tensor<i1>, tensor<1x1x64x64xi1>) outs(%6 : tensor<1x1x64x64xi1>) {
    ^bb0(%in: i1, %in_86: i1, %out: i1):
      %198 = arith.andi %in, %in_86 : i1
      linalg.yield %198 : i1
    } -> tensor<1x1x64x64xi1>
    %9 = tensor.empty() : tensor<2x1x1x64xi1>
    %10 = linalg.generic {indexing_maps = [#map6, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_10 : tensor<2x1x1x1xi64>, tensor<1x1x1x64xi64>) outs(%9 : tensor<2x1x1x64xi1>) {
    ^bb0(%in: i64, %in_86: i64, %out: i1):
      %198 = arith.cmpi slt, %in, %c0_i64 : i64
      %199 = arith.addi %in, %c2_i64 : i64
      %200 = arith.select %198, %199, %in : i64
      %201 = arith.index_cast %200 : i64 to index
      %202 = arith.cmpi slt, %in_86, %c0_i64 : i64
      %203 = arith.addi %in_86, %c64_i64 : i64
      %204 = arith.select %202, %203, %in_86 : i64
      %205 = arith.index_cast %204 : i64 to index
      %extracted = tensor.extract %3[%201, %205] : tensor<2x64xi1>
      linalg.yield %extracted : i1
    } -> tensor<2x1x1x64xi1>
    %11 = tensor.empty() : tensor<2x1x64x64xi1>
    %12 = linalg.generic {indexing_maps = [#map8, #map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<1x1x64x64xi1>, tensor<2x1x1x64xi1>) outs(%11 : tensor<2x1x64x64xi1>) {
    ^bb0(%in: i1, %in_86: i1, %out: i1):
      %198 = arith.andi %in, %in_86 : i1
      linalg.yield %198 : i1
    } -> tensor<2x1x64x64xi1>
    %13 = tensor.empty() : tensor<2x1x64x64xbf16>
    %14 = linalg.generic {indexing_maps = [#map4, #map5, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %cst_3, %cst_2 : tensor<2x1x64x64xi1>, tensor<bf16>, tensor<bf16>) outs(%13 : tensor<2x1x64x64xbf16>) {
    ^bb0(%in: i1, %in_86: bf16, %in_87: bf16, %out: bf16):
      %198 = arith.select %in, %in_86, %in_87 : bf16
      linalg.yield %198 : bf16
    } -> tensor<2x1x64x64xbf16>
    %64 = tensor.empty() : tensor<2x2x2x64x32xbf16>
    %65 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<2x2x64x32xbf16>) outs(%64 : tensor<2x2x2x64x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x64x32xbf16>
    %collapsed_27 = tensor.collapse_shape %65 [[0], [1, 2], [3], [4]] : tensor<2x2x2x64x32xbf16> into tensor<2x4x64x32xbf16>
    %66 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_19 : tensor<2x2x64x32xbf16>) outs(%64 : tensor<2x2x2x64x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x64x32xbf16>
    %67 = tensor.empty() : tensor<2x4x32x64xbf16>
    %transposed_28 = linalg.transpose ins(%collapsed_27 : tensor<2x4x64x32xbf16>) outs(%67 : tensor<2x4x32x64xbf16>) permutation = [0, 1, 3, 2]
    %collapsed_29 = tensor.collapse_shape %58 [[0, 1], [2], [3]] : tensor<2x4x64x32xbf16> into tensor<8x64x32xbf16>
    %collapsed_30 = tensor.collapse_shape %transposed_28 [[0, 1], [2], [3]] : tensor<2x4x32x64xbf16> into tensor<8x32x64xbf16>
    %68 = tensor.empty() : tensor<8x64x64xf32>
    %69 = linalg.fill ins(%cst : f32) outs(%68 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
    %70 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<8x64x32xbf16>, tensor<8x32x64xbf16>) outs(%69 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
    %71 = tensor.empty() : tensor<8x64x64xbf16>
    %72 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<8x64x64xf32>) outs(%71 : tensor<8x64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %198 = arith.truncf %in : f32 to bf16
      linalg.yield %198 : bf16
    } -> tensor<8x64x64xbf16>
    %expanded_31 = tensor.expand_shape %72 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xbf16> into tensor<2x4x64x64xbf16>
    %73 = tensor.empty() : tensor<2x4x64x64xbf16>
    %74 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<2x4x64x64xbf16>) outs(%73 : tensor<2x4x64x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %198 = arith.truncf %cst_5 : f64 to bf16
      %199 = arith.mulf %in, %198 : bf16
      linalg.yield %199 : bf16
    } -> tensor<2x4x64x64xbf16>
    %75 = linalg.generic {indexing_maps = [#map4, #map15, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74, %14 : tensor<2x4x64x64xbf16>, tensor<2x1x64x64xbf16>) outs(%73 : tensor<2x4x64x64xbf16>) {
    ^bb0(%in: bf16, %in_86: bf16, %out: bf16):
      %198 = arith.addf %in, %in_86 : bf16
      linalg.yield %198 : bf16
    } -> tensor<2x4x64x64xbf16>
    %76 = tensor.empty() : tensor<2x4x64x64xf32>
    %77 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<2x4x64x64xbf16>) outs(%76 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %198 = arith.extf %in : bf16 to f32
      linalg.yield %198 : f32
    } -> tensor<2x4x64x64xf32>
    %78 = tensor.empty() : tensor<2x4x64xi64>
    %79 = linalg.fill ins(%c0_i64 : i64) outs(%78 : tensor<2x4x64xi64>) -> tensor<2x4x64xi64>
    %80 = tensor.empty() : tensor<2x4x64xf32>
    %81 = linalg.fill ins(%cst_0 : f32) outs(%80 : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
    %82:2 = linalg.generic {indexing_maps = [#map4, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%77 : tensor<2x4x64x64xf32>) outs(%81, %79 : tensor<2x4x64xf32>, tensor<2x4x64xi64>) {
    ^bb0(%in: f32, %out: f32, %out_86: i64):
      %198 = linalg.index 3 : index
      %199 = arith.index_cast %198 : index to i64
      %200 = arith.maximumf %in, %out : f32
      %201 = arith.cmpf ogt, %in, %out : f32
      %202 = arith.select %201, %199, %out_86 : i64
      linalg.yield %200, %202 : f32, i64
    } -> (tensor<2x4x64xf32>, tensor<2x4x64xi64>)
    %expanded_32 = tensor.expand_shape %82#0 [[0], [1], [2, 3]] output_shape [2, 4, 64, 1] : tensor<2x4x64xf32> into tensor<2x4x64x1xf32>
    %83 = linalg.generic {indexing_maps = [#map4, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %expanded_32 : tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>) outs(%76 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %198 = arith.subf %in, %in_86 : f32
      linalg.yield %198 : f32
    } -> tensor<2x4x64x64xf32>
    %84 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<2x4x64x64xf32>) outs(%76 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %198 = math.exp %in : f32
      linalg.yield %198 : f32
    } -> tensor<2x4x64x64xf32>
    %85 = tensor.empty() : tensor<2x4x64x1xf32>
    %86 = linalg.fill ins(%cst : f32) outs(%85 : tensor<2x4x64x1xf32>) -> tensor<2x4x64x1xf32>
    %87 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%84 : tensor<2x4x64x64xf32>) outs(%86 : tensor<2x4x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %198 = arith.addf %in, %out : f32
      linalg.yield %198 : f32
    } -> tensor<2x4x64x1xf32>
    %88 = linalg.generic {indexing_maps = [#map4, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %87 : tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>) outs(%76 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %in_86: f32, %out: f32):
      %198 = arith.divf %in, %in_86 : f32
      linalg.yield %198 : f32
    } -> tensor<2x4x64x64xf32>
    %89 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<2x4x64x64xf32>) outs(%73 : tensor<2x4x64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %198 = arith.truncf %in : f32 to bf16
      linalg.yield %198 : bf16
    } -> tensor<2x4x64x64xbf16>
    %collapsed_33 = tensor.collapse_shape %89 [[0, 1], [2], [3]] : tensor<2x4x64x64xbf16> into tensor<8x64x64xbf16>
    %collapsed_34 = tensor.collapse_shape %66 [[0, 1, 2], [3], [4]] : tensor<2x2x2x64x32xbf16> into tensor<8x64x32xbf16>
    %90 = tensor.empty() : tensor<8x64x32xf32>
    %91 = linalg.fill ins(%cst : f32) outs(%90 : tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
    %92 = linalg.batch_matmul ins(%collapsed_33, %collapsed_34 : tensor<8x64x64xbf16>, tensor<8x64x32xbf16>) outs(%91 : tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
    %93 = tensor.empty() : tensor<8x64x32xbf16>
    %94 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<8x64x32xf32>) outs(%93 : tensor<8x64x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %198 = arith.truncf %in : f32 to bf16
      linalg.yield %198 : bf16
    } -> tensor<8x64x32xbf16>
    %expanded_35 = tensor.expand_shape %94 [[0, 1], [2], [3]] output_shape [2, 4, 64, 32] : tensor<8x64x32xbf16> into tensor<2x4x64x32xbf16>
    %95 = tensor.empty() : tensor<2x64x4x32xbf16>
    %transposed_36 = linalg.transpose ins(%expanded_35 : tensor<2x4x64x32xbf16>) outs(%95 : tensor<2x64x4x32xbf16>) permutation = [0, 2, 1, 3]
    return %transposed_36 : tensor<2x64x4x32xbf16>
}

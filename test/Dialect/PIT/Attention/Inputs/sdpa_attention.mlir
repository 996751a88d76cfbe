// torch's scaled_dot_product_attention with is_causal and enable_gqa in bf16, as torch-mlir 20261001 exports it.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x8x64x32xbf16>, %arg1: tensor<2x2x64x32xbf16>, %arg2: tensor<2x2x64x32xbf16>) -> tensor<2x8x64x32xbf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2x8x64x64xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<64x64xi1>
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %cst_6 = arith.constant 0.42044820762685725 : f64
    %0 = tensor.empty() : tensor<2x8x64x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8x64x32xbf16>) outs(%0 : tensor<2x8x64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %47 = arith.extf %in : bf16 to f32
      linalg.yield %47 : f32
    } -> tensor<2x8x64x32xf32>
    %2 = tensor.empty() : tensor<2x2x64x32xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x2x64x32xbf16>) outs(%2 : tensor<2x2x64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %47 = arith.extf %in : bf16 to f32
      linalg.yield %47 : f32
    } -> tensor<2x2x64x32xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x2x64x32xbf16>) outs(%2 : tensor<2x2x64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %47 = arith.extf %in : bf16 to f32
      linalg.yield %47 : f32
    } -> tensor<2x2x64x32xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x8x64x32xf32>) outs(%0 : tensor<2x8x64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.truncf %cst_6 : f64 to f32
      %48 = arith.mulf %in, %47 : f32
      linalg.yield %48 : f32
    } -> tensor<2x8x64x32xf32>
    %6 = tensor.empty() : tensor<64xi64>
    %7 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%6 : tensor<64xi64>) {
    ^bb0(%out: i64):
      %47 = linalg.index 0 : index
      %48 = arith.index_cast %47 : index to i64
      linalg.yield %48 : i64
    } -> tensor<64xi64>
    %expanded = tensor.expand_shape %7 [[0, 1]] output_shape [1, 64] : tensor<64xi64> into tensor<1x64xi64>
    %expanded_7 = tensor.expand_shape %7 [[0, 1]] output_shape [64, 1] : tensor<64xi64> into tensor<64x1xi64>
    %8 = tensor.empty() : tensor<64x64xi64>
    %9 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_7 : tensor<1x64xi64>, tensor<64x1xi64>) outs(%8 : tensor<64x64xi64>) {
    ^bb0(%in: i64, %in_15: i64, %out: i64):
      %47 = arith.subi %in, %in_15 : i64
      linalg.yield %47 : i64
    } -> tensor<64x64xi64>
    %10 = tensor.empty() : tensor<64x64xi1>
    %11 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<64x64xi64>) outs(%10 : tensor<64x64xi1>) {
    ^bb0(%in: i64, %out: i1):
      %47 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %47 : i1
    } -> tensor<64x64xi1>
    %12 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%11, %cst_4 : tensor<64x64xi1>, tensor<64x64xi1>) outs(%10 : tensor<64x64xi1>) {
    ^bb0(%in: i1, %in_15: i1, %out: i1):
      %47 = arith.andi %in, %in_15 : i1
      linalg.yield %47 : i1
    } -> tensor<64x64xi1>
    %13 = tensor.empty() : tensor<64x64xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map5, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%12, %cst_2, %cst_3 : tensor<64x64xi1>, tensor<f32>, tensor<f32>) outs(%13 : tensor<64x64xf32>) {
    ^bb0(%in: i1, %in_15: f32, %in_16: f32, %out: f32):
      %47 = arith.select %in, %in_15, %in_16 : f32
      linalg.yield %47 : f32
    } -> tensor<64x64xf32>
    %15 = tensor.empty() : tensor<2x2x4x64x32xf32>
    %16 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<2x2x64x32xf32>) outs(%15 : tensor<2x2x4x64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x4x64x32xf32>
    %collapsed = tensor.collapse_shape %16 [[0], [1, 2], [3], [4]] : tensor<2x2x4x64x32xf32> into tensor<2x8x64x32xf32>
    %17 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x2x64x32xf32>) outs(%15 : tensor<2x2x4x64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x4x64x32xf32>
    %18 = tensor.empty() : tensor<2x8x32x64xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<2x8x64x32xf32>) outs(%18 : tensor<2x8x32x64xf32>) permutation = [0, 1, 3, 2]
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<2x8x32x64xf32>) outs(%18 : tensor<2x8x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.truncf %cst_6 : f64 to f32
      %48 = arith.mulf %in, %47 : f32
      linalg.yield %48 : f32
    } -> tensor<2x8x32x64xf32>
    %collapsed_8 = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<2x8x64x32xf32> into tensor<16x64x32xf32>
    %collapsed_9 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<2x8x32x64xf32> into tensor<16x32x64xf32>
    %20 = tensor.empty() : tensor<16x64x64xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
    %22 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<16x64x32xf32>, tensor<16x32x64xf32>) outs(%21 : tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
    %expanded_10 = tensor.expand_shape %22 [[0, 1], [2], [3]] output_shape [2, 8, 64, 64] : tensor<16x64x64xf32> into tensor<2x8x64x64xf32>
    %23 = tensor.empty() : tensor<2x8x64x64xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %14 : tensor<2x8x64x64xf32>, tensor<64x64xf32>) outs(%23 : tensor<2x8x64x64xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %47 = arith.addf %in, %in_15 : f32
      linalg.yield %47 : f32
    } -> tensor<2x8x64x64xf32>
    %25 = tensor.empty() : tensor<2x8x64xi64>
    %26 = linalg.fill ins(%c0_i64 : i64) outs(%25 : tensor<2x8x64xi64>) -> tensor<2x8x64xi64>
    %27 = tensor.empty() : tensor<2x8x64xf32>
    %28 = linalg.fill ins(%cst_0 : f32) outs(%27 : tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %29:2 = linalg.generic {indexing_maps = [#map, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<2x8x64x64xf32>) outs(%28, %26 : tensor<2x8x64xf32>, tensor<2x8x64xi64>) {
    ^bb0(%in: f32, %out: f32, %out_15: i64):
      %47 = linalg.index 3 : index
      %48 = arith.index_cast %47 : index to i64
      %49 = arith.maximumf %in, %out : f32
      %50 = arith.cmpf ogt, %in, %out : f32
      %51 = arith.select %50, %48, %out_15 : i64
      linalg.yield %49, %51 : f32, i64
    } -> (tensor<2x8x64xf32>, tensor<2x8x64xi64>)
    %expanded_11 = tensor.expand_shape %29#0 [[0], [1], [2, 3]] output_shape [2, 8, 64, 1] : tensor<2x8x64xf32> into tensor<2x8x64x1xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %expanded_11 : tensor<2x8x64x64xf32>, tensor<2x8x64x1xf32>) outs(%23 : tensor<2x8x64x64xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %47 = arith.subf %in, %in_15 : f32
      linalg.yield %47 : f32
    } -> tensor<2x8x64x64xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<2x8x64x64xf32>) outs(%23 : tensor<2x8x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = math.exp %in : f32
      linalg.yield %47 : f32
    } -> tensor<2x8x64x64xf32>
    %32 = tensor.empty() : tensor<2x8x64x1xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<2x8x64x1xf32>) -> tensor<2x8x64x1xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<2x8x64x64xf32>) outs(%33 : tensor<2x8x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.addf %in, %out : f32
      linalg.yield %47 : f32
    } -> tensor<2x8x64x1xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %34 : tensor<2x8x64x64xf32>, tensor<2x8x64x1xf32>) outs(%23 : tensor<2x8x64x64xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %47 = arith.divf %in, %in_15 : f32
      linalg.yield %47 : f32
    } -> tensor<2x8x64x64xf32>
    %36 = tensor.empty() : tensor<2x8x64x64xi1>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<2x8x64x64xf32>) outs(%36 : tensor<2x8x64x64xi1>) {
    ^bb0(%in: f32, %out: i1):
      %47 = arith.extf %in : f32 to f64
      %48 = arith.cmpf oeq, %47, %cst_5 : f64
      linalg.yield %48 : i1
    } -> tensor<2x8x64x64xi1>
    %38 = tensor.empty() : tensor<2x8x64x1xi1>
    %39 = linalg.fill ins(%true : i1) outs(%38 : tensor<2x8x64x1xi1>) -> tensor<2x8x64x1xi1>
    %40 = linalg.generic {indexing_maps = [#map, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<2x8x64x64xi1>) outs(%39 : tensor<2x8x64x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %47 = arith.andi %in, %out : i1
      linalg.yield %47 : i1
    } -> tensor<2x8x64x1xi1>
    %41 = linalg.generic {indexing_maps = [#map10, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %cst_1, %35 : tensor<2x8x64x1xi1>, tensor<2x8x64x64xf32>, tensor<2x8x64x64xf32>) outs(%23 : tensor<2x8x64x64xf32>) {
    ^bb0(%in: i1, %in_15: f32, %in_16: f32, %out: f32):
      %47 = arith.select %in, %in_15, %in_16 : f32
      linalg.yield %47 : f32
    } -> tensor<2x8x64x64xf32>
    %collapsed_12 = tensor.collapse_shape %41 [[0, 1], [2], [3]] : tensor<2x8x64x64xf32> into tensor<16x64x64xf32>
    %collapsed_13 = tensor.collapse_shape %17 [[0, 1, 2], [3], [4]] : tensor<2x2x4x64x32xf32> into tensor<16x64x32xf32>
    %42 = tensor.empty() : tensor<16x64x32xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<16x64x32xf32>) -> tensor<16x64x32xf32>
    %44 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<16x64x64xf32>, tensor<16x64x32xf32>) outs(%43 : tensor<16x64x32xf32>) -> tensor<16x64x32xf32>
    %expanded_14 = tensor.expand_shape %44 [[0, 1], [2], [3]] output_shape [2, 8, 64, 32] : tensor<16x64x32xf32> into tensor<2x8x64x32xf32>
    %45 = tensor.empty() : tensor<2x8x64x32xbf16>
    %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<2x8x64x32xf32>) outs(%45 : tensor<2x8x64x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %47 = arith.truncf %in : f32 to bf16
      linalg.yield %47 : bf16
    } -> tensor<2x8x64x32xbf16>
    return %46 : tensor<2x8x64x32xbf16>
  }
}

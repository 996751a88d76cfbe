// The same of attention with a soft cap, whose softmax is written out and keeps its weights for the backward.
#loc = loc(unknown)
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> ()>
module {
  func.func @main(%arg0: tensor<2x4x64x64xbf16> loc(unknown), %arg1: tensor<2x4x64x64xbf16> loc(unknown), %arg2: tensor<2x4x64x64xbf16> loc(unknown), %arg3: tensor<2x4x64x64xbf16> loc(unknown)) -> (tensor<2x4x64x64xbf16>, tensor<2x4x64x64xbf16>, tensor<2x4x64x64xbf16>, tensor<2x4x64x64xbf16>) {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %cst_0 = arith.constant 0xFF800000 : f32 loc(#loc)
    %cst_1 = arith.constant 1.250000e-01 : f32 loc(#loc)
    %cst_2 = arith.constant 3.000000e+01 : f32 loc(#loc)
    %cst_3 = arith.constant dense<1> : tensor<i64> loc(#loc)
    %0 = tensor.empty() : tensor<2x4x64x64xbf16> loc(#loc)
    %transposed = linalg.transpose ins(%arg1 : tensor<2x4x64x64xbf16>) outs(%0 : tensor<2x4x64x64xbf16>) permutation = [0, 1, 3, 2]  loc(#loc)
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x4x64x64xbf16> into tensor<8x64x64xbf16> loc(#loc)
    %collapsed_4 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x4x64x64xbf16> into tensor<8x64x64xbf16> loc(#loc)
    %1 = tensor.empty() : tensor<8x64x64xf32> loc(#loc)
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<8x64x64xbf16>, tensor<8x64x64xbf16>) outs(%2 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %4 = tensor.empty() : tensor<8x64x64xbf16> loc(#loc)
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<8x64x64xf32>) outs(%4 : tensor<8x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %46 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %46 : bf16 loc(#loc)
    } -> tensor<8x64x64xbf16> loc(#loc)
    %expanded = tensor.expand_shape %5 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xbf16> into tensor<2x4x64x64xbf16> loc(#loc)
    %6 = tensor.empty() : tensor<2x4x64x64xf32> loc(#loc)
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x4x64x64xbf16>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.mulf %in, %cst_1 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.divf %in, %cst_2 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = math.tanh %in : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.mulf %in, %cst_2 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %12 = tensor.empty() : tensor<2x4x64xi64> loc(#loc)
    %13 = linalg.fill ins(%c0_i64 : i64) outs(%12 : tensor<2x4x64xi64>) -> tensor<2x4x64xi64> loc(#loc)
    %14 = tensor.empty() : tensor<2x4x64xf32> loc(#loc)
    %15 = linalg.fill ins(%cst_0 : f32) outs(%14 : tensor<2x4x64xf32>) -> tensor<2x4x64xf32> loc(#loc)
    %16:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%11 : tensor<2x4x64x64xf32>) outs(%15, %13 : tensor<2x4x64xf32>, tensor<2x4x64xi64>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown), %out_20: i64 loc(unknown)):
      %46 = linalg.index 3 : index loc(#loc)
      %47 = arith.index_cast %46 : index to i64 loc(#loc)
      %48 = arith.maximumf %in, %out : f32 loc(#loc)
      %49 = arith.cmpf ogt, %in, %out : f32 loc(#loc)
      %50 = arith.select %49, %47, %out_20 : i64 loc(#loc)
      linalg.yield %48, %50 : f32, i64 loc(#loc)
    } -> (tensor<2x4x64xf32>, tensor<2x4x64xi64>) loc(#loc)
    %expanded_5 = tensor.expand_shape %16#0 [[0], [1], [2, 3]] output_shape [2, 4, 64, 1] : tensor<2x4x64xf32> into tensor<2x4x64x1xf32> loc(#loc)
    %17 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %expanded_5 : tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_20: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.subf %in, %in_20 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = math.exp %in : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %19 = tensor.empty() : tensor<2x4x64x1xf32> loc(#loc)
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<2x4x64x1xf32>) -> tensor<2x4x64x1xf32> loc(#loc)
    %21 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<2x4x64x64xf32>) outs(%20 : tensor<2x4x64x1xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.addf %in, %out : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x1xf32> loc(#loc)
    %22 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_20: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.divf %in, %in_20 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x4x64x64xf32>) outs(%0 : tensor<2x4x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %46 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %46 : bf16 loc(#loc)
    } -> tensor<2x4x64x64xbf16> loc(#loc)
    %collapsed_6 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<2x4x64x64xbf16> into tensor<8x64x64xbf16> loc(#loc)
    %collapsed_7 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x4x64x64xbf16> into tensor<8x64x64xbf16> loc(#loc)
    %24 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<8x64x64xbf16>, tensor<8x64x64xbf16>) outs(%2 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<8x64x64xf32>) outs(%4 : tensor<8x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %46 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %46 : bf16 loc(#loc)
    } -> tensor<8x64x64xbf16> loc(#loc)
    %expanded_8 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xbf16> into tensor<2x4x64x64xbf16> loc(#loc)
    %collapsed_9 = tensor.collapse_shape %arg3 [[0, 1], [2], [3]] : tensor<2x4x64x64xbf16> into tensor<8x64x64xbf16> loc(#loc)
    %transposed_10 = linalg.transpose ins(%collapsed_6 : tensor<8x64x64xbf16>) outs(%4 : tensor<8x64x64xbf16>) permutation = [0, 2, 1]  loc(#loc)
    %26 = linalg.batch_matmul ins(%transposed_10, %collapsed_9 : tensor<8x64x64xbf16>, tensor<8x64x64xbf16>) outs(%2 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<8x64x64xf32>) outs(%4 : tensor<8x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %46 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %46 : bf16 loc(#loc)
    } -> tensor<8x64x64xbf16> loc(#loc)
    %transposed_11 = linalg.transpose ins(%collapsed_7 : tensor<8x64x64xbf16>) outs(%4 : tensor<8x64x64xbf16>) permutation = [0, 2, 1]  loc(#loc)
    %28 = linalg.batch_matmul ins(%collapsed_9, %transposed_11 : tensor<8x64x64xbf16>, tensor<8x64x64xbf16>) outs(%2 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<8x64x64xf32>) outs(%4 : tensor<8x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %46 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %46 : bf16 loc(#loc)
    } -> tensor<8x64x64xbf16> loc(#loc)
    %expanded_12 = tensor.expand_shape %27 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xbf16> into tensor<2x4x64x64xbf16> loc(#loc)
    %expanded_13 = tensor.expand_shape %29 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xbf16> into tensor<2x4x64x64xbf16> loc(#loc)
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<2x4x64x64xbf16>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %31 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %22 : tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_20: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.mulf %in, %in_20 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %32 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<2x4x64x64xf32>) outs(%20 : tensor<2x4x64x1xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.addf %in, %out : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x1xf32> loc(#loc)
    %33 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %32 : tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_20: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.mulf %in, %in_20 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %34 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %33 : tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_20: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.subf %in, %in_20 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %35 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.mulf %in, %cst_2 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %36 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %10 : tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_20: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.mulf %in, %in_20 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %37 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3, %36 : tensor<i64>, tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: i64 loc(unknown), %in_20: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.sitofp %in : i64 to f32 loc(#loc)
      %47 = arith.subf %46, %in_20 : f32 loc(#loc)
      linalg.yield %47 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %38 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %37 : tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_20: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.mulf %in, %in_20 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %39 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.divf %in, %cst_2 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %46 = arith.mulf %in, %cst_1 : f32 loc(#loc)
      linalg.yield %46 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %41 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<2x4x64x64xf32>) outs(%0 : tensor<2x4x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %46 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %46 : bf16 loc(#loc)
    } -> tensor<2x4x64x64xbf16> loc(#loc)
    %collapsed_14 = tensor.collapse_shape %41 [[0, 1], [2], [3]] : tensor<2x4x64x64xbf16> into tensor<8x64x64xbf16> loc(#loc)
    %transposed_15 = linalg.transpose ins(%collapsed : tensor<8x64x64xbf16>) outs(%4 : tensor<8x64x64xbf16>) permutation = [0, 2, 1]  loc(#loc)
    %42 = linalg.batch_matmul ins(%transposed_15, %collapsed_14 : tensor<8x64x64xbf16>, tensor<8x64x64xbf16>) outs(%2 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<8x64x64xf32>) outs(%4 : tensor<8x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %46 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %46 : bf16 loc(#loc)
    } -> tensor<8x64x64xbf16> loc(#loc)
    %transposed_16 = linalg.transpose ins(%collapsed_4 : tensor<8x64x64xbf16>) outs(%4 : tensor<8x64x64xbf16>) permutation = [0, 2, 1]  loc(#loc)
    %44 = linalg.batch_matmul ins(%collapsed_14, %transposed_16 : tensor<8x64x64xbf16>, tensor<8x64x64xbf16>) outs(%2 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<8x64x64xf32>) outs(%4 : tensor<8x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %46 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %46 : bf16 loc(#loc)
    } -> tensor<8x64x64xbf16> loc(#loc)
    %expanded_17 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xbf16> into tensor<2x4x64x64xbf16> loc(#loc)
    %expanded_18 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xbf16> into tensor<2x4x64x64xbf16> loc(#loc)
    %transposed_19 = linalg.transpose ins(%expanded_17 : tensor<2x4x64x64xbf16>) outs(%0 : tensor<2x4x64x64xbf16>) permutation = [0, 1, 3, 2]  loc(#loc)
    return %expanded_8, %expanded_18, %transposed_19, %expanded_12 : tensor<2x4x64x64xbf16>, tensor<2x4x64x64xbf16>, tensor<2x4x64x64xbf16>, tensor<2x4x64x64xbf16> loc(#loc)
  } loc(#loc)
} loc(#loc)

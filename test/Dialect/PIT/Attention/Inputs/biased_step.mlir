// A step of training of scaled_dot_product_attention with a bias that asks for a gradient and heads that share keys, as export_step writes it.
#loc = loc(unknown)
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
module {
  func.func @main(%arg0: tensor<2x4x64x64xbf16> loc(unknown), %arg1: tensor<2x2x64x64xbf16> loc(unknown), %arg2: tensor<2x2x64x64xbf16> loc(unknown), %arg3: tensor<1x4x64x64xbf16> loc(unknown), %arg4: tensor<2x4x64x64xbf16> loc(unknown)) -> (tensor<2x4x64x64xbf16>, tensor<2x4x64x64xbf16>, tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>, tensor<1x4x64x64xbf16>) {
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %cst_0 = arith.constant 0xFF800000 : f32 loc(#loc)
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32> loc(#loc)
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<2x4x64x1xf32> loc(#loc)
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<2x4x64x1xf32> loc(#loc)
    %cst_4 = arith.constant 0xFFF0000000000000 : f64 loc(#loc)
    %cst_5 = arith.constant 1.250000e-01 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<2x2x2x64x64xbf16> loc(#loc)
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x2x64x64xbf16>) outs(%0 : tensor<2x2x2x64x64xbf16>) {
    ^bb0(%in: bf16 loc(unknown), %out: bf16 loc(unknown)):
      linalg.yield %in : bf16 loc(#loc)
    } -> tensor<2x2x2x64x64xbf16> loc(#loc)
    %collapsed = tensor.collapse_shape %1 [[0], [1, 2], [3], [4]] : tensor<2x2x2x64x64xbf16> into tensor<2x4x64x64xbf16> loc(#loc)
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x2x64x64xbf16>) outs(%0 : tensor<2x2x2x64x64xbf16>) {
    ^bb0(%in: bf16 loc(unknown), %out: bf16 loc(unknown)):
      linalg.yield %in : bf16 loc(#loc)
    } -> tensor<2x2x2x64x64xbf16> loc(#loc)
    %collapsed_6 = tensor.collapse_shape %2 [[0], [1, 2], [3], [4]] : tensor<2x2x2x64x64xbf16> into tensor<2x4x64x64xbf16> loc(#loc)
    %3 = tensor.empty() : tensor<2x4x64x64xf32> loc(#loc)
    %4 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x4x64x64xbf16>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %5 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed : tensor<2x4x64x64xbf16>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %transposed = linalg.transpose ins(%5 : tensor<2x4x64x64xf32>) outs(%3 : tensor<2x4x64x64xf32>) permutation = [0, 1, 3, 2]  loc(#loc)
    %collapsed_7 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<2x4x64x64xf32> into tensor<8x64x64xf32> loc(#loc)
    %collapsed_8 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x4x64x64xf32> into tensor<8x64x64xf32> loc(#loc)
    %6 = tensor.empty() : tensor<8x64x64xf32> loc(#loc)
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %8 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<8x64x64xf32>, tensor<8x64x64xf32>) outs(%7 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %expanded = tensor.expand_shape %8 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xf32> into tensor<2x4x64x64xf32> loc(#loc)
    %9 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x4x64x64xf32>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.mulf %in, %cst_5 : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %10 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %arg3 : tensor<2x4x64x64xf32>, tensor<1x4x64x64xbf16>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_30: bf16 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.extf %in_30 : bf16 to f32 loc(#loc)
      %67 = arith.addf %in, %66 : f32 loc(#loc)
      linalg.yield %67 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %11 = tensor.empty() : tensor<2x4x64xi64> loc(#loc)
    %12 = linalg.fill ins(%c0_i64 : i64) outs(%11 : tensor<2x4x64xi64>) -> tensor<2x4x64xi64> loc(#loc)
    %13 = tensor.empty() : tensor<2x4x64xf32> loc(#loc)
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<2x4x64xf32>) -> tensor<2x4x64xf32> loc(#loc)
    %15:2 = linalg.generic {indexing_maps = [#map2, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x4x64x64xf32>) outs(%14, %12 : tensor<2x4x64xf32>, tensor<2x4x64xi64>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown), %out_30: i64 loc(unknown)):
      %66 = linalg.index 3 : index loc(#loc)
      %67 = arith.index_cast %66 : index to i64 loc(#loc)
      %68 = arith.maximumf %in, %out : f32 loc(#loc)
      %69 = arith.cmpf ogt, %in, %out : f32 loc(#loc)
      %70 = arith.select %69, %67, %out_30 : i64 loc(#loc)
      linalg.yield %68, %70 : f32, i64 loc(#loc)
    } -> (tensor<2x4x64xf32>, tensor<2x4x64xi64>) loc(#loc)
    %expanded_9 = tensor.expand_shape %15#0 [[0], [1], [2, 3]] output_shape [2, 4, 64, 1] : tensor<2x4x64xf32> into tensor<2x4x64x1xf32> loc(#loc)
    %16 = tensor.empty() : tensor<2x4x64x1xi1> loc(#loc)
    %17 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<2x4x64x1xf32>) outs(%16 : tensor<2x4x64x1xi1>) {
    ^bb0(%in: f32 loc(unknown), %out: i1 loc(unknown)):
      %66 = arith.extf %in : f32 to f64 loc(#loc)
      %67 = arith.cmpf oeq, %66, %cst_4 : f64 loc(#loc)
      linalg.yield %67 : i1 loc(#loc)
    } -> tensor<2x4x64x1xi1> loc(#loc)
    %18 = tensor.empty() : tensor<2x4x64x1xf32> loc(#loc)
    %19 = linalg.generic {indexing_maps = [#map2, #map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %cst_3, %expanded_9 : tensor<2x4x64x1xi1>, tensor<2x4x64x1xf32>, tensor<2x4x64x1xf32>) outs(%18 : tensor<2x4x64x1xf32>) {
    ^bb0(%in: i1 loc(unknown), %in_30: f32 loc(unknown), %in_31: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.select %in, %in_30, %in_31 : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x1xf32> loc(#loc)
    %20 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %19 : tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_30: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.subf %in, %in_30 : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %21 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<2x4x64x64xf32>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = math.exp %in : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %22 = linalg.fill ins(%cst : f32) outs(%18 : tensor<2x4x64x1xf32>) -> tensor<2x4x64x1xf32> loc(#loc)
    %23 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<2x4x64x64xf32>) outs(%22 : tensor<2x4x64x1xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.addf %in, %out : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x1xf32> loc(#loc)
    %24 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x4x64x1xf32>) outs(%18 : tensor<2x4x64x1xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = math.log %in : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x1xf32> loc(#loc)
    %25 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %24 : tensor<2x4x64x1xf32>, tensor<2x4x64x1xf32>) outs(%18 : tensor<2x4x64x1xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_30: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.addf %in, %in_30 : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x1xf32> loc(#loc)
    %26 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x4x64x1xf32>) outs(%16 : tensor<2x4x64x1xi1>) {
    ^bb0(%in: f32 loc(unknown), %out: i1 loc(unknown)):
      %66 = arith.cmpf oeq, %in, %cst : f32 loc(#loc)
      linalg.yield %66 : i1 loc(#loc)
    } -> tensor<2x4x64x1xi1> loc(#loc)
    %27 = linalg.generic {indexing_maps = [#map2, #map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %cst_2, %23 : tensor<2x4x64x1xi1>, tensor<2x4x64x1xf32>, tensor<2x4x64x1xf32>) outs(%18 : tensor<2x4x64x1xf32>) {
    ^bb0(%in: i1 loc(unknown), %in_30: f32 loc(unknown), %in_31: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.select %in, %in_30, %in_31 : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x1xf32> loc(#loc)
    %28 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %27 : tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_30: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.divf %in, %in_30 : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %29 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_6 : tensor<2x4x64x64xbf16>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %collapsed_10 = tensor.collapse_shape %28 [[0, 1], [2], [3]] : tensor<2x4x64x64xf32> into tensor<8x64x64xf32> loc(#loc)
    %collapsed_11 = tensor.collapse_shape %29 [[0, 1], [2], [3]] : tensor<2x4x64x64xf32> into tensor<8x64x64xf32> loc(#loc)
    %30 = linalg.batch_matmul ins(%collapsed_10, %collapsed_11 : tensor<8x64x64xf32>, tensor<8x64x64xf32>) outs(%7 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %expanded_12 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xf32> into tensor<2x4x64x64xf32> loc(#loc)
    %31 = tensor.empty() : tensor<2x4x64x64xbf16> loc(#loc)
    %32 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<2x4x64x64xf32>) outs(%31 : tensor<2x4x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %66 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %66 : bf16 loc(#loc)
    } -> tensor<2x4x64x64xbf16> loc(#loc)
    %33 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %25 : tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_30: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.subf %in, %in_30 : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %34 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<2x4x64x64xf32>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = math.exp %in : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %35 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x4x64x1xf32>) outs(%16 : tensor<2x4x64x1xi1>) {
    ^bb0(%in: f32 loc(unknown), %out: i1 loc(unknown)):
      %66 = arith.extf %in : f32 to f64 loc(#loc)
      %67 = arith.cmpf oeq, %66, %cst_4 : f64 loc(#loc)
      linalg.yield %67 : i1 loc(#loc)
    } -> tensor<2x4x64x1xi1> loc(#loc)
    %36 = linalg.generic {indexing_maps = [#map5, #map6, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %cst_1, %34 : tensor<2x4x64x1xi1>, tensor<f32>, tensor<2x4x64x64xf32>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: i1 loc(unknown), %in_30: f32 loc(unknown), %in_31: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.select %in, %in_30, %in_31 : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %37 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<2x4x64x64xbf16>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %38 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x4x64x64xbf16>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %39 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %38 : tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_30: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.mulf %in, %in_30 : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %40 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<2x4x64x64xf32>) outs(%22 : tensor<2x4x64x1xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.addf %in, %out : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x1xf32> loc(#loc)
    %transposed_13 = linalg.transpose ins(%29 : tensor<2x4x64x64xf32>) outs(%3 : tensor<2x4x64x64xf32>) permutation = [0, 1, 3, 2]  loc(#loc)
    %collapsed_14 = tensor.collapse_shape %37 [[0, 1], [2], [3]] : tensor<2x4x64x64xf32> into tensor<8x64x64xf32> loc(#loc)
    %collapsed_15 = tensor.collapse_shape %transposed_13 [[0, 1], [2], [3]] : tensor<2x4x64x64xf32> into tensor<8x64x64xf32> loc(#loc)
    %41 = linalg.batch_matmul ins(%collapsed_14, %collapsed_15 : tensor<8x64x64xf32>, tensor<8x64x64xf32>) outs(%7 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %expanded_16 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xf32> into tensor<2x4x64x64xf32> loc(#loc)
    %42 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16, %40 : tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_30: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.subf %in, %in_30 : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %43 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %42 : tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_30: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.mulf %in, %in_30 : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %44 = tensor.empty() : tensor<1x4x64x64xf32> loc(#loc)
    %45 = linalg.fill ins(%cst : f32) outs(%44 : tensor<1x4x64x64xf32>) -> tensor<1x4x64x64xf32> loc(#loc)
    %46 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x4x64x64xf32>) outs(%45 : tensor<1x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.addf %in, %out : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<1x4x64x64xf32> loc(#loc)
    %47 = tensor.empty() : tensor<1x4x64x64xbf16> loc(#loc)
    %48 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x4x64x64xf32>) outs(%47 : tensor<1x4x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %66 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %66 : bf16 loc(#loc)
    } -> tensor<1x4x64x64xbf16> loc(#loc)
    %49 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x4x64x64xf32>) outs(%3 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.mulf %in, %cst_5 : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x4x64x64xf32> loc(#loc)
    %collapsed_17 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<2x4x64x64xf32> into tensor<8x64x64xf32> loc(#loc)
    %collapsed_18 = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<2x4x64x64xf32> into tensor<8x64x64xf32> loc(#loc)
    %50 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<8x64x64xf32>, tensor<8x64x64xf32>) outs(%7 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %expanded_19 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xf32> into tensor<2x4x64x64xf32> loc(#loc)
    %51 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<2x4x64x64xf32>) outs(%31 : tensor<2x4x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %66 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %66 : bf16 loc(#loc)
    } -> tensor<2x4x64x64xbf16> loc(#loc)
    %transposed_20 = linalg.transpose ins(%49 : tensor<2x4x64x64xf32>) outs(%3 : tensor<2x4x64x64xf32>) permutation = [0, 1, 3, 2]  loc(#loc)
    %collapsed_21 = tensor.collapse_shape %transposed_20 [[0, 1], [2], [3]] : tensor<2x4x64x64xf32> into tensor<8x64x64xf32> loc(#loc)
    %52 = linalg.batch_matmul ins(%collapsed_21, %collapsed_7 : tensor<8x64x64xf32>, tensor<8x64x64xf32>) outs(%7 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %expanded_22 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xf32> into tensor<2x4x64x64xf32> loc(#loc)
    %53 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<2x4x64x64xf32>) outs(%31 : tensor<2x4x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %66 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %66 : bf16 loc(#loc)
    } -> tensor<2x4x64x64xbf16> loc(#loc)
    %transposed_23 = linalg.transpose ins(%36 : tensor<2x4x64x64xf32>) outs(%3 : tensor<2x4x64x64xf32>) permutation = [0, 1, 3, 2]  loc(#loc)
    %collapsed_24 = tensor.collapse_shape %transposed_23 [[0, 1], [2], [3]] : tensor<2x4x64x64xf32> into tensor<8x64x64xf32> loc(#loc)
    %54 = linalg.batch_matmul ins(%collapsed_24, %collapsed_14 : tensor<8x64x64xf32>, tensor<8x64x64xf32>) outs(%7 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32> loc(#loc)
    %expanded_25 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xf32> into tensor<2x4x64x64xf32> loc(#loc)
    %55 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<2x4x64x64xf32>) outs(%31 : tensor<2x4x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %66 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %66 : bf16 loc(#loc)
    } -> tensor<2x4x64x64xbf16> loc(#loc)
    %expanded_26 = tensor.expand_shape %55 [[0], [1, 2], [3], [4]] output_shape [2, 2, 2, 64, 64] : tensor<2x4x64x64xbf16> into tensor<2x2x2x64x64xbf16> loc(#loc)
    %56 = tensor.empty() : tensor<2x2x2x64x64xf32> loc(#loc)
    %57 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<2x2x2x64x64xbf16>) outs(%56 : tensor<2x2x2x64x64xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x2x2x64x64xf32> loc(#loc)
    %58 = tensor.empty() : tensor<2x2x1x64x64xf32> loc(#loc)
    %59 = linalg.fill ins(%cst : f32) outs(%58 : tensor<2x2x1x64x64xf32>) -> tensor<2x2x1x64x64xf32> loc(#loc)
    %60 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%57 : tensor<2x2x2x64x64xf32>) outs(%59 : tensor<2x2x1x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.addf %in, %out : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x2x1x64x64xf32> loc(#loc)
    %61 = tensor.empty() : tensor<2x2x1x64x64xbf16> loc(#loc)
    %62 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<2x2x1x64x64xf32>) outs(%61 : tensor<2x2x1x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %66 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %66 : bf16 loc(#loc)
    } -> tensor<2x2x1x64x64xbf16> loc(#loc)
    %collapsed_27 = tensor.collapse_shape %62 [[0], [1], [2, 3], [4]] : tensor<2x2x1x64x64xbf16> into tensor<2x2x64x64xbf16> loc(#loc)
    %expanded_28 = tensor.expand_shape %53 [[0], [1, 2], [3], [4]] output_shape [2, 2, 2, 64, 64] : tensor<2x4x64x64xbf16> into tensor<2x2x2x64x64xbf16> loc(#loc)
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_28 : tensor<2x2x2x64x64xbf16>) outs(%56 : tensor<2x2x2x64x64xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x2x2x64x64xf32> loc(#loc)
    %64 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%63 : tensor<2x2x2x64x64xf32>) outs(%59 : tensor<2x2x1x64x64xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %66 = arith.addf %in, %out : f32 loc(#loc)
      linalg.yield %66 : f32 loc(#loc)
    } -> tensor<2x2x1x64x64xf32> loc(#loc)
    %65 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<2x2x1x64x64xf32>) outs(%61 : tensor<2x2x1x64x64xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %66 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %66 : bf16 loc(#loc)
    } -> tensor<2x2x1x64x64xbf16> loc(#loc)
    %collapsed_29 = tensor.collapse_shape %65 [[0], [1], [2, 3], [4]] : tensor<2x2x1x64x64xbf16> into tensor<2x2x64x64xbf16> loc(#loc)
    return %32, %51, %collapsed_29, %collapsed_27, %48 : tensor<2x4x64x64xbf16>, tensor<2x4x64x64xbf16>, tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>, tensor<1x4x64x64xbf16> loc(#loc)
  } loc(#loc)
} loc(#loc)

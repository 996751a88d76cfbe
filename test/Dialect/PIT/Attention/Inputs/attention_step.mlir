// torch's scaled_dot_product_attention, causal, and its gradients, as pit_mlir.torch.export_step writes them.
#loc = loc(unknown)
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x3x72x32xbf16> loc(unknown), %arg1: tensor<2x3x72x32xbf16> loc(unknown), %arg2: tensor<2x3x72x32xbf16> loc(unknown), %arg3: tensor<2x3x72x32xbf16> loc(unknown)) -> (tensor<2x3x72x32xbf16>, tensor<2x3x72x32xbf16>, tensor<2x3x72x32xbf16>, tensor<2x3x72x32xbf16>) {
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %cst_0 = arith.constant 0xFF800000 : f32 loc(#loc)
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32> loc(#loc)
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<2x3x72x1xf32> loc(#loc)
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<2x3x72x1xf32> loc(#loc)
    %cst_4 = arith.constant dense<0xFF800000> : tensor<f32> loc(#loc)
    %cst_5 = arith.constant 0xFFF0000000000000 : f64 loc(#loc)
    %cst_6 = arith.constant 0.17677669529663689 : f64 loc(#loc)
    %0 = tensor.empty() : tensor<2x3x72x32xf32> loc(#loc)
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3x72x32xbf16>) outs(%0 : tensor<2x3x72x32xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x32xf32> loc(#loc)
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x3x72x32xbf16>) outs(%0 : tensor<2x3x72x32xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x32xf32> loc(#loc)
    %3 = tensor.empty() : tensor<2x3x32x72xf32> loc(#loc)
    %transposed = linalg.transpose ins(%2 : tensor<2x3x72x32xf32>) outs(%3 : tensor<2x3x32x72xf32>) permutation = [0, 1, 3, 2]  loc(#loc)
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<2x3x72x32xf32> into tensor<6x72x32xf32> loc(#loc)
    %collapsed_7 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x3x32x72xf32> into tensor<6x32x72xf32> loc(#loc)
    %4 = tensor.empty() : tensor<6x72x72xf32> loc(#loc)
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<6x72x72xf32>) -> tensor<6x72x72xf32> loc(#loc)
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_7 : tensor<6x72x32xf32>, tensor<6x32x72xf32>) outs(%5 : tensor<6x72x72xf32>) -> tensor<6x72x72xf32> loc(#loc)
    %expanded = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [2, 3, 72, 72] : tensor<6x72x72xf32> into tensor<2x3x72x72xf32> loc(#loc)
    %7 = tensor.empty() : tensor<2x3x72x72xf32> loc(#loc)
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x3x72x72xf32>) outs(%7 : tensor<2x3x72x72xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.truncf %cst_6 : f64 to f32 loc(#loc)
      %57 = arith.mulf %in, %56 : f32 loc(#loc)
      linalg.yield %57 : f32 loc(#loc)
    } -> tensor<2x3x72x72xf32> loc(#loc)
    %9 = tensor.empty() : tensor<72xi64> loc(#loc)
    %10 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%9 : tensor<72xi64>) {
    ^bb0(%out: i64 loc(unknown)):
      %56 = linalg.index 0 : index loc(#loc)
      %57 = arith.index_cast %56 : index to i64 loc(#loc)
      linalg.yield %57 : i64 loc(#loc)
    } -> tensor<72xi64> loc(#loc)
    %expanded_8 = tensor.expand_shape %10 [[0, 1]] output_shape [72, 1] : tensor<72xi64> into tensor<72x1xi64> loc(#loc)
    %expanded_9 = tensor.expand_shape %10 [[0, 1]] output_shape [1, 72] : tensor<72xi64> into tensor<1x72xi64> loc(#loc)
    %11 = tensor.empty() : tensor<72x72xi1> loc(#loc)
    %12 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_8, %expanded_9 : tensor<72x1xi64>, tensor<1x72xi64>) outs(%11 : tensor<72x72xi1>) {
    ^bb0(%in: i64 loc(unknown), %in_27: i64 loc(unknown), %out: i1 loc(unknown)):
      %56 = arith.cmpi sge, %in, %in_27 : i64 loc(#loc)
      linalg.yield %56 : i1 loc(#loc)
    } -> tensor<72x72xi1> loc(#loc)
    %13 = linalg.generic {indexing_maps = [#map5, #map, #map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %8, %cst_4 : tensor<72x72xi1>, tensor<2x3x72x72xf32>, tensor<f32>) outs(%7 : tensor<2x3x72x72xf32>) {
    ^bb0(%in: i1 loc(unknown), %in_27: f32 loc(unknown), %in_28: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.select %in, %in_27, %in_28 : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x72xf32> loc(#loc)
    %14 = tensor.empty() : tensor<2x3x72xi64> loc(#loc)
    %15 = linalg.fill ins(%c0_i64 : i64) outs(%14 : tensor<2x3x72xi64>) -> tensor<2x3x72xi64> loc(#loc)
    %16 = tensor.empty() : tensor<2x3x72xf32> loc(#loc)
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<2x3x72xf32>) -> tensor<2x3x72xf32> loc(#loc)
    %18:2 = linalg.generic {indexing_maps = [#map, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<2x3x72x72xf32>) outs(%17, %15 : tensor<2x3x72xf32>, tensor<2x3x72xi64>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown), %out_27: i64 loc(unknown)):
      %56 = linalg.index 3 : index loc(#loc)
      %57 = arith.index_cast %56 : index to i64 loc(#loc)
      %58 = arith.maximumf %in, %out : f32 loc(#loc)
      %59 = arith.cmpf ogt, %in, %out : f32 loc(#loc)
      %60 = arith.select %59, %57, %out_27 : i64 loc(#loc)
      linalg.yield %58, %60 : f32, i64 loc(#loc)
    } -> (tensor<2x3x72xf32>, tensor<2x3x72xi64>) loc(#loc)
    %expanded_10 = tensor.expand_shape %18#0 [[0], [1], [2, 3]] output_shape [2, 3, 72, 1] : tensor<2x3x72xf32> into tensor<2x3x72x1xf32> loc(#loc)
    %19 = tensor.empty() : tensor<2x3x72x1xi1> loc(#loc)
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<2x3x72x1xf32>) outs(%19 : tensor<2x3x72x1xi1>) {
    ^bb0(%in: f32 loc(unknown), %out: i1 loc(unknown)):
      %56 = arith.extf %in : f32 to f64 loc(#loc)
      %57 = arith.cmpf oeq, %56, %cst_5 : f64 loc(#loc)
      linalg.yield %57 : i1 loc(#loc)
    } -> tensor<2x3x72x1xi1> loc(#loc)
    %21 = tensor.empty() : tensor<2x3x72x1xf32> loc(#loc)
    %22 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %cst_3, %expanded_10 : tensor<2x3x72x1xi1>, tensor<2x3x72x1xf32>, tensor<2x3x72x1xf32>) outs(%21 : tensor<2x3x72x1xf32>) {
    ^bb0(%in: i1 loc(unknown), %in_27: f32 loc(unknown), %in_28: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.select %in, %in_27, %in_28 : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x1xf32> loc(#loc)
    %23 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %22 : tensor<2x3x72x72xf32>, tensor<2x3x72x1xf32>) outs(%7 : tensor<2x3x72x72xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_27: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.subf %in, %in_27 : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x72xf32> loc(#loc)
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x3x72x72xf32>) outs(%7 : tensor<2x3x72x72xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = math.exp %in : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x72xf32> loc(#loc)
    %25 = linalg.fill ins(%cst : f32) outs(%21 : tensor<2x3x72x1xf32>) -> tensor<2x3x72x1xf32> loc(#loc)
    %26 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<2x3x72x72xf32>) outs(%25 : tensor<2x3x72x1xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.addf %in, %out : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x1xf32> loc(#loc)
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<2x3x72x1xf32>) outs(%21 : tensor<2x3x72x1xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = math.log %in : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x1xf32> loc(#loc)
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %27 : tensor<2x3x72x1xf32>, tensor<2x3x72x1xf32>) outs(%21 : tensor<2x3x72x1xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_27: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.addf %in, %in_27 : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x1xf32> loc(#loc)
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<2x3x72x1xf32>) outs(%19 : tensor<2x3x72x1xi1>) {
    ^bb0(%in: f32 loc(unknown), %out: i1 loc(unknown)):
      %56 = arith.cmpf oeq, %in, %cst : f32 loc(#loc)
      linalg.yield %56 : i1 loc(#loc)
    } -> tensor<2x3x72x1xi1> loc(#loc)
    %30 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %cst_2, %26 : tensor<2x3x72x1xi1>, tensor<2x3x72x1xf32>, tensor<2x3x72x1xf32>) outs(%21 : tensor<2x3x72x1xf32>) {
    ^bb0(%in: i1 loc(unknown), %in_27: f32 loc(unknown), %in_28: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.select %in, %in_27, %in_28 : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x1xf32> loc(#loc)
    %31 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %30 : tensor<2x3x72x72xf32>, tensor<2x3x72x1xf32>) outs(%7 : tensor<2x3x72x72xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_27: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.divf %in, %in_27 : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x72xf32> loc(#loc)
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x3x72x32xbf16>) outs(%0 : tensor<2x3x72x32xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x32xf32> loc(#loc)
    %collapsed_11 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<2x3x72x72xf32> into tensor<6x72x72xf32> loc(#loc)
    %collapsed_12 = tensor.collapse_shape %32 [[0, 1], [2], [3]] : tensor<2x3x72x32xf32> into tensor<6x72x32xf32> loc(#loc)
    %33 = tensor.empty() : tensor<6x72x32xf32> loc(#loc)
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<6x72x32xf32>) -> tensor<6x72x32xf32> loc(#loc)
    %35 = linalg.batch_matmul ins(%collapsed_11, %collapsed_12 : tensor<6x72x72xf32>, tensor<6x72x32xf32>) outs(%34 : tensor<6x72x32xf32>) -> tensor<6x72x32xf32> loc(#loc)
    %expanded_13 = tensor.expand_shape %35 [[0, 1], [2], [3]] output_shape [2, 3, 72, 32] : tensor<6x72x32xf32> into tensor<2x3x72x32xf32> loc(#loc)
    %36 = tensor.empty() : tensor<2x3x72x32xbf16> loc(#loc)
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<2x3x72x32xf32>) outs(%36 : tensor<2x3x72x32xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %56 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %56 : bf16 loc(#loc)
    } -> tensor<2x3x72x32xbf16> loc(#loc)
    %38 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %28 : tensor<2x3x72x72xf32>, tensor<2x3x72x1xf32>) outs(%7 : tensor<2x3x72x72xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_27: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.subf %in, %in_27 : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x72xf32> loc(#loc)
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<2x3x72x72xf32>) outs(%7 : tensor<2x3x72x72xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = math.exp %in : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x72xf32> loc(#loc)
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x3x72x1xf32>) outs(%19 : tensor<2x3x72x1xi1>) {
    ^bb0(%in: f32 loc(unknown), %out: i1 loc(unknown)):
      %56 = arith.extf %in : f32 to f64 loc(#loc)
      %57 = arith.cmpf oeq, %56, %cst_5 : f64 loc(#loc)
      linalg.yield %57 : i1 loc(#loc)
    } -> tensor<2x3x72x1xi1> loc(#loc)
    %41 = linalg.generic {indexing_maps = [#map8, #map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %cst_1, %39 : tensor<2x3x72x1xi1>, tensor<f32>, tensor<2x3x72x72xf32>) outs(%7 : tensor<2x3x72x72xf32>) {
    ^bb0(%in: i1 loc(unknown), %in_27: f32 loc(unknown), %in_28: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.select %in, %in_27, %in_28 : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x72xf32> loc(#loc)
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2x3x72x32xbf16>) outs(%0 : tensor<2x3x72x32xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x32xf32> loc(#loc)
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<2x3x72x32xbf16>) outs(%0 : tensor<2x3x72x32xf32>) {
    ^bb0(%in: bf16 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.extf %in : bf16 to f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x32xf32> loc(#loc)
    %44 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %43 : tensor<2x3x72x32xf32>, tensor<2x3x72x32xf32>) outs(%0 : tensor<2x3x72x32xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_27: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.mulf %in, %in_27 : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x32xf32> loc(#loc)
    %45 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<2x3x72x32xf32>) outs(%25 : tensor<2x3x72x1xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.addf %in, %out : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x1xf32> loc(#loc)
    %transposed_14 = linalg.transpose ins(%32 : tensor<2x3x72x32xf32>) outs(%3 : tensor<2x3x32x72xf32>) permutation = [0, 1, 3, 2]  loc(#loc)
    %collapsed_15 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<2x3x72x32xf32> into tensor<6x72x32xf32> loc(#loc)
    %collapsed_16 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<2x3x32x72xf32> into tensor<6x32x72xf32> loc(#loc)
    %46 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<6x72x32xf32>, tensor<6x32x72xf32>) outs(%5 : tensor<6x72x72xf32>) -> tensor<6x72x72xf32> loc(#loc)
    %expanded_17 = tensor.expand_shape %46 [[0, 1], [2], [3]] output_shape [2, 3, 72, 72] : tensor<6x72x72xf32> into tensor<2x3x72x72xf32> loc(#loc)
    %47 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17, %45 : tensor<2x3x72x72xf32>, tensor<2x3x72x1xf32>) outs(%7 : tensor<2x3x72x72xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_27: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.subf %in, %in_27 : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x72xf32> loc(#loc)
    %48 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %47 : tensor<2x3x72x72xf32>, tensor<2x3x72x72xf32>) outs(%7 : tensor<2x3x72x72xf32>) {
    ^bb0(%in: f32 loc(unknown), %in_27: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.mulf %in, %in_27 : f32 loc(#loc)
      linalg.yield %56 : f32 loc(#loc)
    } -> tensor<2x3x72x72xf32> loc(#loc)
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x3x72x72xf32>) outs(%7 : tensor<2x3x72x72xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %56 = arith.truncf %cst_6 : f64 to f32 loc(#loc)
      %57 = arith.mulf %in, %56 : f32 loc(#loc)
      linalg.yield %57 : f32 loc(#loc)
    } -> tensor<2x3x72x72xf32> loc(#loc)
    %collapsed_18 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<2x3x72x72xf32> into tensor<6x72x72xf32> loc(#loc)
    %collapsed_19 = tensor.collapse_shape %2 [[0, 1], [2], [3]] : tensor<2x3x72x32xf32> into tensor<6x72x32xf32> loc(#loc)
    %50 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<6x72x72xf32>, tensor<6x72x32xf32>) outs(%34 : tensor<6x72x32xf32>) -> tensor<6x72x32xf32> loc(#loc)
    %expanded_20 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [2, 3, 72, 32] : tensor<6x72x32xf32> into tensor<2x3x72x32xf32> loc(#loc)
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<2x3x72x32xf32>) outs(%36 : tensor<2x3x72x32xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %56 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %56 : bf16 loc(#loc)
    } -> tensor<2x3x72x32xbf16> loc(#loc)
    %transposed_21 = linalg.transpose ins(%49 : tensor<2x3x72x72xf32>) outs(%7 : tensor<2x3x72x72xf32>) permutation = [0, 1, 3, 2]  loc(#loc)
    %collapsed_22 = tensor.collapse_shape %transposed_21 [[0, 1], [2], [3]] : tensor<2x3x72x72xf32> into tensor<6x72x72xf32> loc(#loc)
    %52 = linalg.batch_matmul ins(%collapsed_22, %collapsed : tensor<6x72x72xf32>, tensor<6x72x32xf32>) outs(%34 : tensor<6x72x32xf32>) -> tensor<6x72x32xf32> loc(#loc)
    %expanded_23 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [2, 3, 72, 32] : tensor<6x72x32xf32> into tensor<2x3x72x32xf32> loc(#loc)
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<2x3x72x32xf32>) outs(%36 : tensor<2x3x72x32xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %56 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %56 : bf16 loc(#loc)
    } -> tensor<2x3x72x32xbf16> loc(#loc)
    %transposed_24 = linalg.transpose ins(%41 : tensor<2x3x72x72xf32>) outs(%7 : tensor<2x3x72x72xf32>) permutation = [0, 1, 3, 2]  loc(#loc)
    %collapsed_25 = tensor.collapse_shape %transposed_24 [[0, 1], [2], [3]] : tensor<2x3x72x72xf32> into tensor<6x72x72xf32> loc(#loc)
    %54 = linalg.batch_matmul ins(%collapsed_25, %collapsed_15 : tensor<6x72x72xf32>, tensor<6x72x32xf32>) outs(%34 : tensor<6x72x32xf32>) -> tensor<6x72x32xf32> loc(#loc)
    %expanded_26 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [2, 3, 72, 32] : tensor<6x72x32xf32> into tensor<2x3x72x32xf32> loc(#loc)
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<2x3x72x32xf32>) outs(%36 : tensor<2x3x72x32xbf16>) {
    ^bb0(%in: f32 loc(unknown), %out: bf16 loc(unknown)):
      %56 = arith.truncf %in : f32 to bf16 loc(#loc)
      linalg.yield %56 : bf16 loc(#loc)
    } -> tensor<2x3x72x32xbf16> loc(#loc)
    return %37, %51, %53, %55 : tensor<2x3x72x32xbf16>, tensor<2x3x72x32xbf16>, tensor<2x3x72x32xbf16>, tensor<2x3x72x32xbf16> loc(#loc)
  } loc(#loc)
} loc(#loc)

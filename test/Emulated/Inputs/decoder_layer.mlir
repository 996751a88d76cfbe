// A layer as Mixtral has it: root mean square norms, rotary embeddings, causal attention with grouped queries, a router that keeps
// two of eight experts, SwiGLU, in bf16. benchmarks/parallel/decoder.py writes it: --export mixtral bf16 forward (torch 2.15.0,
// torch-mlir 20261001). From x, cos, sin, wq, wk, wv, wo, norm1, norm2, router, gate_up, up and down to y.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map8 = affine_map<(d0) -> (d0)>
#map9 = affine_map<(d0, d1) -> (d0, 0)>
#map10 = affine_map<(d0, d1) -> (0, d1)>
#map11 = affine_map<(d0, d1, d2, d3) -> ()>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1) -> (d0)>
#map15 = affine_map<(d0, d1) -> ()>
#map16 = affine_map<(d0, d1, d2) -> (d0, d2)>
module {
  func.func @main(%arg0: tensor<2x24x128xbf16>, %arg1: tensor<24x16xbf16>, %arg2: tensor<24x16xbf16>, %arg3: tensor<128x128xbf16>, %arg4: tensor<128x32xbf16>, %arg5: tensor<128x32xbf16>, %arg6: tensor<128x128xbf16>, %arg7: tensor<128xbf16>, %arg8: tensor<128xbf16>, %arg9: tensor<128x8xbf16>, %arg10: tensor<8x128x48xbf16>, %arg11: tensor<8x128x48xbf16>, %arg12: tensor<8x48x128xbf16>) -> tensor<2x24x128xbf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %false = arith.constant false
    %true = arith.constant true
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 0xFF80 : bf16
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<bf16>
    %cst_5 = arith.constant dense<0xFF80> : tensor<bf16>
    %cst_6 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_7 = arith.constant 0.000000e+00 : f64
    %cst_8 = arith.constant 0xFFF0000000000000 : f64
    %cst_9 = arith.constant 1.000000e-05 : f64
    %cst_10 = arith.constant 1.280000e+02 : bf16
    %cst_11 = arith.constant 2.500000e-01 : f32
    %cst_12 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x24x128xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x24x128xbf16>, tensor<2x24x128xbf16>) outs(%0 : tensor<2x24x128xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x128xbf16>
    %2 = tensor.empty() : tensor<2x24x1xbf16>
    %3 = linalg.fill ins(%cst : bf16) outs(%2 : tensor<2x24x1xbf16>) -> tensor<2x24x1xbf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x24x128xbf16>) outs(%3 : tensor<2x24x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %151 = arith.addf %in, %out : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x1xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x24x1xbf16>) outs(%2 : tensor<2x24x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %151 = arith.divf %in, %cst_10 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x1xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x24x1xbf16>) outs(%2 : tensor<2x24x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %151 = arith.truncf %cst_9 : f64 to bf16
      %152 = arith.addf %in, %151 : bf16
      linalg.yield %152 : bf16
    } -> tensor<2x24x1xbf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x24x1xbf16>) outs(%2 : tensor<2x24x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %151 = math.rsqrt %in : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x1xbf16>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<2x24x128xbf16>, tensor<2x24x1xbf16>) outs(%0 : tensor<2x24x128xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x128xbf16>
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %arg7 : tensor<2x24x128xbf16>, tensor<128xbf16>) outs(%0 : tensor<2x24x128xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x128xbf16>
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<2x24x128xbf16> into tensor<48x128xbf16>
    %10 = tensor.empty() : tensor<48x128xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<48x128xf32>) -> tensor<48x128xf32>
    %12 = linalg.matmul ins(%collapsed, %arg3 : tensor<48x128xbf16>, tensor<128x128xbf16>) outs(%11 : tensor<48x128xf32>) -> tensor<48x128xf32>
    %13 = tensor.empty() : tensor<48x128xbf16>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<48x128xf32>) outs(%13 : tensor<48x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %151 = arith.truncf %in : f32 to bf16
      linalg.yield %151 : bf16
    } -> tensor<48x128xbf16>
    %expanded = tensor.expand_shape %14 [[0, 1], [2, 3]] output_shape [2, 24, 8, 16] : tensor<48x128xbf16> into tensor<2x24x8x16xbf16>
    %15 = tensor.empty() : tensor<2x8x24x16xbf16>
    %transposed = linalg.transpose ins(%expanded : tensor<2x24x8x16xbf16>) outs(%15 : tensor<2x8x24x16xbf16>) permutation = [0, 2, 1, 3] 
    %16 = tensor.empty() : tensor<48x32xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<48x32xf32>) -> tensor<48x32xf32>
    %18 = linalg.matmul ins(%collapsed, %arg4 : tensor<48x128xbf16>, tensor<128x32xbf16>) outs(%17 : tensor<48x32xf32>) -> tensor<48x32xf32>
    %19 = tensor.empty() : tensor<48x32xbf16>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<48x32xf32>) outs(%19 : tensor<48x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %151 = arith.truncf %in : f32 to bf16
      linalg.yield %151 : bf16
    } -> tensor<48x32xbf16>
    %expanded_13 = tensor.expand_shape %20 [[0, 1], [2, 3]] output_shape [2, 24, 2, 16] : tensor<48x32xbf16> into tensor<2x24x2x16xbf16>
    %21 = tensor.empty() : tensor<2x2x24x16xbf16>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<2x24x2x16xbf16>) outs(%21 : tensor<2x2x24x16xbf16>) permutation = [0, 2, 1, 3] 
    %22 = linalg.matmul ins(%collapsed, %arg5 : tensor<48x128xbf16>, tensor<128x32xbf16>) outs(%17 : tensor<48x32xf32>) -> tensor<48x32xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<48x32xf32>) outs(%19 : tensor<48x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %151 = arith.truncf %in : f32 to bf16
      linalg.yield %151 : bf16
    } -> tensor<48x32xbf16>
    %expanded_15 = tensor.expand_shape %23 [[0, 1], [2, 3]] output_shape [2, 24, 2, 16] : tensor<48x32xbf16> into tensor<2x24x2x16xbf16>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<2x24x2x16xbf16>) outs(%21 : tensor<2x2x24x16xbf16>) permutation = [0, 2, 1, 3] 
    %extracted_slice = tensor.extract_slice %transposed[0, 0, 0, 0] [2, 8, 24, 8] [1, 1, 1, 1] : tensor<2x8x24x16xbf16> to tensor<2x8x24x8xbf16>
    %extracted_slice_17 = tensor.extract_slice %transposed[0, 0, 0, 8] [2, 8, 24, 8] [1, 1, 1, 1] : tensor<2x8x24x16xbf16> to tensor<2x8x24x8xbf16>
    %24 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed, %arg1 : tensor<2x8x24x16xbf16>, tensor<24x16xbf16>) outs(%15 : tensor<2x8x24x16xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x8x24x16xbf16>
    %25 = tensor.empty() : tensor<2x8x24x8xbf16>
    %26 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_17 : tensor<2x8x24x8xbf16>) outs(%25 : tensor<2x8x24x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %151 = arith.negf %in : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x8x24x8xbf16>
    %concat = tensor.concat dim(3) %26, %extracted_slice : (tensor<2x8x24x8xbf16>, tensor<2x8x24x8xbf16>) -> tensor<2x8x24x16xbf16>
    %27 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %arg2 : tensor<2x8x24x16xbf16>, tensor<24x16xbf16>) outs(%15 : tensor<2x8x24x16xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x8x24x16xbf16>
    %28 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %27 : tensor<2x8x24x16xbf16>, tensor<2x8x24x16xbf16>) outs(%15 : tensor<2x8x24x16xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.addf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x8x24x16xbf16>
    %extracted_slice_18 = tensor.extract_slice %transposed_14[0, 0, 0, 0] [2, 2, 24, 8] [1, 1, 1, 1] : tensor<2x2x24x16xbf16> to tensor<2x2x24x8xbf16>
    %extracted_slice_19 = tensor.extract_slice %transposed_14[0, 0, 0, 8] [2, 2, 24, 8] [1, 1, 1, 1] : tensor<2x2x24x16xbf16> to tensor<2x2x24x8xbf16>
    %29 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_14, %arg1 : tensor<2x2x24x16xbf16>, tensor<24x16xbf16>) outs(%21 : tensor<2x2x24x16xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x2x24x16xbf16>
    %30 = tensor.empty() : tensor<2x2x24x8xbf16>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_19 : tensor<2x2x24x8xbf16>) outs(%30 : tensor<2x2x24x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %151 = arith.negf %in : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x2x24x8xbf16>
    %concat_20 = tensor.concat dim(3) %31, %extracted_slice_18 : (tensor<2x2x24x8xbf16>, tensor<2x2x24x8xbf16>) -> tensor<2x2x24x16xbf16>
    %32 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_20, %arg2 : tensor<2x2x24x16xbf16>, tensor<24x16xbf16>) outs(%21 : tensor<2x2x24x16xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x2x24x16xbf16>
    %33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %32 : tensor<2x2x24x16xbf16>, tensor<2x2x24x16xbf16>) outs(%21 : tensor<2x2x24x16xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.addf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x2x24x16xbf16>
    %34 = tensor.empty() : tensor<2x2x4x24x16xbf16>
    %35 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<2x2x24x16xbf16>) outs(%34 : tensor<2x2x4x24x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x4x24x16xbf16>
    %collapsed_21 = tensor.collapse_shape %35 [[0], [1, 2], [3], [4]] : tensor<2x2x4x24x16xbf16> into tensor<2x8x24x16xbf16>
    %36 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_16 : tensor<2x2x24x16xbf16>) outs(%34 : tensor<2x2x4x24x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x4x24x16xbf16>
    %collapsed_22 = tensor.collapse_shape %36 [[0], [1, 2], [3], [4]] : tensor<2x2x4x24x16xbf16> into tensor<2x8x24x16xbf16>
    %37 = tensor.empty() : tensor<2x8x24x16xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x8x24x16xbf16>) outs(%37 : tensor<2x8x24x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %151 = arith.extf %in : bf16 to f32
      linalg.yield %151 : f32
    } -> tensor<2x8x24x16xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_21 : tensor<2x8x24x16xbf16>) outs(%37 : tensor<2x8x24x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %151 = arith.extf %in : bf16 to f32
      linalg.yield %151 : f32
    } -> tensor<2x8x24x16xf32>
    %40 = tensor.empty() : tensor<2x8x16x24xf32>
    %transposed_23 = linalg.transpose ins(%39 : tensor<2x8x24x16xf32>) outs(%40 : tensor<2x8x16x24xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_24 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<2x8x24x16xf32> into tensor<16x24x16xf32>
    %collapsed_25 = tensor.collapse_shape %transposed_23 [[0, 1], [2], [3]] : tensor<2x8x16x24xf32> into tensor<16x16x24xf32>
    %41 = tensor.empty() : tensor<16x24x24xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<16x24x24xf32>) -> tensor<16x24x24xf32>
    %43 = linalg.batch_matmul ins(%collapsed_24, %collapsed_25 : tensor<16x24x16xf32>, tensor<16x16x24xf32>) outs(%42 : tensor<16x24x24xf32>) -> tensor<16x24x24xf32>
    %expanded_26 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [2, 8, 24, 24] : tensor<16x24x24xf32> into tensor<2x8x24x24xf32>
    %44 = tensor.empty() : tensor<2x8x24x24xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<2x8x24x24xf32>) outs(%44 : tensor<2x8x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %151 = arith.mulf %in, %cst_11 : f32
      linalg.yield %151 : f32
    } -> tensor<2x8x24x24xf32>
    %46 = tensor.empty() : tensor<24xi64>
    %47 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel"]} outs(%46 : tensor<24xi64>) {
    ^bb0(%out: i64):
      %151 = linalg.index 0 : index
      %152 = arith.index_cast %151 : index to i64
      linalg.yield %152 : i64
    } -> tensor<24xi64>
    %expanded_27 = tensor.expand_shape %47 [[0, 1]] output_shape [24, 1] : tensor<24xi64> into tensor<24x1xi64>
    %expanded_28 = tensor.expand_shape %47 [[0, 1]] output_shape [1, 24] : tensor<24xi64> into tensor<1x24xi64>
    %48 = tensor.empty() : tensor<24x24xi1>
    %49 = linalg.generic {indexing_maps = [#map9, #map10, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_27, %expanded_28 : tensor<24x1xi64>, tensor<1x24xi64>) outs(%48 : tensor<24x24xi1>) {
    ^bb0(%in: i64, %in_74: i64, %out: i1):
      %151 = arith.cmpi sge, %in, %in_74 : i64
      linalg.yield %151 : i1
    } -> tensor<24x24xi1>
    %50 = linalg.generic {indexing_maps = [#map5, #map4, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %45, %cst_6 : tensor<24x24xi1>, tensor<2x8x24x24xf32>, tensor<f32>) outs(%44 : tensor<2x8x24x24xf32>) {
    ^bb0(%in: i1, %in_74: f32, %in_75: f32, %out: f32):
      %151 = arith.select %in, %in_74, %in_75 : f32
      linalg.yield %151 : f32
    } -> tensor<2x8x24x24xf32>
    %51 = tensor.empty() : tensor<2x8x24x24xi1>
    %52 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<2x8x24x24xf32>) outs(%51 : tensor<2x8x24x24xi1>) {
    ^bb0(%in: f32, %out: i1):
      %151 = arith.extf %in : f32 to f64
      %152 = arith.cmpf une, %151, %cst_8 : f64
      linalg.yield %152 : i1
    } -> tensor<2x8x24x24xi1>
    %53 = tensor.empty() : tensor<2x8x24x1xi1>
    %54 = linalg.fill ins(%false : i1) outs(%53 : tensor<2x8x24x1xi1>) -> tensor<2x8x24x1xi1>
    %55 = linalg.generic {indexing_maps = [#map4, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<2x8x24x24xi1>) outs(%54 : tensor<2x8x24x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %151 = arith.ori %in, %out : i1
      linalg.yield %151 : i1
    } -> tensor<2x8x24x1xi1>
    %56 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<2x8x24x1xi1>) outs(%53 : tensor<2x8x24x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %151 = arith.xori %in, %true : i1
      linalg.yield %151 : i1
    } -> tensor<2x8x24x1xi1>
    %57 = tensor.empty() : tensor<2x8x24xi64>
    %58 = linalg.fill ins(%c0_i64 : i64) outs(%57 : tensor<2x8x24xi64>) -> tensor<2x8x24xi64>
    %59 = tensor.empty() : tensor<2x8x24xf32>
    %60 = linalg.fill ins(%cst_1 : f32) outs(%59 : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
    %61:2 = linalg.generic {indexing_maps = [#map4, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%50 : tensor<2x8x24x24xf32>) outs(%60, %58 : tensor<2x8x24xf32>, tensor<2x8x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_74: i64):
      %151 = linalg.index 3 : index
      %152 = arith.index_cast %151 : index to i64
      %153 = arith.maximumf %in, %out : f32
      %154 = arith.cmpf ogt, %in, %out : f32
      %155 = arith.select %154, %152, %out_74 : i64
      linalg.yield %153, %155 : f32, i64
    } -> (tensor<2x8x24xf32>, tensor<2x8x24xi64>)
    %expanded_29 = tensor.expand_shape %61#0 [[0], [1], [2, 3]] output_shape [2, 8, 24, 1] : tensor<2x8x24xf32> into tensor<2x8x24x1xf32>
    %62 = linalg.generic {indexing_maps = [#map4, #map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %expanded_29 : tensor<2x8x24x24xf32>, tensor<2x8x24x1xf32>) outs(%44 : tensor<2x8x24x24xf32>) {
    ^bb0(%in: f32, %in_74: f32, %out: f32):
      %151 = arith.subf %in, %in_74 : f32
      linalg.yield %151 : f32
    } -> tensor<2x8x24x24xf32>
    %63 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<2x8x24x24xf32>) outs(%44 : tensor<2x8x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %151 = math.exp %in : f32
      linalg.yield %151 : f32
    } -> tensor<2x8x24x24xf32>
    %64 = tensor.empty() : tensor<2x8x24x1xf32>
    %65 = linalg.fill ins(%cst_0 : f32) outs(%64 : tensor<2x8x24x1xf32>) -> tensor<2x8x24x1xf32>
    %66 = linalg.generic {indexing_maps = [#map4, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%63 : tensor<2x8x24x24xf32>) outs(%65 : tensor<2x8x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %151 = arith.addf %in, %out : f32
      linalg.yield %151 : f32
    } -> tensor<2x8x24x1xf32>
    %67 = linalg.generic {indexing_maps = [#map4, #map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %66 : tensor<2x8x24x24xf32>, tensor<2x8x24x1xf32>) outs(%44 : tensor<2x8x24x24xf32>) {
    ^bb0(%in: f32, %in_74: f32, %out: f32):
      %151 = arith.divf %in, %in_74 : f32
      linalg.yield %151 : f32
    } -> tensor<2x8x24x24xf32>
    %68 = linalg.generic {indexing_maps = [#map12, #map11, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %cst_3, %67 : tensor<2x8x24x1xi1>, tensor<f32>, tensor<2x8x24x24xf32>) outs(%44 : tensor<2x8x24x24xf32>) {
    ^bb0(%in: i1, %in_74: f32, %in_75: f32, %out: f32):
      %151 = arith.select %in, %in_74, %in_75 : f32
      linalg.yield %151 : f32
    } -> tensor<2x8x24x24xf32>
    %69 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_22 : tensor<2x8x24x16xbf16>) outs(%37 : tensor<2x8x24x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %151 = arith.extf %in : bf16 to f32
      linalg.yield %151 : f32
    } -> tensor<2x8x24x16xf32>
    %collapsed_30 = tensor.collapse_shape %68 [[0, 1], [2], [3]] : tensor<2x8x24x24xf32> into tensor<16x24x24xf32>
    %collapsed_31 = tensor.collapse_shape %69 [[0, 1], [2], [3]] : tensor<2x8x24x16xf32> into tensor<16x24x16xf32>
    %70 = tensor.empty() : tensor<16x24x16xf32>
    %71 = linalg.fill ins(%cst_0 : f32) outs(%70 : tensor<16x24x16xf32>) -> tensor<16x24x16xf32>
    %72 = linalg.batch_matmul ins(%collapsed_30, %collapsed_31 : tensor<16x24x24xf32>, tensor<16x24x16xf32>) outs(%71 : tensor<16x24x16xf32>) -> tensor<16x24x16xf32>
    %expanded_32 = tensor.expand_shape %72 [[0, 1], [2], [3]] output_shape [2, 8, 24, 16] : tensor<16x24x16xf32> into tensor<2x8x24x16xf32>
    %73 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<2x8x24x16xf32>) outs(%15 : tensor<2x8x24x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %151 = arith.truncf %in : f32 to bf16
      linalg.yield %151 : bf16
    } -> tensor<2x8x24x16xbf16>
    %74 = tensor.empty() : tensor<2x24x8x16xbf16>
    %transposed_33 = linalg.transpose ins(%73 : tensor<2x8x24x16xbf16>) outs(%74 : tensor<2x24x8x16xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_34 = tensor.collapse_shape %transposed_33 [[0, 1], [2, 3]] : tensor<2x24x8x16xbf16> into tensor<48x128xbf16>
    %75 = linalg.matmul ins(%collapsed_34, %arg6 : tensor<48x128xbf16>, tensor<128x128xbf16>) outs(%11 : tensor<48x128xf32>) -> tensor<48x128xf32>
    %76 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%75 : tensor<48x128xf32>) outs(%13 : tensor<48x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %151 = arith.truncf %in : f32 to bf16
      linalg.yield %151 : bf16
    } -> tensor<48x128xbf16>
    %expanded_35 = tensor.expand_shape %76 [[0, 1], [2]] output_shape [2, 24, 128] : tensor<48x128xbf16> into tensor<2x24x128xbf16>
    %77 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_35 : tensor<2x24x128xbf16>, tensor<2x24x128xbf16>) outs(%0 : tensor<2x24x128xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.addf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x128xbf16>
    %78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %77 : tensor<2x24x128xbf16>, tensor<2x24x128xbf16>) outs(%0 : tensor<2x24x128xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x128xbf16>
    %79 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%78 : tensor<2x24x128xbf16>) outs(%3 : tensor<2x24x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %151 = arith.addf %in, %out : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x1xbf16>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<2x24x1xbf16>) outs(%2 : tensor<2x24x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %151 = arith.divf %in, %cst_10 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x1xbf16>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<2x24x1xbf16>) outs(%2 : tensor<2x24x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %151 = arith.truncf %cst_9 : f64 to bf16
      %152 = arith.addf %in, %151 : bf16
      linalg.yield %152 : bf16
    } -> tensor<2x24x1xbf16>
    %82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<2x24x1xbf16>) outs(%2 : tensor<2x24x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %151 = math.rsqrt %in : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x1xbf16>
    %83 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %82 : tensor<2x24x128xbf16>, tensor<2x24x1xbf16>) outs(%0 : tensor<2x24x128xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x128xbf16>
    %84 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %arg8 : tensor<2x24x128xbf16>, tensor<128xbf16>) outs(%0 : tensor<2x24x128xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x128xbf16>
    %collapsed_36 = tensor.collapse_shape %84 [[0, 1], [2]] : tensor<2x24x128xbf16> into tensor<48x128xbf16>
    %85 = tensor.empty() : tensor<48x8xf32>
    %86 = linalg.fill ins(%cst_0 : f32) outs(%85 : tensor<48x8xf32>) -> tensor<48x8xf32>
    %87 = linalg.matmul ins(%collapsed_36, %arg9 : tensor<48x128xbf16>, tensor<128x8xbf16>) outs(%86 : tensor<48x8xf32>) -> tensor<48x8xf32>
    %88 = tensor.empty() : tensor<48x8xbf16>
    %89 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%87 : tensor<48x8xf32>) outs(%88 : tensor<48x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %151 = arith.truncf %in : f32 to bf16
      linalg.yield %151 : bf16
    } -> tensor<48x8xbf16>
    %90 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%89 : tensor<48x8xbf16>) outs(%85 : tensor<48x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %151 = arith.extf %in : bf16 to f32
      linalg.yield %151 : f32
    } -> tensor<48x8xf32>
    %91 = tensor.empty() : tensor<48xi64>
    %92 = linalg.fill ins(%c0_i64 : i64) outs(%91 : tensor<48xi64>) -> tensor<48xi64>
    %93 = tensor.empty() : tensor<48xf32>
    %94 = linalg.fill ins(%cst_1 : f32) outs(%93 : tensor<48xf32>) -> tensor<48xf32>
    %95:2 = linalg.generic {indexing_maps = [#map3, #map14, #map14], iterator_types = ["parallel", "reduction"]} ins(%90 : tensor<48x8xf32>) outs(%94, %92 : tensor<48xf32>, tensor<48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_74: i64):
      %151 = linalg.index 1 : index
      %152 = arith.index_cast %151 : index to i64
      %153 = arith.maximumf %in, %out : f32
      %154 = arith.cmpf ogt, %in, %out : f32
      %155 = arith.select %154, %152, %out_74 : i64
      linalg.yield %153, %155 : f32, i64
    } -> (tensor<48xf32>, tensor<48xi64>)
    %expanded_37 = tensor.expand_shape %95#0 [[0, 1]] output_shape [48, 1] : tensor<48xf32> into tensor<48x1xf32>
    %96 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel"]} ins(%90, %expanded_37 : tensor<48x8xf32>, tensor<48x1xf32>) outs(%85 : tensor<48x8xf32>) {
    ^bb0(%in: f32, %in_74: f32, %out: f32):
      %151 = arith.subf %in, %in_74 : f32
      linalg.yield %151 : f32
    } -> tensor<48x8xf32>
    %97 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%96 : tensor<48x8xf32>) outs(%85 : tensor<48x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %151 = math.exp %in : f32
      linalg.yield %151 : f32
    } -> tensor<48x8xf32>
    %98 = tensor.empty() : tensor<48x1xf32>
    %99 = linalg.fill ins(%cst_0 : f32) outs(%98 : tensor<48x1xf32>) -> tensor<48x1xf32>
    %100 = linalg.generic {indexing_maps = [#map3, #map9], iterator_types = ["parallel", "reduction"]} ins(%97 : tensor<48x8xf32>) outs(%99 : tensor<48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %151 = arith.addf %in, %out : f32
      linalg.yield %151 : f32
    } -> tensor<48x1xf32>
    %101 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel"]} ins(%97, %100 : tensor<48x8xf32>, tensor<48x1xf32>) outs(%85 : tensor<48x8xf32>) {
    ^bb0(%in: f32, %in_74: f32, %out: f32):
      %151 = arith.divf %in, %in_74 : f32
      linalg.yield %151 : f32
    } -> tensor<48x8xf32>
    %102 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%101 : tensor<48x8xf32>) outs(%88 : tensor<48x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %151 = arith.truncf %in : f32 to bf16
      linalg.yield %151 : bf16
    } -> tensor<48x8xbf16>
    %103 = tensor.empty() : tensor<8xi64>
    %104 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel"]} outs(%103 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %151 = linalg.index 0 : index
      %152 = arith.index_cast %151 : index to i64
      linalg.yield %152 : i64
    } -> tensor<8xi64>
    %expanded_38 = tensor.expand_shape %104 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %105 = tensor.empty() : tensor<48xbf16>
    %106 = linalg.fill ins(%cst_2 : bf16) outs(%105 : tensor<48xbf16>) -> tensor<48xbf16>
    %107:2 = linalg.generic {indexing_maps = [#map3, #map14, #map14], iterator_types = ["parallel", "reduction"]} ins(%102 : tensor<48x8xbf16>) outs(%106, %92 : tensor<48xbf16>, tensor<48xi64>) {
    ^bb0(%in: bf16, %out: bf16, %out_74: i64):
      %151 = linalg.index 1 : index
      %152 = arith.index_cast %151 : index to i64
      %153 = arith.maximumf %in, %out : bf16
      %154 = arith.cmpf ogt, %in, %out : bf16
      %155 = arith.select %154, %152, %out_74 : i64
      linalg.yield %153, %155 : bf16, i64
    } -> (tensor<48xbf16>, tensor<48xi64>)
    %expanded_39 = tensor.expand_shape %107#1 [[0, 1]] output_shape [48, 1] : tensor<48xi64> into tensor<48x1xi64>
    %108 = tensor.empty() : tensor<48x8xi1>
    %109 = linalg.generic {indexing_maps = [#map10, #map9, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_38, %expanded_39 : tensor<1x8xi64>, tensor<48x1xi64>) outs(%108 : tensor<48x8xi1>) {
    ^bb0(%in: i64, %in_74: i64, %out: i1):
      %151 = arith.cmpi eq, %in, %in_74 : i64
      linalg.yield %151 : i1
    } -> tensor<48x8xi1>
    %110 = linalg.generic {indexing_maps = [#map3, #map15, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%109, %cst_5, %102 : tensor<48x8xi1>, tensor<bf16>, tensor<48x8xbf16>) outs(%88 : tensor<48x8xbf16>) {
    ^bb0(%in: i1, %in_74: bf16, %in_75: bf16, %out: bf16):
      %151 = arith.select %in, %in_74, %in_75 : bf16
      linalg.yield %151 : bf16
    } -> tensor<48x8xbf16>
    %111:2 = linalg.generic {indexing_maps = [#map3, #map14, #map14], iterator_types = ["parallel", "reduction"]} ins(%110 : tensor<48x8xbf16>) outs(%106, %92 : tensor<48xbf16>, tensor<48xi64>) {
    ^bb0(%in: bf16, %out: bf16, %out_74: i64):
      %151 = linalg.index 1 : index
      %152 = arith.index_cast %151 : index to i64
      %153 = arith.maximumf %in, %out : bf16
      %154 = arith.cmpf ogt, %in, %out : bf16
      %155 = arith.select %154, %152, %out_74 : i64
      linalg.yield %153, %155 : bf16, i64
    } -> (tensor<48xbf16>, tensor<48xi64>)
    %expanded_40 = tensor.expand_shape %111#1 [[0, 1]] output_shape [48, 1] : tensor<48xi64> into tensor<48x1xi64>
    %concat_41 = tensor.concat dim(1) %expanded_39, %expanded_40 : (tensor<48x1xi64>, tensor<48x1xi64>) -> tensor<48x2xi64>
    %expanded_42 = tensor.expand_shape %concat_41 [[0], [1, 2]] output_shape [48, 2, 1] : tensor<48x2xi64> into tensor<48x2x1xi64>
    %112 = tensor.empty() : tensor<48x2x8xi1>
    %113 = linalg.generic {indexing_maps = [#map1, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_42, %104 : tensor<48x2x1xi64>, tensor<8xi64>) outs(%112 : tensor<48x2x8xi1>) {
    ^bb0(%in: i64, %in_74: i64, %out: i1):
      %151 = arith.cmpi eq, %in, %in_74 : i64
      linalg.yield %151 : i1
    } -> tensor<48x2x8xi1>
    %114 = tensor.empty() : tensor<48x2x8xi64>
    %115 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<48x2x8xi1>) outs(%114 : tensor<48x2x8xi64>) {
    ^bb0(%in: i1, %out: i64):
      %151 = arith.extui %in : i1 to i64
      linalg.yield %151 : i64
    } -> tensor<48x2x8xi64>
    %116 = tensor.empty() : tensor<48x8xi64>
    %117 = linalg.fill ins(%c0_i64 : i64) outs(%116 : tensor<48x8xi64>) -> tensor<48x8xi64>
    %118 = linalg.generic {indexing_maps = [#map, #map16], iterator_types = ["parallel", "reduction", "parallel"]} ins(%115 : tensor<48x2x8xi64>) outs(%117 : tensor<48x8xi64>) {
    ^bb0(%in: i64, %out: i64):
      %151 = arith.addi %in, %out : i64
      linalg.yield %151 : i64
    } -> tensor<48x8xi64>
    %119 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%118 : tensor<48x8xi64>) outs(%88 : tensor<48x8xbf16>) {
    ^bb0(%in: i64, %out: bf16):
      %151 = arith.sitofp %in : i64 to bf16
      linalg.yield %151 : bf16
    } -> tensor<48x8xbf16>
    %120 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%119, %102 : tensor<48x8xbf16>, tensor<48x8xbf16>) outs(%88 : tensor<48x8xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<48x8xbf16>
    %121 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%120 : tensor<48x8xbf16>) outs(%108 : tensor<48x8xi1>) {
    ^bb0(%in: bf16, %out: i1):
      %151 = arith.extf %in : bf16 to f64
      %152 = arith.cmpf une, %151, %cst_7 : f64
      linalg.yield %152 : i1
    } -> tensor<48x8xi1>
    %122 = linalg.generic {indexing_maps = [#map3, #map3, #map15, #map3], iterator_types = ["parallel", "parallel"]} ins(%121, %120, %cst_4 : tensor<48x8xi1>, tensor<48x8xbf16>, tensor<bf16>) outs(%88 : tensor<48x8xbf16>) attrs =  {pit.sparse = {absent = "zero", at_most = 2 : i64, axes = array<i64: 0, 1>, source = "values"}} {
    ^bb0(%in: i1, %in_74: bf16, %in_75: bf16, %out: bf16):
      %151 = arith.select %in, %in_74, %in_75 : bf16
      linalg.yield %151 : bf16
    } -> tensor<48x8xbf16>
    %expanded_43 = tensor.expand_shape %arg11 [[0], [1], [2, 3]] output_shape [8, 128, 48, 1] : tensor<8x128x48xbf16> into tensor<8x128x48x1xbf16>
    %expanded_44 = tensor.expand_shape %collapsed_36 [[0, 1], [2]] output_shape [1, 48, 128] : tensor<48x128xbf16> into tensor<1x48x128xbf16>
    %123 = tensor.empty() : tensor<128x8x48x1xbf16>
    %transposed_45 = linalg.transpose ins(%expanded_43 : tensor<8x128x48x1xbf16>) outs(%123 : tensor<128x8x48x1xbf16>) permutation = [1, 0, 2, 3] 
    %collapsed_46 = tensor.collapse_shape %transposed_45 [[0], [1, 2, 3]] : tensor<128x8x48x1xbf16> into tensor<128x384xbf16>
    %expanded_47 = tensor.expand_shape %collapsed_46 [[0, 1], [2]] output_shape [1, 128, 384] : tensor<128x384xbf16> into tensor<1x128x384xbf16>
    %124 = tensor.empty() : tensor<1x48x384xf32>
    %125 = linalg.fill ins(%cst_0 : f32) outs(%124 : tensor<1x48x384xf32>) -> tensor<1x48x384xf32>
    %126 = linalg.batch_matmul ins(%expanded_44, %expanded_47 : tensor<1x48x128xbf16>, tensor<1x128x384xbf16>) outs(%125 : tensor<1x48x384xf32>) -> tensor<1x48x384xf32>
    %127 = tensor.empty() : tensor<1x48x384xbf16>
    %128 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<1x48x384xf32>) outs(%127 : tensor<1x48x384xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %151 = arith.truncf %in : f32 to bf16
      linalg.yield %151 : bf16
    } -> tensor<1x48x384xbf16>
    %collapsed_48 = tensor.collapse_shape %128 [[0, 1], [2]] : tensor<1x48x384xbf16> into tensor<48x384xbf16>
    %expanded_49 = tensor.expand_shape %collapsed_48 [[0], [1, 2, 3]] output_shape [48, 1, 8, 48] : tensor<48x384xbf16> into tensor<48x1x8x48xbf16>
    %129 = tensor.empty() : tensor<48x8x48x1xbf16>
    %transposed_50 = linalg.transpose ins(%expanded_49 : tensor<48x1x8x48xbf16>) outs(%129 : tensor<48x8x48x1xbf16>) permutation = [0, 2, 3, 1] 
    %collapsed_51 = tensor.collapse_shape %transposed_50 [[0], [1], [2, 3]] : tensor<48x8x48x1xbf16> into tensor<48x8x48xbf16>
    %expanded_52 = tensor.expand_shape %arg10 [[0], [1], [2, 3]] output_shape [8, 128, 48, 1] : tensor<8x128x48xbf16> into tensor<8x128x48x1xbf16>
    %transposed_53 = linalg.transpose ins(%expanded_52 : tensor<8x128x48x1xbf16>) outs(%123 : tensor<128x8x48x1xbf16>) permutation = [1, 0, 2, 3] 
    %collapsed_54 = tensor.collapse_shape %transposed_53 [[0], [1, 2, 3]] : tensor<128x8x48x1xbf16> into tensor<128x384xbf16>
    %expanded_55 = tensor.expand_shape %collapsed_54 [[0, 1], [2]] output_shape [1, 128, 384] : tensor<128x384xbf16> into tensor<1x128x384xbf16>
    %130 = linalg.batch_matmul ins(%expanded_44, %expanded_55 : tensor<1x48x128xbf16>, tensor<1x128x384xbf16>) outs(%125 : tensor<1x48x384xf32>) -> tensor<1x48x384xf32>
    %131 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<1x48x384xf32>) outs(%127 : tensor<1x48x384xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %151 = arith.truncf %in : f32 to bf16
      linalg.yield %151 : bf16
    } -> tensor<1x48x384xbf16>
    %collapsed_56 = tensor.collapse_shape %131 [[0, 1], [2]] : tensor<1x48x384xbf16> into tensor<48x384xbf16>
    %expanded_57 = tensor.expand_shape %collapsed_56 [[0], [1, 2, 3]] output_shape [48, 1, 8, 48] : tensor<48x384xbf16> into tensor<48x1x8x48xbf16>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<48x1x8x48xbf16>) outs(%129 : tensor<48x8x48x1xbf16>) permutation = [0, 2, 3, 1] 
    %collapsed_59 = tensor.collapse_shape %transposed_58 [[0], [1], [2, 3]] : tensor<48x8x48x1xbf16> into tensor<48x8x48xbf16>
    %132 = tensor.empty() : tensor<48x8x48xf32>
    %133 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_59 : tensor<48x8x48xbf16>) outs(%132 : tensor<48x8x48xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %151 = arith.extf %in : bf16 to f32
      linalg.yield %151 : f32
    } -> tensor<48x8x48xf32>
    %134 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<48x8x48xf32>) outs(%132 : tensor<48x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %151 = arith.negf %in : f32
      linalg.yield %151 : f32
    } -> tensor<48x8x48xf32>
    %135 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<48x8x48xf32>) outs(%132 : tensor<48x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %151 = math.exp %in : f32
      linalg.yield %151 : f32
    } -> tensor<48x8x48xf32>
    %136 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<48x8x48xf32>) outs(%132 : tensor<48x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %151 = arith.addf %in, %cst_12 : f32
      linalg.yield %151 : f32
    } -> tensor<48x8x48xf32>
    %137 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %136 : tensor<48x8x48xf32>, tensor<48x8x48xf32>) outs(%132 : tensor<48x8x48xf32>) {
    ^bb0(%in: f32, %in_74: f32, %out: f32):
      %151 = arith.divf %in, %in_74 : f32
      linalg.yield %151 : f32
    } -> tensor<48x8x48xf32>
    %138 = tensor.empty() : tensor<48x8x48xbf16>
    %139 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137 : tensor<48x8x48xf32>) outs(%138 : tensor<48x8x48xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %151 = arith.truncf %in : f32 to bf16
      linalg.yield %151 : bf16
    } -> tensor<48x8x48xbf16>
    %140 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139, %collapsed_51 : tensor<48x8x48xbf16>, tensor<48x8x48xbf16>) outs(%138 : tensor<48x8x48xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<48x8x48xbf16>
    %expanded_60 = tensor.expand_shape %122 [[0], [1, 2, 3]] output_shape [48, 8, 1, 1] : tensor<48x8xbf16> into tensor<48x8x1x1xbf16>
    %141 = tensor.empty() : tensor<48x1x8x1xbf16>
    %transposed_61 = linalg.transpose ins(%expanded_60 : tensor<48x8x1x1xbf16>) outs(%141 : tensor<48x1x8x1xbf16>) permutation = [0, 2, 1, 3] 
    %expanded_62 = tensor.expand_shape %140 [[0], [1], [2, 3]] output_shape [48, 8, 48, 1] : tensor<48x8x48xbf16> into tensor<48x8x48x1xbf16>
    %142 = tensor.empty() : tensor<48x1x8x48xbf16>
    %transposed_63 = linalg.transpose ins(%expanded_62 : tensor<48x8x48x1xbf16>) outs(%142 : tensor<48x1x8x48xbf16>) permutation = [0, 3, 1, 2] 
    %143 = linalg.generic {indexing_maps = [#map12, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_61, %transposed_63 : tensor<48x1x8x1xbf16>, tensor<48x1x8x48xbf16>) outs(%142 : tensor<48x1x8x48xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.mulf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<48x1x8x48xbf16>
    %transposed_64 = linalg.transpose ins(%143 : tensor<48x1x8x48xbf16>) outs(%129 : tensor<48x8x48x1xbf16>) permutation = [0, 2, 3, 1] 
    %collapsed_65 = tensor.collapse_shape %transposed_64 [[0], [1, 2, 3]] : tensor<48x8x48x1xbf16> into tensor<48x384xbf16>
    %expanded_66 = tensor.expand_shape %collapsed_65 [[0, 1], [2]] output_shape [1, 48, 384] : tensor<48x384xbf16> into tensor<1x48x384xbf16>
    %collapsed_67 = tensor.collapse_shape %arg12 [[0, 1], [2]] : tensor<8x48x128xbf16> into tensor<384x128xbf16>
    %expanded_68 = tensor.expand_shape %collapsed_67 [[0, 1], [2]] output_shape [1, 384, 128] : tensor<384x128xbf16> into tensor<1x384x128xbf16>
    %144 = tensor.empty() : tensor<1x48x128xf32>
    %145 = linalg.fill ins(%cst_0 : f32) outs(%144 : tensor<1x48x128xf32>) -> tensor<1x48x128xf32>
    %146 = linalg.batch_matmul ins(%expanded_66, %expanded_68 : tensor<1x48x384xbf16>, tensor<1x384x128xbf16>) outs(%145 : tensor<1x48x128xf32>) -> tensor<1x48x128xf32>
    %147 = tensor.empty() : tensor<1x48x128xbf16>
    %148 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<1x48x128xf32>) outs(%147 : tensor<1x48x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %151 = arith.truncf %in : f32 to bf16
      linalg.yield %151 : bf16
    } -> tensor<1x48x128xbf16>
    %collapsed_69 = tensor.collapse_shape %148 [[0, 1], [2]] : tensor<1x48x128xbf16> into tensor<48x128xbf16>
    %expanded_70 = tensor.expand_shape %collapsed_69 [[0], [1, 2, 3]] output_shape [48, 1, 1, 128] : tensor<48x128xbf16> into tensor<48x1x1x128xbf16>
    %149 = tensor.empty() : tensor<48x128x1x1xbf16>
    %transposed_71 = linalg.transpose ins(%expanded_70 : tensor<48x1x1x128xbf16>) outs(%149 : tensor<48x128x1x1xbf16>) permutation = [0, 3, 1, 2] 
    %collapsed_72 = tensor.collapse_shape %transposed_71 [[0], [1, 2, 3]] : tensor<48x128x1x1xbf16> into tensor<48x128xbf16>
    %expanded_73 = tensor.expand_shape %collapsed_72 [[0, 1], [2]] output_shape [2, 24, 128] : tensor<48x128xbf16> into tensor<2x24x128xbf16>
    %150 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %expanded_73 : tensor<2x24x128xbf16>, tensor<2x24x128xbf16>) outs(%0 : tensor<2x24x128xbf16>) {
    ^bb0(%in: bf16, %in_74: bf16, %out: bf16):
      %151 = arith.addf %in, %in_74 : bf16
      linalg.yield %151 : bf16
    } -> tensor<2x24x128xbf16>
    return %150 : tensor<2x24x128xbf16>
  }
}


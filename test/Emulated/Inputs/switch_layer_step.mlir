// A training step of a layer as Switch transformers have it: root mean square norms, causal attention, a router that keeps one of
// eight experts, ReLU, in f32. benchmarks/parallel/decoder.py writes it: --export switch f32 step (torch 2.15.0, torch-mlir 20261001).
// From x, wq, wk, wv, wo, norm1, norm2, router, up, down and dy to y and the gradients by all but dy.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1) -> (d0)>
#map13 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map14 = affine_map<(d0, d1) -> ()>
#map15 = affine_map<(d0, d1, d2) -> ()>
#map16 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map17 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<2x24x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>, %arg3: tensor<64x64xf32>, %arg4: tensor<64x64xf32>, %arg5: tensor<64xf32>, %arg6: tensor<64xf32>, %arg7: tensor<64x8xf32>, %arg8: tensor<8x64x48xf32>, %arg9: tensor<8x48x64xf32>, %arg10: tensor<2x24x64xf32>) -> (tensor<2x24x64xf32>, tensor<2x24x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x8xf32>, tensor<8x64x48xf32>, tensor<8x48x64xf32>) {
    %c3_i64 = arith.constant 3 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %false = arith.constant false
    %true = arith.constant true
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant 0.000000e+00 : f64
    %cst_4 = arith.constant 0xFFF0000000000000 : f64
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant 6.400000e+01 : f32
    %cst_7 = arith.constant 2.500000e-01 : f32
    %cst_8 = arith.constant -5.000000e-01 : f32
    %0 = tensor.empty() : tensor<2x24x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %2 = tensor.empty() : tensor<2x24x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x24x1xf32>) -> tensor<2x24x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x24x64xf32>) outs(%3 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x24x1xf32>) outs(%2 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.divf %in, %cst_6 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x24x1xf32>) outs(%2 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_5 : f64 to f32
      %194 = arith.addf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x24x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x24x1xf32>) outs(%2 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.rsqrt %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<2x24x64xf32>, tensor<2x24x1xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %arg5 : tensor<2x24x64xf32>, tensor<64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<2x24x64xf32> into tensor<48x64xf32>
    %10 = tensor.empty() : tensor<48x64xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %12 = linalg.matmul ins(%collapsed, %arg1 : tensor<48x64xf32>, tensor<64x64xf32>) outs(%11 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %expanded = tensor.expand_shape %12 [[0, 1], [2, 3]] output_shape [2, 24, 4, 16] : tensor<48x64xf32> into tensor<2x24x4x16xf32>
    %13 = tensor.empty() : tensor<2x4x24x16xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<2x24x4x16xf32>) outs(%13 : tensor<2x4x24x16xf32>) permutation = [0, 2, 1, 3] 
    %14 = linalg.matmul ins(%collapsed, %arg2 : tensor<48x64xf32>, tensor<64x64xf32>) outs(%11 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %expanded_9 = tensor.expand_shape %14 [[0, 1], [2, 3]] output_shape [2, 24, 4, 16] : tensor<48x64xf32> into tensor<2x24x4x16xf32>
    %15 = linalg.matmul ins(%collapsed, %arg3 : tensor<48x64xf32>, tensor<64x64xf32>) outs(%11 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %expanded_10 = tensor.expand_shape %15 [[0, 1], [2, 3]] output_shape [2, 24, 4, 16] : tensor<48x64xf32> into tensor<2x24x4x16xf32>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<2x24x4x16xf32>) outs(%13 : tensor<2x4x24x16xf32>) permutation = [0, 2, 1, 3] 
    %16 = tensor.empty() : tensor<2x4x16x24xf32>
    %transposed_12 = linalg.transpose ins(%expanded_9 : tensor<2x24x4x16xf32>) outs(%16 : tensor<2x4x16x24xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_13 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %collapsed_14 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3]] : tensor<2x4x16x24xf32> into tensor<8x16x24xf32>
    %17 = tensor.empty() : tensor<8x24x24xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %19 = linalg.batch_matmul ins(%collapsed_13, %collapsed_14 : tensor<8x24x16xf32>, tensor<8x16x24xf32>) outs(%18 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %expanded_15 = tensor.expand_shape %19 [[0, 1], [2], [3]] output_shape [2, 4, 24, 24] : tensor<8x24x24xf32> into tensor<2x4x24x24xf32>
    %20 = tensor.empty() : tensor<2x4x24x24xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15 : tensor<2x4x24x24xf32>) outs(%20 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.mulf %in, %cst_7 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x24xf32>
    %22 = tensor.empty() : tensor<24xi64>
    %23 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%22 : tensor<24xi64>) {
    ^bb0(%out: i64):
      %193 = linalg.index 0 : index
      %194 = arith.index_cast %193 : index to i64
      linalg.yield %194 : i64
    } -> tensor<24xi64>
    %expanded_16 = tensor.expand_shape %23 [[0, 1]] output_shape [24, 1] : tensor<24xi64> into tensor<24x1xi64>
    %expanded_17 = tensor.expand_shape %23 [[0, 1]] output_shape [1, 24] : tensor<24xi64> into tensor<1x24xi64>
    %24 = tensor.empty() : tensor<24x24xi1>
    %25 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%expanded_16, %expanded_17 : tensor<24x1xi64>, tensor<1x24xi64>) outs(%24 : tensor<24x24xi1>) {
    ^bb0(%in: i64, %in_113: i64, %out: i1):
      %193 = arith.cmpi sge, %in, %in_113 : i64
      linalg.yield %193 : i1
    } -> tensor<24x24xi1>
    %26 = linalg.generic {indexing_maps = [#map8, #map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %21, %cst_2 : tensor<24x24xi1>, tensor<2x4x24x24xf32>, tensor<f32>) outs(%20 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: i1, %in_113: f32, %in_114: f32, %out: f32):
      %193 = arith.select %in, %in_113, %in_114 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x24xf32>
    %27 = tensor.empty() : tensor<2x4x24x24xi1>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<2x4x24x24xf32>) outs(%27 : tensor<2x4x24x24xi1>) {
    ^bb0(%in: f32, %out: i1):
      %193 = arith.extf %in : f32 to f64
      %194 = arith.cmpf une, %193, %cst_4 : f64
      linalg.yield %194 : i1
    } -> tensor<2x4x24x24xi1>
    %29 = tensor.empty() : tensor<2x4x24x1xi1>
    %30 = linalg.fill ins(%false : i1) outs(%29 : tensor<2x4x24x1xi1>) -> tensor<2x4x24x1xi1>
    %31 = linalg.generic {indexing_maps = [#map3, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<2x4x24x24xi1>) outs(%30 : tensor<2x4x24x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %193 = arith.ori %in, %out : i1
      linalg.yield %193 : i1
    } -> tensor<2x4x24x1xi1>
    %32 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<2x4x24x1xi1>) outs(%29 : tensor<2x4x24x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %193 = arith.xori %in, %true : i1
      linalg.yield %193 : i1
    } -> tensor<2x4x24x1xi1>
    %33 = tensor.empty() : tensor<2x4x24xi64>
    %34 = linalg.fill ins(%c0_i64 : i64) outs(%33 : tensor<2x4x24xi64>) -> tensor<2x4x24xi64>
    %35 = tensor.empty() : tensor<2x4x24xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %37:2 = linalg.generic {indexing_maps = [#map3, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<2x4x24x24xf32>) outs(%36, %34 : tensor<2x4x24xf32>, tensor<2x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_113: i64):
      %193 = linalg.index 3 : index
      %194 = arith.index_cast %193 : index to i64
      %195 = arith.maximumf %in, %out : f32
      %196 = arith.cmpf ogt, %in, %out : f32
      %197 = arith.select %196, %194, %out_113 : i64
      linalg.yield %195, %197 : f32, i64
    } -> (tensor<2x4x24xf32>, tensor<2x4x24xi64>)
    %expanded_18 = tensor.expand_shape %37#0 [[0], [1], [2, 3]] output_shape [2, 4, 24, 1] : tensor<2x4x24xf32> into tensor<2x4x24x1xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %expanded_18 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%20 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.subf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x24xf32>
    %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<2x4x24x24xf32>) outs(%20 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.exp %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x24xf32>
    %40 = tensor.empty() : tensor<2x4x24x1xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %42 = linalg.generic {indexing_maps = [#map3, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<2x4x24x24xf32>) outs(%41 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x1xf32>
    %43 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %42 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%20 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.divf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x24xf32>
    %44 = linalg.generic {indexing_maps = [#map10, #map9, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %cst_1, %43 : tensor<2x4x24x1xi1>, tensor<f32>, tensor<2x4x24x24xf32>) outs(%20 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: i1, %in_113: f32, %in_114: f32, %out: f32):
      %193 = arith.select %in, %in_113, %in_114 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x24xf32>
    %collapsed_19 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<2x4x24x24xf32> into tensor<8x24x24xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_11 [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %45 = tensor.empty() : tensor<8x24x16xf32>
    %46 = linalg.fill ins(%cst : f32) outs(%45 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %47 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<8x24x24xf32>, tensor<8x24x16xf32>) outs(%46 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %expanded_21 = tensor.expand_shape %47 [[0, 1], [2], [3]] output_shape [2, 4, 24, 16] : tensor<8x24x16xf32> into tensor<2x4x24x16xf32>
    %48 = tensor.empty() : tensor<2x24x4x16xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<2x4x24x16xf32>) outs(%48 : tensor<2x24x4x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_23 = tensor.collapse_shape %transposed_22 [[0, 1], [2, 3]] : tensor<2x24x4x16xf32> into tensor<48x64xf32>
    %49 = linalg.matmul ins(%collapsed_23, %arg4 : tensor<48x64xf32>, tensor<64x64xf32>) outs(%11 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %expanded_24 = tensor.expand_shape %49 [[0, 1], [2]] output_shape [2, 24, 64] : tensor<48x64xf32> into tensor<2x24x64xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_24 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.addf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %50 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%51 : tensor<2x24x64xf32>) outs(%3 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52 : tensor<2x24x1xf32>) outs(%2 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.divf %in, %cst_6 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<2x24x1xf32>) outs(%2 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.truncf %cst_5 : f64 to f32
      %194 = arith.addf %in, %193 : f32
      linalg.yield %194 : f32
    } -> tensor<2x24x1xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<2x24x1xf32>) outs(%2 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.rsqrt %in : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %55 : tensor<2x24x64xf32>, tensor<2x24x1xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %arg6 : tensor<2x24x64xf32>, tensor<64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %collapsed_25 = tensor.collapse_shape %57 [[0, 1], [2]] : tensor<2x24x64xf32> into tensor<48x64xf32>
    %58 = tensor.empty() : tensor<48x8xf32>
    %59 = linalg.fill ins(%cst : f32) outs(%58 : tensor<48x8xf32>) -> tensor<48x8xf32>
    %60 = linalg.matmul ins(%collapsed_25, %arg7 : tensor<48x64xf32>, tensor<64x8xf32>) outs(%59 : tensor<48x8xf32>) -> tensor<48x8xf32>
    %61 = tensor.empty() : tensor<48xi64>
    %62 = linalg.fill ins(%c0_i64 : i64) outs(%61 : tensor<48xi64>) -> tensor<48xi64>
    %63 = tensor.empty() : tensor<48xf32>
    %64 = linalg.fill ins(%cst_0 : f32) outs(%63 : tensor<48xf32>) -> tensor<48xf32>
    %65:2 = linalg.generic {indexing_maps = [#map7, #map12, #map12], iterator_types = ["parallel", "reduction"]} ins(%60 : tensor<48x8xf32>) outs(%64, %62 : tensor<48xf32>, tensor<48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_113: i64):
      %193 = linalg.index 1 : index
      %194 = arith.index_cast %193 : index to i64
      %195 = arith.maximumf %in, %out : f32
      %196 = arith.cmpf ogt, %in, %out : f32
      %197 = arith.select %196, %194, %out_113 : i64
      linalg.yield %195, %197 : f32, i64
    } -> (tensor<48xf32>, tensor<48xi64>)
    %expanded_26 = tensor.expand_shape %65#0 [[0, 1]] output_shape [48, 1] : tensor<48xf32> into tensor<48x1xf32>
    %66 = linalg.generic {indexing_maps = [#map7, #map5, #map7], iterator_types = ["parallel", "parallel"]} ins(%60, %expanded_26 : tensor<48x8xf32>, tensor<48x1xf32>) outs(%58 : tensor<48x8xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.subf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<48x8xf32>
    %67 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%66 : tensor<48x8xf32>) outs(%58 : tensor<48x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.exp %in : f32
      linalg.yield %193 : f32
    } -> tensor<48x8xf32>
    %68 = tensor.empty() : tensor<48x1xf32>
    %69 = linalg.fill ins(%cst : f32) outs(%68 : tensor<48x1xf32>) -> tensor<48x1xf32>
    %70 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "reduction"]} ins(%67 : tensor<48x8xf32>) outs(%69 : tensor<48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<48x1xf32>
    %71 = linalg.generic {indexing_maps = [#map7, #map5, #map7], iterator_types = ["parallel", "parallel"]} ins(%67, %70 : tensor<48x8xf32>, tensor<48x1xf32>) outs(%58 : tensor<48x8xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.divf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<48x8xf32>
    %72:2 = linalg.generic {indexing_maps = [#map7, #map12, #map12], iterator_types = ["parallel", "reduction"]} ins(%71 : tensor<48x8xf32>) outs(%64, %62 : tensor<48xf32>, tensor<48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_113: i64):
      %193 = linalg.index 1 : index
      %194 = arith.index_cast %193 : index to i64
      %195 = arith.maximumf %in, %out : f32
      %196 = arith.cmpf ogt, %in, %out : f32
      %197 = arith.select %196, %194, %out_113 : i64
      linalg.yield %195, %197 : f32, i64
    } -> (tensor<48xf32>, tensor<48xi64>)
    %73 = tensor.empty() : tensor<8xi64>
    %74 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%73 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %193 = linalg.index 0 : index
      %194 = arith.index_cast %193 : index to i64
      linalg.yield %194 : i64
    } -> tensor<8xi64>
    %expanded_27 = tensor.expand_shape %72#1 [[0, 1, 2]] output_shape [48, 1, 1] : tensor<48xi64> into tensor<48x1x1xi64>
    %75 = tensor.empty() : tensor<48x1x8xi1>
    %76 = linalg.generic {indexing_maps = [#map1, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_27, %74 : tensor<48x1x1xi64>, tensor<8xi64>) outs(%75 : tensor<48x1x8xi1>) {
    ^bb0(%in: i64, %in_113: i64, %out: i1):
      %193 = arith.cmpi eq, %in, %in_113 : i64
      linalg.yield %193 : i1
    } -> tensor<48x1x8xi1>
    %77 = tensor.empty() : tensor<48x1x8xi64>
    %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<48x1x8xi1>) outs(%77 : tensor<48x1x8xi64>) {
    ^bb0(%in: i1, %out: i64):
      %193 = arith.extui %in : i1 to i64
      linalg.yield %193 : i64
    } -> tensor<48x1x8xi64>
    %79 = tensor.empty() : tensor<48x8xi64>
    %80 = linalg.fill ins(%c0_i64 : i64) outs(%79 : tensor<48x8xi64>) -> tensor<48x8xi64>
    %81 = linalg.generic {indexing_maps = [#map, #map13], iterator_types = ["parallel", "reduction", "parallel"]} ins(%78 : tensor<48x1x8xi64>) outs(%80 : tensor<48x8xi64>) {
    ^bb0(%in: i64, %out: i64):
      %193 = arith.addi %in, %out : i64
      linalg.yield %193 : i64
    } -> tensor<48x8xi64>
    %82 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%81 : tensor<48x8xi64>) outs(%58 : tensor<48x8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %193 = arith.sitofp %in : i64 to f32
      linalg.yield %193 : f32
    } -> tensor<48x8xf32>
    %83 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%82, %71 : tensor<48x8xf32>, tensor<48x8xf32>) outs(%58 : tensor<48x8xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<48x8xf32>
    %84 = tensor.empty() : tensor<48x8xi1>
    %85 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%83 : tensor<48x8xf32>) outs(%84 : tensor<48x8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %193 = arith.extf %in : f32 to f64
      %194 = arith.cmpf une, %193, %cst_3 : f64
      linalg.yield %194 : i1
    } -> tensor<48x8xi1>
    %86 = linalg.generic {indexing_maps = [#map7, #map7, #map14, #map7], iterator_types = ["parallel", "parallel"]} ins(%85, %83, %cst_1 : tensor<48x8xi1>, tensor<48x8xf32>, tensor<f32>) outs(%58 : tensor<48x8xf32>) attrs =  {pit.sparse = {absent = "zero", at_most = 1 : i64, axes = array<i64: 0, 1>, source = "values"}} {
    ^bb0(%in: i1, %in_113: f32, %in_114: f32, %out: f32):
      %193 = arith.select %in, %in_113, %in_114 : f32
      linalg.yield %193 : f32
    } -> tensor<48x8xf32>
    %expanded_28 = tensor.expand_shape %arg8 [[0], [1], [2, 3]] output_shape [8, 64, 48, 1] : tensor<8x64x48xf32> into tensor<8x64x48x1xf32>
    %expanded_29 = tensor.expand_shape %collapsed_25 [[0, 1], [2]] output_shape [1, 48, 64] : tensor<48x64xf32> into tensor<1x48x64xf32>
    %87 = tensor.empty() : tensor<64x8x48x1xf32>
    %transposed_30 = linalg.transpose ins(%expanded_28 : tensor<8x64x48x1xf32>) outs(%87 : tensor<64x8x48x1xf32>) permutation = [1, 0, 2, 3] 
    %collapsed_31 = tensor.collapse_shape %transposed_30 [[0], [1, 2, 3]] : tensor<64x8x48x1xf32> into tensor<64x384xf32>
    %expanded_32 = tensor.expand_shape %collapsed_31 [[0, 1], [2]] output_shape [1, 64, 384] : tensor<64x384xf32> into tensor<1x64x384xf32>
    %88 = tensor.empty() : tensor<1x48x384xf32>
    %89 = linalg.fill ins(%cst : f32) outs(%88 : tensor<1x48x384xf32>) -> tensor<1x48x384xf32>
    %90 = linalg.batch_matmul ins(%expanded_29, %expanded_32 : tensor<1x48x64xf32>, tensor<1x64x384xf32>) outs(%89 : tensor<1x48x384xf32>) -> tensor<1x48x384xf32>
    %collapsed_33 = tensor.collapse_shape %90 [[0, 1], [2]] : tensor<1x48x384xf32> into tensor<48x384xf32>
    %expanded_34 = tensor.expand_shape %collapsed_33 [[0], [1, 2, 3]] output_shape [48, 1, 8, 48] : tensor<48x384xf32> into tensor<48x1x8x48xf32>
    %91 = tensor.empty() : tensor<48x8x48x1xf32>
    %transposed_35 = linalg.transpose ins(%expanded_34 : tensor<48x1x8x48xf32>) outs(%91 : tensor<48x8x48x1xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_36 = tensor.collapse_shape %transposed_35 [[0], [1], [2, 3]] : tensor<48x8x48x1xf32> into tensor<48x8x48xf32>
    %92 = tensor.empty() : tensor<48x8x48xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_36 : tensor<48x8x48xf32>) outs(%92 : tensor<48x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.cmpf ugt, %in, %cst : f32
      %194 = arith.select %193, %in, %cst : f32
      linalg.yield %194 : f32
    } -> tensor<48x8x48xf32>
    %expanded_37 = tensor.expand_shape %86 [[0], [1, 2, 3]] output_shape [48, 8, 1, 1] : tensor<48x8xf32> into tensor<48x8x1x1xf32>
    %94 = tensor.empty() : tensor<48x1x8x1xf32>
    %transposed_38 = linalg.transpose ins(%expanded_37 : tensor<48x8x1x1xf32>) outs(%94 : tensor<48x1x8x1xf32>) permutation = [0, 2, 1, 3] 
    %expanded_39 = tensor.expand_shape %93 [[0], [1], [2, 3]] output_shape [48, 8, 48, 1] : tensor<48x8x48xf32> into tensor<48x8x48x1xf32>
    %95 = tensor.empty() : tensor<48x1x8x48xf32>
    %transposed_40 = linalg.transpose ins(%expanded_39 : tensor<48x8x48x1xf32>) outs(%95 : tensor<48x1x8x48xf32>) permutation = [0, 3, 1, 2] 
    %96 = linalg.generic {indexing_maps = [#map10, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_38, %transposed_40 : tensor<48x1x8x1xf32>, tensor<48x1x8x48xf32>) outs(%95 : tensor<48x1x8x48xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<48x1x8x48xf32>
    %transposed_41 = linalg.transpose ins(%96 : tensor<48x1x8x48xf32>) outs(%91 : tensor<48x8x48x1xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_42 = tensor.collapse_shape %transposed_41 [[0], [1, 2, 3]] : tensor<48x8x48x1xf32> into tensor<48x384xf32>
    %expanded_43 = tensor.expand_shape %collapsed_42 [[0, 1], [2]] output_shape [1, 48, 384] : tensor<48x384xf32> into tensor<1x48x384xf32>
    %collapsed_44 = tensor.collapse_shape %arg9 [[0, 1], [2]] : tensor<8x48x64xf32> into tensor<384x64xf32>
    %expanded_45 = tensor.expand_shape %collapsed_44 [[0, 1], [2]] output_shape [1, 384, 64] : tensor<384x64xf32> into tensor<1x384x64xf32>
    %97 = tensor.empty() : tensor<1x48x64xf32>
    %98 = linalg.fill ins(%cst : f32) outs(%97 : tensor<1x48x64xf32>) -> tensor<1x48x64xf32>
    %99 = linalg.batch_matmul ins(%expanded_43, %expanded_45 : tensor<1x48x384xf32>, tensor<1x384x64xf32>) outs(%98 : tensor<1x48x64xf32>) -> tensor<1x48x64xf32>
    %collapsed_46 = tensor.collapse_shape %99 [[0, 1], [2]] : tensor<1x48x64xf32> into tensor<48x64xf32>
    %expanded_47 = tensor.expand_shape %collapsed_46 [[0], [1, 2, 3]] output_shape [48, 1, 1, 64] : tensor<48x64xf32> into tensor<48x1x1x64xf32>
    %100 = tensor.empty() : tensor<48x64x1x1xf32>
    %transposed_48 = linalg.transpose ins(%expanded_47 : tensor<48x1x1x64xf32>) outs(%100 : tensor<48x64x1x1xf32>) permutation = [0, 3, 1, 2] 
    %collapsed_49 = tensor.collapse_shape %transposed_48 [[0], [1, 2, 3]] : tensor<48x64x1x1xf32> into tensor<48x64xf32>
    %expanded_50 = tensor.expand_shape %collapsed_49 [[0, 1], [2]] output_shape [2, 24, 64] : tensor<48x64xf32> into tensor<2x24x64xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %expanded_50 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.addf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %collapsed_51 = tensor.collapse_shape %arg10 [[0, 1], [2]] : tensor<2x24x64xf32> into tensor<48x64xf32>
    %expanded_52 = tensor.expand_shape %collapsed_51 [[0], [1, 2, 3]] output_shape [48, 64, 1, 1] : tensor<48x64xf32> into tensor<48x64x1x1xf32>
    %102 = tensor.empty() : tensor<48x1x1x64xf32>
    %transposed_53 = linalg.transpose ins(%expanded_52 : tensor<48x64x1x1xf32>) outs(%102 : tensor<48x1x1x64xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_54 = tensor.collapse_shape %transposed_53 [[0], [1, 2, 3]] : tensor<48x1x1x64xf32> into tensor<48x64xf32>
    %expanded_55 = tensor.expand_shape %collapsed_54 [[0, 1], [2]] output_shape [1, 48, 64] : tensor<48x64xf32> into tensor<1x48x64xf32>
    %103 = tensor.empty() : tensor<1x384x48xf32>
    %transposed_56 = linalg.transpose ins(%expanded_43 : tensor<1x48x384xf32>) outs(%103 : tensor<1x384x48xf32>) permutation = [0, 2, 1] 
    %104 = tensor.empty() : tensor<1x384x64xf32>
    %105 = linalg.fill ins(%cst : f32) outs(%104 : tensor<1x384x64xf32>) -> tensor<1x384x64xf32>
    %106 = linalg.batch_matmul ins(%transposed_56, %expanded_55 : tensor<1x384x48xf32>, tensor<1x48x64xf32>) outs(%105 : tensor<1x384x64xf32>) -> tensor<1x384x64xf32>
    %107 = tensor.empty() : tensor<1x64x384xf32>
    %transposed_57 = linalg.transpose ins(%expanded_45 : tensor<1x384x64xf32>) outs(%107 : tensor<1x64x384xf32>) permutation = [0, 2, 1] 
    %108 = linalg.batch_matmul ins(%expanded_55, %transposed_57 : tensor<1x48x64xf32>, tensor<1x64x384xf32>) outs(%89 : tensor<1x48x384xf32>) -> tensor<1x48x384xf32>
    %collapsed_58 = tensor.collapse_shape %106 [[0, 1], [2]] : tensor<1x384x64xf32> into tensor<384x64xf32>
    %collapsed_59 = tensor.collapse_shape %108 [[0, 1], [2]] : tensor<1x48x384xf32> into tensor<48x384xf32>
    %expanded_60 = tensor.expand_shape %collapsed_59 [[0], [1, 2, 3]] output_shape [48, 8, 48, 1] : tensor<48x384xf32> into tensor<48x8x48x1xf32>
    %transposed_61 = linalg.transpose ins(%expanded_60 : tensor<48x8x48x1xf32>) outs(%95 : tensor<48x1x8x48xf32>) permutation = [0, 3, 1, 2] 
    %109 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_61, %transposed_38 : tensor<48x1x8x48xf32>, tensor<48x1x8x1xf32>) outs(%95 : tensor<48x1x8x48xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<48x1x8x48xf32>
    %110 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_61, %transposed_40 : tensor<48x1x8x48xf32>, tensor<48x1x8x48xf32>) outs(%95 : tensor<48x1x8x48xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<48x1x8x48xf32>
    %111 = linalg.fill ins(%cst : f32) outs(%94 : tensor<48x1x8x1xf32>) -> tensor<48x1x8x1xf32>
    %112 = linalg.generic {indexing_maps = [#map3, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%110 : tensor<48x1x8x48xf32>) outs(%111 : tensor<48x1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<48x1x8x1xf32>
    %expanded_62 = tensor.expand_shape %collapsed_58 [[0, 1], [2]] output_shape [8, 48, 64] : tensor<384x64xf32> into tensor<8x48x64xf32>
    %transposed_63 = linalg.transpose ins(%109 : tensor<48x1x8x48xf32>) outs(%91 : tensor<48x8x48x1xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_64 = tensor.collapse_shape %transposed_63 [[0], [1], [2, 3]] : tensor<48x8x48x1xf32> into tensor<48x8x48xf32>
    %113 = tensor.empty() : tensor<48x8x1x1xf32>
    %transposed_65 = linalg.transpose ins(%112 : tensor<48x1x8x1xf32>) outs(%113 : tensor<48x8x1x1xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_66 = tensor.collapse_shape %transposed_65 [[0], [1, 2, 3]] : tensor<48x8x1x1xf32> into tensor<48x8xf32>
    %114 = tensor.empty() : tensor<48x8x48xi1>
    %115 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<48x8x48xf32>) outs(%114 : tensor<48x8x48xi1>) {
    ^bb0(%in: f32, %out: i1):
      %193 = arith.cmpf ole, %in, %cst : f32
      linalg.yield %193 : i1
    } -> tensor<48x8x48xi1>
    %116 = linalg.generic {indexing_maps = [#map, #map15, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %cst_1, %collapsed_64 : tensor<48x8x48xi1>, tensor<f32>, tensor<48x8x48xf32>) outs(%92 : tensor<48x8x48xf32>) {
    ^bb0(%in: i1, %in_113: f32, %in_114: f32, %out: f32):
      %193 = arith.select %in, %in_113, %in_114 : f32
      linalg.yield %193 : f32
    } -> tensor<48x8x48xf32>
    %expanded_67 = tensor.expand_shape %116 [[0], [1], [2, 3]] output_shape [48, 8, 48, 1] : tensor<48x8x48xf32> into tensor<48x8x48x1xf32>
    %transposed_68 = linalg.transpose ins(%expanded_67 : tensor<48x8x48x1xf32>) outs(%95 : tensor<48x1x8x48xf32>) permutation = [0, 3, 1, 2] 
    %collapsed_69 = tensor.collapse_shape %transposed_68 [[0], [1, 2, 3]] : tensor<48x1x8x48xf32> into tensor<48x384xf32>
    %expanded_70 = tensor.expand_shape %collapsed_69 [[0, 1], [2]] output_shape [1, 48, 384] : tensor<48x384xf32> into tensor<1x48x384xf32>
    %117 = tensor.empty() : tensor<1x64x48xf32>
    %transposed_71 = linalg.transpose ins(%expanded_29 : tensor<1x48x64xf32>) outs(%117 : tensor<1x64x48xf32>) permutation = [0, 2, 1] 
    %118 = linalg.fill ins(%cst : f32) outs(%107 : tensor<1x64x384xf32>) -> tensor<1x64x384xf32>
    %119 = linalg.batch_matmul ins(%transposed_71, %expanded_70 : tensor<1x64x48xf32>, tensor<1x48x384xf32>) outs(%118 : tensor<1x64x384xf32>) -> tensor<1x64x384xf32>
    %transposed_72 = linalg.transpose ins(%expanded_32 : tensor<1x64x384xf32>) outs(%104 : tensor<1x384x64xf32>) permutation = [0, 2, 1] 
    %120 = linalg.batch_matmul ins(%expanded_70, %transposed_72 : tensor<1x48x384xf32>, tensor<1x384x64xf32>) outs(%98 : tensor<1x48x64xf32>) -> tensor<1x48x64xf32>
    %collapsed_73 = tensor.collapse_shape %119 [[0, 1], [2]] : tensor<1x64x384xf32> into tensor<64x384xf32>
    %expanded_74 = tensor.expand_shape %collapsed_73 [[0], [1, 2, 3]] output_shape [64, 8, 48, 1] : tensor<64x384xf32> into tensor<64x8x48x1xf32>
    %collapsed_75 = tensor.collapse_shape %120 [[0, 1], [2]] : tensor<1x48x64xf32> into tensor<48x64xf32>
    %121 = tensor.empty() : tensor<8x64x48x1xf32>
    %transposed_76 = linalg.transpose ins(%expanded_74 : tensor<64x8x48x1xf32>) outs(%121 : tensor<8x64x48x1xf32>) permutation = [1, 0, 2, 3] 
    %collapsed_77 = tensor.collapse_shape %transposed_76 [[0], [1], [2, 3]] : tensor<8x64x48x1xf32> into tensor<8x64x48xf32>
    %122 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%86 : tensor<48x8xf32>) outs(%84 : tensor<48x8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %193 = arith.extf %in : f32 to f64
      %194 = arith.cmpf une, %193, %cst_3 : f64
      linalg.yield %194 : i1
    } -> tensor<48x8xi1>
    %123 = linalg.generic {indexing_maps = [#map7, #map7, #map14, #map7], iterator_types = ["parallel", "parallel"]} ins(%122, %collapsed_66, %cst_1 : tensor<48x8xi1>, tensor<48x8xf32>, tensor<f32>) outs(%58 : tensor<48x8xf32>) {
    ^bb0(%in: i1, %in_113: f32, %in_114: f32, %out: f32):
      %193 = arith.select %in, %in_113, %in_114 : f32
      linalg.yield %193 : f32
    } -> tensor<48x8xf32>
    %124 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%123, %82 : tensor<48x8xf32>, tensor<48x8xf32>) outs(%58 : tensor<48x8xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<48x8xf32>
    %125 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%124, %71 : tensor<48x8xf32>, tensor<48x8xf32>) outs(%58 : tensor<48x8xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<48x8xf32>
    %126 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "reduction"]} ins(%125 : tensor<48x8xf32>) outs(%69 : tensor<48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<48x1xf32>
    %127 = linalg.generic {indexing_maps = [#map7, #map5, #map7], iterator_types = ["parallel", "parallel"]} ins(%71, %126 : tensor<48x8xf32>, tensor<48x1xf32>) outs(%58 : tensor<48x8xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<48x8xf32>
    %128 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%125, %127 : tensor<48x8xf32>, tensor<48x8xf32>) outs(%58 : tensor<48x8xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.subf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<48x8xf32>
    %129 = tensor.empty() : tensor<64x48xf32>
    %transposed_78 = linalg.transpose ins(%collapsed_25 : tensor<48x64xf32>) outs(%129 : tensor<64x48xf32>) permutation = [1, 0] 
    %130 = tensor.empty() : tensor<64x8xf32>
    %131 = linalg.fill ins(%cst : f32) outs(%130 : tensor<64x8xf32>) -> tensor<64x8xf32>
    %132 = linalg.matmul ins(%transposed_78, %128 : tensor<64x48xf32>, tensor<48x8xf32>) outs(%131 : tensor<64x8xf32>) -> tensor<64x8xf32>
    %133 = tensor.empty() : tensor<8x64xf32>
    %transposed_79 = linalg.transpose ins(%arg7 : tensor<64x8xf32>) outs(%133 : tensor<8x64xf32>) permutation = [1, 0] 
    %134 = linalg.matmul ins(%128, %transposed_79 : tensor<48x8xf32>, tensor<8x64xf32>) outs(%11 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %135 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%collapsed_75, %134 : tensor<48x64xf32>, tensor<48x64xf32>) outs(%10 : tensor<48x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.addf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<48x64xf32>
    %expanded_80 = tensor.expand_shape %135 [[0, 1], [2]] output_shape [2, 24, 64] : tensor<48x64xf32> into tensor<2x24x64xf32>
    %136 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_80, %56 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %137 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_80, %arg6 : tensor<2x24x64xf32>, tensor<64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %138 = tensor.empty() : tensor<1x1x64xf32>
    %139 = linalg.fill ins(%cst : f32) outs(%138 : tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
    %140 = linalg.generic {indexing_maps = [#map, #map16], iterator_types = ["reduction", "reduction", "parallel"]} ins(%136 : tensor<2x24x64xf32>) outs(%139 : tensor<1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<1x1x64xf32>
    %collapsed_81 = tensor.collapse_shape %140 [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %141 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %50 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %142 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %55 : tensor<2x24x64xf32>, tensor<2x24x1xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %143 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%141 : tensor<2x24x64xf32>) outs(%3 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %144 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10, %142 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.addf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %145 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<2x24x1xf32>) outs(%2 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %146 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143 : tensor<2x24x1xf32>) outs(%2 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.mulf %in, %cst_8 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %147 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %145 : tensor<2x24x1xf32>, tensor<2x24x1xf32>) outs(%2 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %collapsed_82 = tensor.collapse_shape %147 [[0], [1, 2]] : tensor<2x24x1xf32> into tensor<2x24xf32>
    %148 = linalg.generic {indexing_maps = [#map17, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_82 : tensor<2x24xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x24x64xf32>
    %149 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148 : tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.divf %in, %cst_6 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %150 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149, %50 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %151 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %150 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.addf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %152 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151, %150 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.addf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %collapsed_83 = tensor.collapse_shape %152 [[0, 1], [2]] : tensor<2x24x64xf32> into tensor<48x64xf32>
    %transposed_84 = linalg.transpose ins(%collapsed_23 : tensor<48x64xf32>) outs(%129 : tensor<64x48xf32>) permutation = [1, 0] 
    %153 = tensor.empty() : tensor<64x64xf32>
    %154 = linalg.fill ins(%cst : f32) outs(%153 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %155 = linalg.matmul ins(%transposed_84, %collapsed_83 : tensor<64x48xf32>, tensor<48x64xf32>) outs(%154 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %transposed_85 = linalg.transpose ins(%arg4 : tensor<64x64xf32>) outs(%153 : tensor<64x64xf32>) permutation = [1, 0] 
    %156 = linalg.matmul ins(%collapsed_83, %transposed_85 : tensor<48x64xf32>, tensor<64x64xf32>) outs(%11 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %expanded_86 = tensor.expand_shape %156 [[0, 1], [2, 3]] output_shape [2, 24, 4, 16] : tensor<48x64xf32> into tensor<2x24x4x16xf32>
    %transposed_87 = linalg.transpose ins(%expanded_86 : tensor<2x24x4x16xf32>) outs(%13 : tensor<2x4x24x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_88 = tensor.collapse_shape %transposed_87 [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %transposed_89 = linalg.transpose ins(%collapsed_19 : tensor<8x24x24xf32>) outs(%17 : tensor<8x24x24xf32>) permutation = [0, 2, 1] 
    %157 = linalg.batch_matmul ins(%transposed_89, %collapsed_88 : tensor<8x24x24xf32>, tensor<8x24x16xf32>) outs(%46 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %158 = tensor.empty() : tensor<8x16x24xf32>
    %transposed_90 = linalg.transpose ins(%collapsed_20 : tensor<8x24x16xf32>) outs(%158 : tensor<8x16x24xf32>) permutation = [0, 2, 1] 
    %159 = linalg.batch_matmul ins(%collapsed_88, %transposed_90 : tensor<8x24x16xf32>, tensor<8x16x24xf32>) outs(%18 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %expanded_91 = tensor.expand_shape %157 [[0, 1], [2], [3]] output_shape [2, 4, 24, 16] : tensor<8x24x16xf32> into tensor<2x4x24x16xf32>
    %expanded_92 = tensor.expand_shape %159 [[0, 1], [2], [3]] output_shape [2, 4, 24, 24] : tensor<8x24x24xf32> into tensor<2x4x24x24xf32>
    %160 = linalg.generic {indexing_maps = [#map10, #map9, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %cst_1, %expanded_92 : tensor<2x4x24x1xi1>, tensor<f32>, tensor<2x4x24x24xf32>) outs(%20 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: i1, %in_113: f32, %in_114: f32, %out: f32):
      %193 = arith.select %in, %in_113, %in_114 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x24xf32>
    %161 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%160, %43 : tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) outs(%20 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x24xf32>
    %162 = linalg.generic {indexing_maps = [#map3, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%161 : tensor<2x4x24x24xf32>) outs(%41 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x1xf32>
    %163 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %162 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%20 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x24xf32>
    %164 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%161, %163 : tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) outs(%20 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.subf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x24xf32>
    %165 = linalg.generic {indexing_maps = [#map8, #map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %164, %cst_1 : tensor<24x24xi1>, tensor<2x4x24x24xf32>, tensor<f32>) outs(%20 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: i1, %in_113: f32, %in_114: f32, %out: f32):
      %193 = arith.select %in, %in_113, %in_114 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x24xf32>
    %166 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%165 : tensor<2x4x24x24xf32>) outs(%20 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.mulf %in, %cst_7 : f32
      linalg.yield %193 : f32
    } -> tensor<2x4x24x24xf32>
    %collapsed_93 = tensor.collapse_shape %166 [[0, 1], [2], [3]] : tensor<2x4x24x24xf32> into tensor<8x24x24xf32>
    %transposed_94 = linalg.transpose ins(%collapsed_13 : tensor<8x24x16xf32>) outs(%158 : tensor<8x16x24xf32>) permutation = [0, 2, 1] 
    %167 = linalg.fill ins(%cst : f32) outs(%158 : tensor<8x16x24xf32>) -> tensor<8x16x24xf32>
    %168 = linalg.batch_matmul ins(%transposed_94, %collapsed_93 : tensor<8x16x24xf32>, tensor<8x24x24xf32>) outs(%167 : tensor<8x16x24xf32>) -> tensor<8x16x24xf32>
    %transposed_95 = linalg.transpose ins(%collapsed_14 : tensor<8x16x24xf32>) outs(%45 : tensor<8x24x16xf32>) permutation = [0, 2, 1] 
    %169 = linalg.batch_matmul ins(%collapsed_93, %transposed_95 : tensor<8x24x24xf32>, tensor<8x24x16xf32>) outs(%46 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %expanded_96 = tensor.expand_shape %168 [[0, 1], [2], [3]] output_shape [2, 4, 16, 24] : tensor<8x16x24xf32> into tensor<2x4x16x24xf32>
    %expanded_97 = tensor.expand_shape %169 [[0, 1], [2], [3]] output_shape [2, 4, 24, 16] : tensor<8x24x16xf32> into tensor<2x4x24x16xf32>
    %transposed_98 = linalg.transpose ins(%expanded_91 : tensor<2x4x24x16xf32>) outs(%48 : tensor<2x24x4x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_99 = tensor.collapse_shape %transposed_98 [[0, 1], [2, 3]] : tensor<2x24x4x16xf32> into tensor<48x64xf32>
    %transposed_100 = linalg.transpose ins(%collapsed : tensor<48x64xf32>) outs(%129 : tensor<64x48xf32>) permutation = [1, 0] 
    %170 = linalg.matmul ins(%transposed_100, %collapsed_99 : tensor<64x48xf32>, tensor<48x64xf32>) outs(%154 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %transposed_101 = linalg.transpose ins(%arg3 : tensor<64x64xf32>) outs(%153 : tensor<64x64xf32>) permutation = [1, 0] 
    %171 = linalg.matmul ins(%collapsed_99, %transposed_101 : tensor<48x64xf32>, tensor<64x64xf32>) outs(%11 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %expanded_102 = tensor.expand_shape %171 [[0, 1], [2]] output_shape [2, 24, 64] : tensor<48x64xf32> into tensor<2x24x64xf32>
    %transposed_103 = linalg.transpose ins(%expanded_96 : tensor<2x4x16x24xf32>) outs(%48 : tensor<2x24x4x16xf32>) permutation = [0, 3, 1, 2] 
    %collapsed_104 = tensor.collapse_shape %transposed_103 [[0, 1], [2, 3]] : tensor<2x24x4x16xf32> into tensor<48x64xf32>
    %172 = linalg.matmul ins(%transposed_100, %collapsed_104 : tensor<64x48xf32>, tensor<48x64xf32>) outs(%154 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %transposed_105 = linalg.transpose ins(%arg2 : tensor<64x64xf32>) outs(%153 : tensor<64x64xf32>) permutation = [1, 0] 
    %173 = linalg.matmul ins(%collapsed_104, %transposed_105 : tensor<48x64xf32>, tensor<64x64xf32>) outs(%11 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %expanded_106 = tensor.expand_shape %173 [[0, 1], [2]] output_shape [2, 24, 64] : tensor<48x64xf32> into tensor<2x24x64xf32>
    %174 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_102, %expanded_106 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.addf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %transposed_107 = linalg.transpose ins(%expanded_97 : tensor<2x4x24x16xf32>) outs(%48 : tensor<2x24x4x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_108 = tensor.collapse_shape %transposed_107 [[0, 1], [2, 3]] : tensor<2x24x4x16xf32> into tensor<48x64xf32>
    %175 = linalg.matmul ins(%transposed_100, %collapsed_108 : tensor<64x48xf32>, tensor<48x64xf32>) outs(%154 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %transposed_109 = linalg.transpose ins(%arg1 : tensor<64x64xf32>) outs(%153 : tensor<64x64xf32>) permutation = [1, 0] 
    %176 = linalg.matmul ins(%collapsed_108, %transposed_109 : tensor<48x64xf32>, tensor<64x64xf32>) outs(%11 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %expanded_110 = tensor.expand_shape %176 [[0, 1], [2]] output_shape [2, 24, 64] : tensor<48x64xf32> into tensor<2x24x64xf32>
    %177 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174, %expanded_110 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.addf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %178 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177, %8 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %179 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177, %arg5 : tensor<2x24x64xf32>, tensor<64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %180 = linalg.generic {indexing_maps = [#map, #map16], iterator_types = ["reduction", "reduction", "parallel"]} ins(%178 : tensor<2x24x64xf32>) outs(%139 : tensor<1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<1x1x64xf32>
    %collapsed_111 = tensor.collapse_shape %180 [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %181 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179, %arg0 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %182 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179, %7 : tensor<2x24x64xf32>, tensor<2x24x1xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %183 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%181 : tensor<2x24x64xf32>) outs(%3 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.addf %in, %out : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %184 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152, %182 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.addf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %185 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x24x1xf32>) outs(%2 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %186 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183 : tensor<2x24x1xf32>) outs(%2 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.mulf %in, %cst_8 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %187 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%186, %185 : tensor<2x24x1xf32>, tensor<2x24x1xf32>) outs(%2 : tensor<2x24x1xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x1xf32>
    %collapsed_112 = tensor.collapse_shape %187 [[0], [1, 2]] : tensor<2x24x1xf32> into tensor<2x24xf32>
    %188 = linalg.generic {indexing_maps = [#map17, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_112 : tensor<2x24xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x24x64xf32>
    %189 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%188 : tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %193 = arith.divf %in, %cst_6 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %190 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%189, %arg0 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.mulf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %191 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184, %190 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.addf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    %192 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%191, %190 : tensor<2x24x64xf32>, tensor<2x24x64xf32>) outs(%0 : tensor<2x24x64xf32>) {
    ^bb0(%in: f32, %in_113: f32, %out: f32):
      %193 = arith.addf %in, %in_113 : f32
      linalg.yield %193 : f32
    } -> tensor<2x24x64xf32>
    return %101, %192, %175, %172, %170, %155, %collapsed_111, %collapsed_81, %132, %collapsed_77, %expanded_62 : tensor<2x24x64xf32>, tensor<2x24x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x8xf32>, tensor<8x64x48xf32>, tensor<8x48x64xf32>
  }
}


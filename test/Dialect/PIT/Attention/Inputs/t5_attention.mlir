// A layer's attention of T5 in bf16, cut out of what examples/torch/hugging_face.py exports (torch 2.15, torch-mlir 20261001, transformers 5.24):
// queries, keys, values, the tokenizer's mask, and the embedding of relative positions.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, 0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1) -> (0, d1)>
#map12 = affine_map<(d0, d1) -> (d0, 0)>
#map13 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map15 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
func.func @main(%transposed_14: tensor<2x4x64x32xbf16>, %transposed_17: tensor<2x4x64x32xbf16>, %transposed_20: tensor<2x4x64x32xbf16>, %arg1: tensor<2x64xi64>, %arg7: tensor<32x4xbf16>) -> tensor<2x64x4x32xbf16> {
    %c8_i64 = arith.constant 8 : i64
    %c16_i64 = arith.constant 16 : i64
    %c64_i64 = arith.constant 64 : i64
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %c32 = arith.constant 32 : index
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<2x4x64x64xf32>
    %cst_3 = arith.constant dense<-3.389530e+38> : tensor<bf16>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %cst_6 = arith.constant 2.7725887222397811 : f64
    %cst_9 = arith.constant 8.000000e+00 : f32
    %cst_10 = arith.constant dense<15> : tensor<64x64xi64>
    %0 = tensor.empty() : tensor<2x64xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<2x64xi64>) outs(%0 : tensor<2x64xi1>) {
    ^bb0(%in: i64, %out: i1):
      %177 = arith.cmpi ne, %in, %c0_i64 : i64
      linalg.yield %177 : i1
    } -> tensor<2x64xi1>
    %2 = tensor.empty() : tensor<2xi64>
    %3 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%2 : tensor<2xi64>) {
    ^bb0(%out: i64):
      %177 = linalg.index 0 : index
      %178 = arith.index_cast %177 : index to i64
      linalg.yield %178 : i64
    } -> tensor<2xi64>
    %4 = tensor.empty() : tensor<64xi64>
    %5 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%4 : tensor<64xi64>) {
    ^bb0(%out: i64):
      %177 = linalg.index 0 : index
      %178 = arith.index_cast %177 : index to i64
      linalg.yield %178 : i64
    } -> tensor<64xi64>
    %expanded = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [2, 1, 1, 1] : tensor<2xi64> into tensor<2x1x1x1xi64>
    %expanded_11 = tensor.expand_shape %5 [[0, 1, 2, 3]] output_shape [1, 1, 64, 1] : tensor<64xi64> into tensor<1x1x64x1xi64>
    %expanded_12 = tensor.expand_shape %5 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xi64> into tensor<1x1x1x64xi64>
    %6 = tensor.empty() : tensor<1x1x64x1xi1>
    %7 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x1x64x1xi64>) outs(%6 : tensor<1x1x64x1xi1>) {
    ^bb0(%in: i64, %out: i1):
      %177 = arith.cmpi sge, %in, %c0_i64 : i64
      linalg.yield %177 : i1
    } -> tensor<1x1x64x1xi1>
    %8 = linalg.generic {indexing_maps = [#map3, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %7 : tensor<i1>, tensor<1x1x64x1xi1>) outs(%6 : tensor<1x1x64x1xi1>) {
    ^bb0(%in: i1, %in_70: i1, %out: i1):
      %177 = arith.andi %in, %in_70 : i1
      linalg.yield %177 : i1
    } -> tensor<1x1x64x1xi1>
    %9 = tensor.empty() : tensor<2x1x1x64xi1>
    %10 = linalg.generic {indexing_maps = [#map4, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_12 : tensor<2x1x1x1xi64>, tensor<1x1x1x64xi64>) outs(%9 : tensor<2x1x1x64xi1>) {
    ^bb0(%in: i64, %in_70: i64, %out: i1):
      %177 = arith.cmpi slt, %in, %c0_i64 : i64
      %178 = arith.addi %in, %c2_i64 : i64
      %179 = arith.select %177, %178, %in : i64
      %180 = arith.index_cast %179 : i64 to index
      %181 = arith.cmpi slt, %in_70, %c0_i64 : i64
      %182 = arith.addi %in_70, %c64_i64 : i64
      %183 = arith.select %181, %182, %in_70 : i64
      %184 = arith.index_cast %183 : i64 to index
      %extracted = tensor.extract %1[%180, %184] : tensor<2x64xi1>
      linalg.yield %extracted : i1
    } -> tensor<2x1x1x64xi1>
    %11 = tensor.empty() : tensor<2x1x64x64xi1>
    %12 = linalg.generic {indexing_maps = [#map6, #map7, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<1x1x64x1xi1>, tensor<2x1x1x64xi1>) outs(%11 : tensor<2x1x64x64xi1>) {
    ^bb0(%in: i1, %in_70: i1, %out: i1):
      %177 = arith.andi %in, %in_70 : i1
      linalg.yield %177 : i1
    } -> tensor<2x1x64x64xi1>
    %31 = tensor.empty() : tensor<2x4x64x32xbf16>
    %expanded_21 = tensor.expand_shape %5 [[0, 1]] output_shape [64, 1] : tensor<64xi64> into tensor<64x1xi64>
    %expanded_22 = tensor.expand_shape %5 [[0, 1]] output_shape [1, 64] : tensor<64xi64> into tensor<1x64xi64>
    %36 = tensor.empty() : tensor<64x64xi64>
    %37 = linalg.generic {indexing_maps = [#map11, #map12, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_22, %expanded_21 : tensor<1x64xi64>, tensor<64x1xi64>) outs(%36 : tensor<64x64xi64>) {
    ^bb0(%in: i64, %in_70: i64, %out: i64):
      %177 = arith.subi %in, %in_70 : i64
      linalg.yield %177 : i64
    } -> tensor<64x64xi64>
    %38 = tensor.empty() : tensor<64x64xi1>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<64x64xi64>) outs(%38 : tensor<64x64xi1>) {
    ^bb0(%in: i64, %out: i1):
      %177 = arith.cmpi sgt, %in, %c0_i64 : i64
      linalg.yield %177 : i1
    } -> tensor<64x64xi1>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<64x64xi1>) outs(%36 : tensor<64x64xi64>) {
    ^bb0(%in: i1, %out: i64):
      %177 = arith.extui %in : i1 to i64
      linalg.yield %177 : i64
    } -> tensor<64x64xi64>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<64x64xi64>) outs(%36 : tensor<64x64xi64>) {
    ^bb0(%in: i64, %out: i64):
      %177 = arith.muli %in, %c16_i64 : i64
      linalg.yield %177 : i64
    } -> tensor<64x64xi64>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<64x64xi64>) outs(%36 : tensor<64x64xi64>) {
    ^bb0(%in: i64, %out: i64):
      %177 = math.absi %in : i64
      linalg.yield %177 : i64
    } -> tensor<64x64xi64>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%42 : tensor<64x64xi64>) outs(%38 : tensor<64x64xi1>) {
    ^bb0(%in: i64, %out: i1):
      %177 = arith.cmpi slt, %in, %c8_i64 : i64
      linalg.yield %177 : i1
    } -> tensor<64x64xi1>
    %44 = tensor.empty() : tensor<64x64xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%42 : tensor<64x64xi64>) outs(%44 : tensor<64x64xf32>) {
    ^bb0(%in: i64, %out: f32):
      %177 = arith.sitofp %in : i64 to f32
      linalg.yield %177 : f32
    } -> tensor<64x64xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<64x64xf32>) outs(%44 : tensor<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.divf %in, %cst_9 : f32
      linalg.yield %177 : f32
    } -> tensor<64x64xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%46 : tensor<64x64xf32>) outs(%44 : tensor<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.log %in : f32
      linalg.yield %177 : f32
    } -> tensor<64x64xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<64x64xf32>) outs(%44 : tensor<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.truncf %cst_6 : f64 to f32
      %178 = arith.divf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<64x64xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%48 : tensor<64x64xf32>) outs(%44 : tensor<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.mulf %in, %cst_9 : f32
      linalg.yield %177 : f32
    } -> tensor<64x64xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%49 : tensor<64x64xf32>) outs(%36 : tensor<64x64xi64>) {
    ^bb0(%in: f32, %out: i64):
      %177 = arith.fptosi %in : f32 to i64
      linalg.yield %177 : i64
    } -> tensor<64x64xi64>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%50 : tensor<64x64xi64>) outs(%36 : tensor<64x64xi64>) {
    ^bb0(%in: i64, %out: i64):
      %177 = arith.addi %in, %c8_i64 : i64
      linalg.yield %177 : i64
    } -> tensor<64x64xi64>
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%51, %cst_10 : tensor<64x64xi64>, tensor<64x64xi64>) outs(%36 : tensor<64x64xi64>) {
    ^bb0(%in: i64, %in_70: i64, %out: i64):
      %177 = arith.minsi %in, %in_70 : i64
      linalg.yield %177 : i64
    } -> tensor<64x64xi64>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%43, %42, %52 : tensor<64x64xi1>, tensor<64x64xi64>, tensor<64x64xi64>) outs(%36 : tensor<64x64xi64>) {
    ^bb0(%in: i1, %in_70: i64, %in_71: i64, %out: i64):
      %177 = arith.select %in, %in_70, %in_71 : i64
      linalg.yield %177 : i64
    } -> tensor<64x64xi64>
    %54 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%41, %53 : tensor<64x64xi64>, tensor<64x64xi64>) outs(%36 : tensor<64x64xi64>) {
    ^bb0(%in: i64, %in_70: i64, %out: i64):
      %177 = arith.addi %in, %in_70 : i64
      linalg.yield %177 : i64
    } -> tensor<64x64xi64>
    %55 = tensor.empty() : tensor<64x64x4xbf16>
    %56 = linalg.generic {indexing_maps = [#map13, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<64x64xi64>) outs(%55 : tensor<64x64x4xbf16>) {
    ^bb0(%in: i64, %out: bf16):
      %177 = arith.index_cast %in : i64 to index
      %178 = linalg.index 2 : index
      %179 = arith.cmpi slt, %177, %c32 : index
      cf.assert %179, "index must be smaller than dim size"
      %180 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %180, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg7[%177, %178] : tensor<32x4xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<64x64x4xbf16>
    %57 = tensor.empty() : tensor<4x64x64xbf16>
    %transposed_23 = linalg.transpose ins(%56 : tensor<64x64x4xbf16>) outs(%57 : tensor<4x64x64xbf16>) permutation = [2, 0, 1]
    %expanded_24 = tensor.expand_shape %transposed_23 [[0, 1], [2], [3]] output_shape [1, 4, 64, 64] : tensor<4x64x64xbf16> into tensor<1x4x64x64xbf16>
    %58 = tensor.empty() : tensor<2x4x64x64xbf16>
    %59 = linalg.generic {indexing_maps = [#map14, #map15, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_24, %cst_3 : tensor<2x1x64x64xi1>, tensor<1x4x64x64xbf16>, tensor<bf16>) outs(%58 : tensor<2x4x64x64xbf16>) {
    ^bb0(%in: i1, %in_70: bf16, %in_71: bf16, %out: bf16):
      %177 = arith.select %in, %in_70, %in_71 : bf16
      linalg.yield %177 : bf16
    } -> tensor<2x4x64x64xbf16>
    %60 = tensor.empty() : tensor<2x4x64x32xf32>
    %61 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_14 : tensor<2x4x64x32xbf16>) outs(%60 : tensor<2x4x64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %177 = arith.extf %in : bf16 to f32
      linalg.yield %177 : f32
    } -> tensor<2x4x64x32xf32>
    %62 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_17 : tensor<2x4x64x32xbf16>) outs(%60 : tensor<2x4x64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %177 = arith.extf %in : bf16 to f32
      linalg.yield %177 : f32
    } -> tensor<2x4x64x32xf32>
    %63 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_20 : tensor<2x4x64x32xbf16>) outs(%60 : tensor<2x4x64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %177 = arith.extf %in : bf16 to f32
      linalg.yield %177 : f32
    } -> tensor<2x4x64x32xf32>
    %64 = tensor.empty() : tensor<2x4x32x64xf32>
    %transposed_25 = linalg.transpose ins(%62 : tensor<2x4x64x32xf32>) outs(%64 : tensor<2x4x32x64xf32>) permutation = [0, 1, 3, 2]
    %collapsed_26 = tensor.collapse_shape %61 [[0, 1], [2], [3]] : tensor<2x4x64x32xf32> into tensor<8x64x32xf32>
    %collapsed_27 = tensor.collapse_shape %transposed_25 [[0, 1], [2], [3]] : tensor<2x4x32x64xf32> into tensor<8x32x64xf32>
    %65 = tensor.empty() : tensor<8x64x64xf32>
    %66 = linalg.fill ins(%cst : f32) outs(%65 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
    %67 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<8x64x32xf32>, tensor<8x32x64xf32>) outs(%66 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
    %expanded_28 = tensor.expand_shape %67 [[0, 1], [2], [3]] output_shape [2, 4, 64, 64] : tensor<8x64x64xf32> into tensor<2x4x64x64xf32>
    %68 = tensor.empty() : tensor<2x4x64x64xf32>
    %69 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_28, %59 : tensor<2x4x64x64xf32>, tensor<2x4x64x64xbf16>) outs(%68 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %in_70: bf16, %out: f32):
      %177 = arith.extf %in_70 : bf16 to f32
      %178 = arith.addf %in, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x4x64x64xf32>
    %70 = tensor.empty() : tensor<2x4x64xi64>
    %71 = linalg.fill ins(%c0_i64 : i64) outs(%70 : tensor<2x4x64xi64>) -> tensor<2x4x64xi64>
    %72 = tensor.empty() : tensor<2x4x64xf32>
    %73 = linalg.fill ins(%cst_0 : f32) outs(%72 : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
    %74:2 = linalg.generic {indexing_maps = [#map2, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%69 : tensor<2x4x64x64xf32>) outs(%73, %71 : tensor<2x4x64xf32>, tensor<2x4x64xi64>) {
    ^bb0(%in: f32, %out: f32, %out_70: i64):
      %177 = linalg.index 3 : index
      %178 = arith.index_cast %177 : index to i64
      %179 = arith.maximumf %in, %out : f32
      %180 = arith.cmpf ogt, %in, %out : f32
      %181 = arith.select %180, %178, %out_70 : i64
      linalg.yield %179, %181 : f32, i64
    } -> (tensor<2x4x64xf32>, tensor<2x4x64xi64>)
    %expanded_29 = tensor.expand_shape %74#0 [[0], [1], [2, 3]] output_shape [2, 4, 64, 1] : tensor<2x4x64xf32> into tensor<2x4x64x1xf32>
    %75 = linalg.generic {indexing_maps = [#map2, #map17, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %expanded_29 : tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>) outs(%68 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %in_70: f32, %out: f32):
      %177 = arith.subf %in, %in_70 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x64x64xf32>
    %76 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<2x4x64x64xf32>) outs(%68 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.exp %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x64x64xf32>
    %77 = tensor.empty() : tensor<2x4x64x1xf32>
    %78 = linalg.fill ins(%cst : f32) outs(%77 : tensor<2x4x64x1xf32>) -> tensor<2x4x64x1xf32>
    %79 = linalg.generic {indexing_maps = [#map2, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%76 : tensor<2x4x64x64xf32>) outs(%78 : tensor<2x4x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %out : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x64x1xf32>
    %80 = linalg.generic {indexing_maps = [#map2, #map17, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %79 : tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>) outs(%68 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %in_70: f32, %out: f32):
      %177 = arith.divf %in, %in_70 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x64x64xf32>
    %81 = tensor.empty() : tensor<2x4x64x64xi1>
    %82 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<2x4x64x64xf32>) outs(%81 : tensor<2x4x64x64xi1>) {
    ^bb0(%in: f32, %out: i1):
      %177 = arith.extf %in : f32 to f64
      %178 = arith.cmpf oeq, %177, %cst_5 : f64
      linalg.yield %178 : i1
    } -> tensor<2x4x64x64xi1>
    %83 = tensor.empty() : tensor<2x4x64x1xi1>
    %84 = linalg.fill ins(%true : i1) outs(%83 : tensor<2x4x64x1xi1>) -> tensor<2x4x64x1xi1>
    %85 = linalg.generic {indexing_maps = [#map2, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%82 : tensor<2x4x64x64xi1>) outs(%84 : tensor<2x4x64x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %177 = arith.andi %in, %out : i1
      linalg.yield %177 : i1
    } -> tensor<2x4x64x1xi1>
    %86 = linalg.generic {indexing_maps = [#map17, #map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %cst_2, %80 : tensor<2x4x64x1xi1>, tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) outs(%68 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: i1, %in_70: f32, %in_71: f32, %out: f32):
      %177 = arith.select %in, %in_70, %in_71 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x64x64xf32>
    %collapsed_30 = tensor.collapse_shape %86 [[0, 1], [2], [3]] : tensor<2x4x64x64xf32> into tensor<8x64x64xf32>
    %collapsed_31 = tensor.collapse_shape %63 [[0, 1], [2], [3]] : tensor<2x4x64x32xf32> into tensor<8x64x32xf32>
    %87 = tensor.empty() : tensor<8x64x32xf32>
    %88 = linalg.fill ins(%cst : f32) outs(%87 : tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
    %89 = linalg.batch_matmul ins(%collapsed_30, %collapsed_31 : tensor<8x64x64xf32>, tensor<8x64x32xf32>) outs(%88 : tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
    %expanded_32 = tensor.expand_shape %89 [[0, 1], [2], [3]] output_shape [2, 4, 64, 32] : tensor<8x64x32xf32> into tensor<2x4x64x32xf32>
    %90 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<2x4x64x32xf32>) outs(%31 : tensor<2x4x64x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %177 = arith.truncf %in : f32 to bf16
      linalg.yield %177 : bf16
    } -> tensor<2x4x64x32xbf16>
    %91 = tensor.empty() : tensor<2x64x4x32xbf16>
    %transposed_33 = linalg.transpose ins(%90 : tensor<2x4x64x32xbf16>) outs(%91 : tensor<2x64x4x32xbf16>) permutation = [0, 2, 1, 3]
    return %transposed_33 : tensor<2x64x4x32xbf16>
}

// moe_topk_inside: DenseExperts behind a softmax router that keeps the two largest gates.
// Written by examples/torch/export.py (torch 2.15.0, torch-mlir 20261001); edit that, not this.
// Run: pit-run examples/torch/moe_topk_inside.mlir --random=normal --random=normal:0.05 --check --report
// Look at: three quarters are skipped, as two of eight experts are live for each token, which is proven; the router stays dense.
// %arg0 = x
// %arg1 = router.weight
// %arg2 = experts.up
// %arg3 = experts.down

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<512x256xf32>, %arg1: tensor<8x256xf32>, %arg2: tensor<8x256x512xf32>, %arg3: tensor<8x512x256xf32>) -> tensor<512x256xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<-1.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<256x8xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<8x256xf32>) outs(%0 : tensor<256x8xf32>) permutation = [1, 0]
    %1 = tensor.empty() : tensor<512x8xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<512x8xf32>) -> tensor<512x8xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<512x256xf32>, tensor<256x8xf32>) outs(%2 : tensor<512x8xf32>) -> tensor<512x8xf32>
    %4 = tensor.empty() : tensor<512xi64>
    %5 = linalg.fill ins(%c0_i64 : i64) outs(%4 : tensor<512xi64>) -> tensor<512xi64>
    %6 = tensor.empty() : tensor<512xf32>
    %7 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<512xf32>) -> tensor<512xf32>
    %8:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<512x8xf32>) outs(%7, %5 : tensor<512xf32>, tensor<512xi64>) {
    ^bb0(%in: f32, %out: f32, %out_26: i64):
      %41 = linalg.index 1 : index
      %42 = arith.index_cast %41 : index to i64
      %43 = arith.maximumf %in, %out : f32
      %44 = arith.cmpf ogt, %in, %out : f32
      %45 = arith.select %44, %42, %out_26 : i64
      linalg.yield %43, %45 : f32, i64
    } -> (tensor<512xf32>, tensor<512xi64>)
    %expanded = tensor.expand_shape %8#0 [[0, 1]] output_shape [512, 1] : tensor<512xf32> into tensor<512x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %expanded : tensor<512x8xf32>, tensor<512x1xf32>) outs(%1 : tensor<512x8xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %41 = arith.subf %in, %in_26 : f32
      linalg.yield %41 : f32
    } -> tensor<512x8xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<512x8xf32>) outs(%1 : tensor<512x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.exp %in : f32
      linalg.yield %41 : f32
    } -> tensor<512x8xf32>
    %11 = tensor.empty() : tensor<512x1xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<512x1xf32>) -> tensor<512x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<512x8xf32>) outs(%12 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %in, %out : f32
      linalg.yield %41 : f32
    } -> tensor<512x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %13 : tensor<512x8xf32>, tensor<512x1xf32>) outs(%1 : tensor<512x8xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %41 = arith.divf %in, %in_26 : f32
      linalg.yield %41 : f32
    } -> tensor<512x8xf32>
    %15 = tensor.empty() : tensor<8xi64>
    %16 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%15 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %41 = linalg.index 0 : index
      %42 = arith.index_cast %41 : index to i64
      linalg.yield %42 : i64
    } -> tensor<8xi64>
    %17:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%14 : tensor<512x8xf32>) outs(%7, %5 : tensor<512xf32>, tensor<512xi64>) {
    ^bb0(%in: f32, %out: f32, %out_26: i64):
      %41 = linalg.index 1 : index
      %42 = arith.index_cast %41 : index to i64
      %43 = arith.maximumf %in, %out : f32
      %44 = arith.cmpf ogt, %in, %out : f32
      %45 = arith.select %44, %42, %out_26 : i64
      linalg.yield %43, %45 : f32, i64
    } -> (tensor<512xf32>, tensor<512xi64>)
    %expanded_3 = tensor.expand_shape %17#1 [[0, 1]] output_shape [512, 1] : tensor<512xi64> into tensor<512x1xi64>
    %18 = tensor.empty() : tensor<512x8xi1>
    %19 = linalg.generic {indexing_maps = [#map4, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %expanded_3 : tensor<8xi64>, tensor<512x1xi64>) outs(%18 : tensor<512x8xi1>) {
    ^bb0(%in: i64, %in_26: i64, %out: i1):
      %41 = arith.cmpi eq, %in, %in_26 : i64
      linalg.yield %41 : i1
    } -> tensor<512x8xi1>
    %20 = linalg.generic {indexing_maps = [#map, #map5, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %cst_2, %14 : tensor<512x8xi1>, tensor<f32>, tensor<512x8xf32>) outs(%1 : tensor<512x8xf32>) {
    ^bb0(%in: i1, %in_26: f32, %in_27: f32, %out: f32):
      %41 = arith.select %in, %in_26, %in_27 : f32
      linalg.yield %41 : f32
    } -> tensor<512x8xf32>
    %21:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%20 : tensor<512x8xf32>) outs(%7, %5 : tensor<512xf32>, tensor<512xi64>) {
    ^bb0(%in: f32, %out: f32, %out_26: i64):
      %41 = linalg.index 1 : index
      %42 = arith.index_cast %41 : index to i64
      %43 = arith.maximumf %in, %out : f32
      %44 = arith.cmpf ogt, %in, %out : f32
      %45 = arith.select %44, %42, %out_26 : i64
      linalg.yield %43, %45 : f32, i64
    } -> (tensor<512xf32>, tensor<512xi64>)
    %expanded_4 = tensor.expand_shape %21#1 [[0, 1]] output_shape [512, 1] : tensor<512xi64> into tensor<512x1xi64>
    %22 = linalg.generic {indexing_maps = [#map4, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %expanded_4 : tensor<8xi64>, tensor<512x1xi64>) outs(%18 : tensor<512x8xi1>) {
    ^bb0(%in: i64, %in_26: i64, %out: i1):
      %41 = arith.cmpi eq, %in, %in_26 : i64
      linalg.yield %41 : i1
    } -> tensor<512x8xi1>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %22 : tensor<512x8xi1>, tensor<512x8xi1>) outs(%18 : tensor<512x8xi1>) {
    ^bb0(%in: i1, %in_26: i1, %out: i1):
      %41 = arith.ori %in, %in_26 : i1
      linalg.yield %41 : i1
    } -> tensor<512x8xi1>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map5, #map], iterator_types = ["parallel", "parallel"]} ins(%23, %14, %cst_1 : tensor<512x8xi1>, tensor<512x8xf32>, tensor<f32>) outs(%1 : tensor<512x8xf32>) {
    ^bb0(%in: i1, %in_26: f32, %in_27: f32, %out: f32):
      %41 = arith.select %in, %in_26, %in_27 : f32
      linalg.yield %41 : f32
    } -> tensor<512x8xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%24 : tensor<512x8xf32>) outs(%12 : tensor<512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %in, %out : f32
      linalg.yield %41 : f32
    } -> tensor<512x1xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %25 : tensor<512x8xf32>, tensor<512x1xf32>) outs(%1 : tensor<512x8xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %41 = arith.divf %in, %in_26 : f32
      linalg.yield %41 : f32
    } -> tensor<512x8xf32>
    %expanded_5 = tensor.expand_shape %arg2 [[0], [1], [2, 3]] output_shape [8, 256, 512, 1] : tensor<8x256x512xf32> into tensor<8x256x512x1xf32>
    %expanded_6 = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [1, 512, 256] : tensor<512x256xf32> into tensor<1x512x256xf32>
    %27 = tensor.empty() : tensor<256x8x512x1xf32>
    %transposed_7 = linalg.transpose ins(%expanded_5 : tensor<8x256x512x1xf32>) outs(%27 : tensor<256x8x512x1xf32>) permutation = [1, 0, 2, 3]
    %collapsed = tensor.collapse_shape %transposed_7 [[0], [1, 2, 3]] : tensor<256x8x512x1xf32> into tensor<256x4096xf32>
    %expanded_8 = tensor.expand_shape %collapsed [[0, 1], [2]] output_shape [1, 256, 4096] : tensor<256x4096xf32> into tensor<1x256x4096xf32>
    %28 = tensor.empty() : tensor<1x512x4096xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<1x512x4096xf32>) -> tensor<1x512x4096xf32>
    %30 = linalg.batch_matmul ins(%expanded_6, %expanded_8 : tensor<1x512x256xf32>, tensor<1x256x4096xf32>) outs(%29 : tensor<1x512x4096xf32>) -> tensor<1x512x4096xf32>
    %collapsed_9 = tensor.collapse_shape %30 [[0, 1], [2]] : tensor<1x512x4096xf32> into tensor<512x4096xf32>
    %expanded_10 = tensor.expand_shape %collapsed_9 [[0], [1, 2, 3]] output_shape [512, 1, 8, 512] : tensor<512x4096xf32> into tensor<512x1x8x512xf32>
    %31 = tensor.empty() : tensor<512x8x512x1xf32>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<512x1x8x512xf32>) outs(%31 : tensor<512x8x512x1xf32>) permutation = [0, 2, 3, 1]
    %collapsed_12 = tensor.collapse_shape %transposed_11 [[0], [1], [2, 3]] : tensor<512x8x512x1xf32> into tensor<512x8x512xf32>
    %32 = tensor.empty() : tensor<512x8x512xf32>
    %33 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_12 : tensor<512x8x512xf32>) outs(%32 : tensor<512x8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.cmpf ugt, %in, %cst : f32
      %42 = arith.select %41, %in, %cst : f32
      linalg.yield %42 : f32
    } -> tensor<512x8x512xf32>
    %expanded_13 = tensor.expand_shape %26 [[0], [1, 2, 3]] output_shape [512, 8, 1, 1] : tensor<512x8xf32> into tensor<512x8x1x1xf32>
    %34 = tensor.empty() : tensor<512x1x8x1xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<512x8x1x1xf32>) outs(%34 : tensor<512x1x8x1xf32>) permutation = [0, 2, 1, 3]
    %expanded_15 = tensor.expand_shape %33 [[0], [1], [2, 3]] output_shape [512, 8, 512, 1] : tensor<512x8x512xf32> into tensor<512x8x512x1xf32>
    %35 = tensor.empty() : tensor<512x1x8x512xf32>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<512x8x512x1xf32>) outs(%35 : tensor<512x1x8x512xf32>) permutation = [0, 3, 1, 2]
    %36 = linalg.generic {indexing_maps = [#map7, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_14, %transposed_16 : tensor<512x1x8x1xf32>, tensor<512x1x8x512xf32>) outs(%35 : tensor<512x1x8x512xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %41 = arith.mulf %in, %in_26 : f32
      linalg.yield %41 : f32
    } -> tensor<512x1x8x512xf32>
    %transposed_17 = linalg.transpose ins(%36 : tensor<512x1x8x512xf32>) outs(%31 : tensor<512x8x512x1xf32>) permutation = [0, 2, 3, 1]
    %collapsed_18 = tensor.collapse_shape %transposed_17 [[0], [1, 2, 3]] : tensor<512x8x512x1xf32> into tensor<512x4096xf32>
    %expanded_19 = tensor.expand_shape %collapsed_18 [[0, 1], [2]] output_shape [1, 512, 4096] : tensor<512x4096xf32> into tensor<1x512x4096xf32>
    %collapsed_20 = tensor.collapse_shape %arg3 [[0, 1], [2]] : tensor<8x512x256xf32> into tensor<4096x256xf32>
    %expanded_21 = tensor.expand_shape %collapsed_20 [[0, 1], [2]] output_shape [1, 4096, 256] : tensor<4096x256xf32> into tensor<1x4096x256xf32>
    %37 = tensor.empty() : tensor<1x512x256xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<1x512x256xf32>) -> tensor<1x512x256xf32>
    %39 = linalg.batch_matmul ins(%expanded_19, %expanded_21 : tensor<1x512x4096xf32>, tensor<1x4096x256xf32>) outs(%38 : tensor<1x512x256xf32>) -> tensor<1x512x256xf32>
    %collapsed_22 = tensor.collapse_shape %39 [[0, 1], [2]] : tensor<1x512x256xf32> into tensor<512x256xf32>
    %expanded_23 = tensor.expand_shape %collapsed_22 [[0], [1, 2, 3]] output_shape [512, 1, 1, 256] : tensor<512x256xf32> into tensor<512x1x1x256xf32>
    %40 = tensor.empty() : tensor<512x256x1x1xf32>
    %transposed_24 = linalg.transpose ins(%expanded_23 : tensor<512x1x1x256xf32>) outs(%40 : tensor<512x256x1x1xf32>) permutation = [0, 3, 1, 2]
    %collapsed_25 = tensor.collapse_shape %transposed_24 [[0], [1, 2, 3]] : tensor<512x256x1x1xf32> into tensor<512x256xf32>
    return %collapsed_25 : tensor<512x256xf32>
  }
}

// moe_gate_arg: A mixture of experts written as if every token went to every expert.
// Written by examples/torch/export.py (torch 2.15.0, torch-mlir 20261001); edit that, not this.
// Run: pit-run examples/torch/moe_gate_arg.mlir --random=normal --random=topk-gate:1 --random=normal:0.05 --check --report
// Look at: only the gate is marked. The first product is skipped by demand: nobody reads results of experts that the gate leaves out.
// %arg0 = x
// %arg1 = gate
// %arg2 = up
// %arg3 = down

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<512x256xf32>, %arg1: tensor<512x8xf32> {pit.sparse = {absent = "zero", at_most = 2 : i64, axes = array<i64: 0, 1>, source = "values"}}, %arg2: tensor<8x256x512xf32>, %arg3: tensor<8x512x256xf32>) -> tensor<512x256xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg2 [[0], [1], [2, 3]] output_shape [8, 256, 512, 1] : tensor<8x256x512xf32> into tensor<8x256x512x1xf32>
    %expanded_0 = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [1, 512, 256] : tensor<512x256xf32> into tensor<1x512x256xf32>
    %0 = tensor.empty() : tensor<256x8x512x1xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<8x256x512x1xf32>) outs(%0 : tensor<256x8x512x1xf32>) permutation = [1, 0, 2, 3]
    %collapsed = tensor.collapse_shape %transposed [[0], [1, 2, 3]] : tensor<256x8x512x1xf32> into tensor<256x4096xf32>
    %expanded_1 = tensor.expand_shape %collapsed [[0, 1], [2]] output_shape [1, 256, 4096] : tensor<256x4096xf32> into tensor<1x256x4096xf32>
    %1 = tensor.empty() : tensor<1x512x4096xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1x512x4096xf32>) -> tensor<1x512x4096xf32>
    %3 = linalg.batch_matmul ins(%expanded_0, %expanded_1 : tensor<1x512x256xf32>, tensor<1x256x4096xf32>) outs(%2 : tensor<1x512x4096xf32>) -> tensor<1x512x4096xf32>
    %collapsed_2 = tensor.collapse_shape %3 [[0, 1], [2]] : tensor<1x512x4096xf32> into tensor<512x4096xf32>
    %expanded_3 = tensor.expand_shape %collapsed_2 [[0], [1, 2, 3]] output_shape [512, 1, 8, 512] : tensor<512x4096xf32> into tensor<512x1x8x512xf32>
    %4 = tensor.empty() : tensor<512x8x512x1xf32>
    %transposed_4 = linalg.transpose ins(%expanded_3 : tensor<512x1x8x512xf32>) outs(%4 : tensor<512x8x512x1xf32>) permutation = [0, 2, 3, 1]
    %collapsed_5 = tensor.collapse_shape %transposed_4 [[0], [1], [2, 3]] : tensor<512x8x512x1xf32> into tensor<512x8x512xf32>
    %5 = tensor.empty() : tensor<512x8x512xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_5 : tensor<512x8x512xf32>) outs(%5 : tensor<512x8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.cmpf ugt, %in, %cst : f32
      %15 = arith.select %14, %in, %cst : f32
      linalg.yield %15 : f32
    } -> tensor<512x8x512xf32>
    %expanded_6 = tensor.expand_shape %arg1 [[0], [1, 2, 3]] output_shape [512, 8, 1, 1] : tensor<512x8xf32> into tensor<512x8x1x1xf32>
    %7 = tensor.empty() : tensor<512x1x8x1xf32>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<512x8x1x1xf32>) outs(%7 : tensor<512x1x8x1xf32>) permutation = [0, 2, 1, 3]
    %expanded_8 = tensor.expand_shape %6 [[0], [1], [2, 3]] output_shape [512, 8, 512, 1] : tensor<512x8x512xf32> into tensor<512x8x512x1xf32>
    %8 = tensor.empty() : tensor<512x1x8x512xf32>
    %transposed_9 = linalg.transpose ins(%expanded_8 : tensor<512x8x512x1xf32>) outs(%8 : tensor<512x1x8x512xf32>) permutation = [0, 3, 1, 2]
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_7, %transposed_9 : tensor<512x1x8x1xf32>, tensor<512x1x8x512xf32>) outs(%8 : tensor<512x1x8x512xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %14 = arith.mulf %in, %in_19 : f32
      linalg.yield %14 : f32
    } -> tensor<512x1x8x512xf32>
    %transposed_10 = linalg.transpose ins(%9 : tensor<512x1x8x512xf32>) outs(%4 : tensor<512x8x512x1xf32>) permutation = [0, 2, 3, 1]
    %collapsed_11 = tensor.collapse_shape %transposed_10 [[0], [1, 2, 3]] : tensor<512x8x512x1xf32> into tensor<512x4096xf32>
    %expanded_12 = tensor.expand_shape %collapsed_11 [[0, 1], [2]] output_shape [1, 512, 4096] : tensor<512x4096xf32> into tensor<1x512x4096xf32>
    %collapsed_13 = tensor.collapse_shape %arg3 [[0, 1], [2]] : tensor<8x512x256xf32> into tensor<4096x256xf32>
    %expanded_14 = tensor.expand_shape %collapsed_13 [[0, 1], [2]] output_shape [1, 4096, 256] : tensor<4096x256xf32> into tensor<1x4096x256xf32>
    %10 = tensor.empty() : tensor<1x512x256xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<1x512x256xf32>) -> tensor<1x512x256xf32>
    %12 = linalg.batch_matmul ins(%expanded_12, %expanded_14 : tensor<1x512x4096xf32>, tensor<1x4096x256xf32>) outs(%11 : tensor<1x512x256xf32>) -> tensor<1x512x256xf32>
    %collapsed_15 = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<1x512x256xf32> into tensor<512x256xf32>
    %expanded_16 = tensor.expand_shape %collapsed_15 [[0], [1, 2, 3]] output_shape [512, 1, 1, 256] : tensor<512x256xf32> into tensor<512x1x1x256xf32>
    %13 = tensor.empty() : tensor<512x256x1x1xf32>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<512x1x1x256xf32>) outs(%13 : tensor<512x256x1x1xf32>) permutation = [0, 3, 1, 2]
    %collapsed_18 = tensor.collapse_shape %transposed_17 [[0], [1, 2, 3]] : tensor<512x256x1x1xf32> into tensor<512x256xf32>
    return %collapsed_18 : tensor<512x256xf32>
  }
}

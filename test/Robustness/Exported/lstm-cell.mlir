// An LSTM cell as torch-mlir exports it: rows of the batch and of the state that are zero in every feature.
// RUN: pit-run %s --random rows:0.5 --random rows:0.5 --random uniform:-0.4:0.4 --check --report | FileCheck %s
//
// %arg0 = x
// %arg1 = h
// %arg2 = c
// %arg3 = c.weight_ih
// %arg4 = c.weight_hh
// %arg5 = c.bias_ih
// %arg6 = c.bias_hh

// CHECK: check: result 0: bit-identical
// CHECK: report: skipped

#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<8x16xf32> {pit.sparse = {absent = "zero", axes = array<i64: 0>, source = "values"}}, %arg1: tensor<8x16xf32> {pit.sparse = {absent = "zero", axes = array<i64: 0>, source = "values"}}, %arg2: tensor<8x16xf32>, %arg3: tensor<64x16xf32>, %arg4: tensor<64x16xf32>, %arg5: tensor<64xf32>, %arg6: tensor<64xf32>) -> tensor<8x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<16x64xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<64x16xf32>) outs(%0 : tensor<16x64xf32>) permutation = [1, 0]
    %1 = tensor.empty() : tensor<8x64xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %3 = linalg.matmul ins(%arg1, %transposed : tensor<8x16xf32>, tensor<16x64xf32>) outs(%2 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<64xf32>) outs(%1 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x64xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%1 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %20 = arith.addf %in, %in_5 : f32
      linalg.yield %20 : f32
    } -> tensor<8x64xf32>
    %transposed_1 = linalg.transpose ins(%arg3 : tensor<64x16xf32>) outs(%0 : tensor<16x64xf32>) permutation = [1, 0]
    %6 = linalg.matmul ins(%arg0, %transposed_1 : tensor<8x16xf32>, tensor<16x64xf32>) outs(%2 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<64xf32>) outs(%1 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x64xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %7 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%1 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %20 = arith.addf %in, %in_5 : f32
      linalg.yield %20 : f32
    } -> tensor<8x64xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5, %8 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%1 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %20 = arith.addf %in, %in_5 : f32
      linalg.yield %20 : f32
    } -> tensor<8x64xf32>
    %extracted_slice = tensor.extract_slice %9[0, 0] [8, 16] [1, 1] : tensor<8x64xf32> to tensor<8x16xf32>
    %extracted_slice_2 = tensor.extract_slice %9[0, 16] [8, 16] [1, 1] : tensor<8x64xf32> to tensor<8x16xf32>
    %extracted_slice_3 = tensor.extract_slice %9[0, 32] [8, 16] [1, 1] : tensor<8x64xf32> to tensor<8x16xf32>
    %extracted_slice_4 = tensor.extract_slice %9[0, 48] [8, 16] [1, 1] : tensor<8x64xf32> to tensor<8x16xf32>
    %10 = tensor.empty() : tensor<8x16xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<8x16xf32>) outs(%10 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.negf %in : f32
      %21 = math.exp %20 : f32
      %22 = arith.addf %21, %cst_0 : f32
      %23 = arith.divf %cst_0, %22 : f32
      linalg.yield %23 : f32
    } -> tensor<8x16xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_2 : tensor<8x16xf32>) outs(%10 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.negf %in : f32
      %21 = math.exp %20 : f32
      %22 = arith.addf %21, %cst_0 : f32
      %23 = arith.divf %cst_0, %22 : f32
      linalg.yield %23 : f32
    } -> tensor<8x16xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3 : tensor<8x16xf32>) outs(%10 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = math.tanh %in : f32
      linalg.yield %20 : f32
    } -> tensor<8x16xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_4 : tensor<8x16xf32>) outs(%10 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.negf %in : f32
      %21 = math.exp %20 : f32
      %22 = arith.addf %21, %cst_0 : f32
      %23 = arith.divf %cst_0, %22 : f32
      linalg.yield %23 : f32
    } -> tensor<8x16xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %arg2 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%10 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %20 = arith.mulf %in, %in_5 : f32
      linalg.yield %20 : f32
    } -> tensor<8x16xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %13 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%10 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %20 = arith.mulf %in, %in_5 : f32
      linalg.yield %20 : f32
    } -> tensor<8x16xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%15, %16 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%10 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %20 = arith.addf %in, %in_5 : f32
      linalg.yield %20 : f32
    } -> tensor<8x16xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<8x16xf32>) outs(%10 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = math.tanh %in : f32
      linalg.yield %20 : f32
    } -> tensor<8x16xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14, %18 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%10 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %20 = arith.mulf %in, %in_5 : f32
      linalg.yield %20 : f32
    } -> tensor<8x16xf32>
    return %19 : tensor<8x16xf32>
  }
}

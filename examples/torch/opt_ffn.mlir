// opt_ffn: The feed-forward part of an OPT decoder layer: ReLU leaves most of it zero.
// Written by examples/torch/export.py (torch 2.15.0, torch-mlir 20261001); edit that, not this.
// Run: pit-run examples/torch/opt_ffn.mlir --random=normal:0.5 --random=normal:0.05 --random=uniform:-8:0 --random=normal:0.05 --check --report
// Look at: "waste": a 32x1 micro-tile is live if one of its 32 elements is, and most of them are not.
// %arg0 = x
// %arg1 = fc1.weight
// %arg2 = fc1.bias
// %arg3 = fc2.weight
// %arg4 = fc2.bias

#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<256x256xf32>, %arg1: tensor<1024x256xf32>, %arg2: tensor<1024xf32>, %arg3: tensor<256x1024xf32>, %arg4: tensor<256xf32>) -> tensor<256x256xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<256x1024xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1024x256xf32>) outs(%0 : tensor<256x1024xf32>) permutation = [1, 0]
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %2 = linalg.matmul ins(%arg0, %transposed : tensor<256x256xf32>, tensor<256x1024xf32>) outs(%1 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<1024xf32>) outs(%0 : tensor<256x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x1024xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %3 : tensor<256x1024xf32>, tensor<256x1024xf32>) outs(%0 : tensor<256x1024xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %12 = arith.addf %in, %in_1 : f32
      linalg.yield %12 : f32
    } -> tensor<256x1024xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<256x1024xf32>) outs(%0 : tensor<256x1024xf32>) attrs =  {pit.sparse = {absent = "zero", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>, live = 2.000000e-02 : f64, source = "values"}} {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.cmpf ugt, %in, %cst : f32
      %13 = arith.select %12, %in, %cst : f32
      linalg.yield %13 : f32
    } -> tensor<256x1024xf32>
    %6 = tensor.empty() : tensor<1024x256xf32>
    %transposed_0 = linalg.transpose ins(%arg3 : tensor<256x1024xf32>) outs(%6 : tensor<1024x256xf32>) permutation = [1, 0]
    %7 = tensor.empty() : tensor<256x256xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %9 = linalg.matmul ins(%5, %transposed_0 : tensor<256x1024xf32>, tensor<1024x256xf32>) outs(%8 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<256xf32>) outs(%7 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x256xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %10 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%7 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %12 = arith.addf %in, %in_1 : f32
      linalg.yield %12 : f32
    } -> tensor<256x256xf32>
    return %11 : tensor<256x256xf32>
  }
}

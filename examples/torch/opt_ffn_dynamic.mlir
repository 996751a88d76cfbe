// opt_ffn_dynamic: The feed-forward part of an OPT decoder layer: ReLU leaves most of it zero.
// Written by examples/torch/export.py (torch 2.15.0, torch-mlir 20261001); edit that, not this.
// Run: pit-run examples/torch/opt_ffn_dynamic.mlir --random=normal:0.5@77x256 --random=normal:0.05 --random=uniform:-8:0 --random=normal:0.05 --check --report
// Look at: the same rule as in opt_ffn.mlir, for any number of tokens: list and tiles follow from the extents of a call.
// %arg0 = x
// %arg1 = fc1.weight
// %arg2 = fc1.bias
// %arg3 = fc2.weight
// %arg4 = fc2.bias

#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<?x256xf32>, %arg1: tensor<1024x256xf32>, %arg2: tensor<1024xf32>, %arg3: tensor<256x1024xf32>, %arg4: tensor<256xf32>) -> tensor<?x256xf32> {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x256xf32>
    %0 = tensor.empty() : tensor<256x1024xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1024x256xf32>) outs(%0 : tensor<256x1024xf32>) permutation = [1, 0]
    %1 = tensor.empty(%dim) : tensor<?x1024xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?x1024xf32>) -> tensor<?x1024xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<?x256xf32>, tensor<256x1024xf32>) outs(%2 : tensor<?x1024xf32>) -> tensor<?x1024xf32>
    %4 = tensor.empty(%dim) : tensor<?x1024xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<1024xf32>) outs(%4 : tensor<?x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x1024xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %5 : tensor<?x1024xf32>, tensor<?x1024xf32>) outs(%1 : tensor<?x1024xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %15 = arith.addf %in, %in_1 : f32
      linalg.yield %15 : f32
    } -> tensor<?x1024xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x1024xf32>) outs(%1 : tensor<?x1024xf32>) attrs =  {pit.sparse = {absent = "zero", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>, live = 2.000000e-02 : f64, source = "values"}} {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.cmpf ugt, %in, %cst : f32
      %16 = arith.select %15, %in, %cst : f32
      linalg.yield %16 : f32
    } -> tensor<?x1024xf32>
    %8 = tensor.empty() : tensor<1024x256xf32>
    %transposed_0 = linalg.transpose ins(%arg3 : tensor<256x1024xf32>) outs(%8 : tensor<1024x256xf32>) permutation = [1, 0]
    %9 = tensor.empty(%dim) : tensor<?x256xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<?x256xf32>) -> tensor<?x256xf32>
    %11 = linalg.matmul ins(%7, %transposed_0 : tensor<?x1024xf32>, tensor<1024x256xf32>) outs(%10 : tensor<?x256xf32>) -> tensor<?x256xf32>
    %12 = tensor.empty(%dim) : tensor<?x256xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<256xf32>) outs(%12 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x256xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %13 : tensor<?x256xf32>, tensor<?x256xf32>) outs(%9 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %15 = arith.addf %in, %in_1 : f32
      linalg.yield %15 : f32
    } -> tensor<?x256xf32>
    return %14 : tensor<?x256xf32>
  }
}

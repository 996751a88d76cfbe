// relu_ffn.mlir as models have it: bf16 in and out, sums in f32. On a GPU with wgmma, ReLU and rounding are in the epilogue of the first
// product, and what is live of it is found behind it, for the second.
// Run:  pit-run examples/relu_ffn_bf16.mlir --random=uniform --random=column-signs:0.9 --random=normal:0.05 --check --report
//       pit-opt examples/relu_ffn_bf16.mlir --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null
// Look at: the second product's family in the second command. In f32 it is a loop over listed tiles.

#id = affine_map<(i, j) -> (i, j)>

func.func @main(%x: tensor<512x256xbf16>, %w1: tensor<256x1024xbf16>,
                %w2: tensor<1024x256xbf16>) -> tensor<512x256xbf16> {
  %zero = arith.constant 0.0 : f32
  %he = tensor.empty() : tensor<512x1024xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<512x256xbf16>, tensor<256x1024xbf16>)
    outs(%hz : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %ae = tensor.empty() : tensor<512x1024xbf16>
  %a = linalg.generic {
      indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<512x1024xf32>) outs(%ae : tensor<512x1024xbf16>)
      attrs = {pit.sparse = {
        source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>,
        absent = "zero"}} {
  ^bb0(%v: f32, %out: bf16):
    %r = arith.maximumf %v, %zero : f32
    %rounded = arith.truncf %r : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<512x1024xbf16>
  %ye = tensor.empty() : tensor<512x256xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<512x256xf32>) -> tensor<512x256xf32>
  %sums = linalg.matmul ins(%a, %w2 : tensor<512x1024xbf16>, tensor<1024x256xbf16>)
    outs(%yz : tensor<512x256xf32>) -> tensor<512x256xf32>
  %narrow = tensor.empty() : tensor<512x256xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<512x256xf32>) outs(%narrow : tensor<512x256xbf16>) {
  ^bb0(%sum: f32, %out: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<512x256xbf16>
  return %y : tensor<512x256xbf16>
}

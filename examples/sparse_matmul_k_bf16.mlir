// sparse_matmul_k.mlir as models have it: bf16 in and out, sums in f32. On a GPU with wgmma the pass that finds micro-tiles of 32x1 packs
// them, and one kernel multiplies what is packed by gathered rows of B.
// Run:  pit-run examples/sparse_matmul_k_bf16.mlir --random=block-sparse:32x1:0.9 --random=normal --check --report
//       pit-opt examples/sparse_matmul_k_bf16.mlir --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null
// Look at: "SpMM of packed micro-tiles" in the second. Compare with the program in f32, which is a loop of threads there.

#id = affine_map<(i, j) -> (i, j)>

func.func @main(
    %a: tensor<512x1024xbf16> {pit.sparse = {
      source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>,
      absent = "zero"}},
    %b: tensor<1024x256xbf16>) -> tensor<512x256xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x256xf32>)
    -> tensor<512x256xf32>
  %sums = linalg.matmul
    ins(%a, %b : tensor<512x1024xbf16>, tensor<1024x256xbf16>)
    outs(%init : tensor<512x256xf32>) -> tensor<512x256xf32>
  %narrow = tensor.empty() : tensor<512x256xbf16>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<512x256xf32>) outs(%narrow : tensor<512x256xbf16>) {
  ^bb0(%sum: f32, %out: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<512x256xbf16>
  return %c : tensor<512x256xbf16>
}

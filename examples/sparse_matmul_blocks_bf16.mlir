// sparse_matmul_blocks.mlir as models have it: bf16 in and out, sums in f32. On a GPU with wgmma this is block-sparse SpMM, which walks
// the bits of live blocks; the one in f32 is not, as matrix units do not multiply f32.
// Run:  pit-run examples/sparse_matmul_blocks_bf16.mlir --random=normal --random=mask:1:0.2 --random=normal --check --report
//       pit-opt examples/sparse_matmul_blocks_bf16.mlir --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null
// Look at: "SpMM of live blocks, Instructions wgmma" in the second, and rounding in its epilogue. Compare with the program in f32.

#id = affine_map<(i, j) -> (i, j)>

func.func @main(
    %a: tensor<512x1024xbf16> {pit.sparse = {
      source = "blocks", from = 1 : i64, axes = array<i64: 0, 1>,
      granularity = array<i64: 32, 64>, absent = "zero"}},
    %bits: tensor<16x16xi1>,
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

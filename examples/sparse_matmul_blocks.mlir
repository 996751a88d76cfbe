// C = A * B where one bit per 32x64 block of A says whether the block counts. The bits are the index: nothing of A is read to find out
// what is live. Either axis of the block may be packed; k needs no scatter.
// Run:  pit-run examples/sparse_matmul_blocks.mlir --random=normal --random=mask:1:0.2 --random=normal --check --report
// Look at: the rule packs d2, which is k. In bf16, --pit-to-ptx=chip=sm_90a makes block-sparse SpMM of it; --pit-explain says so.

func.func @main(
    %a: tensor<512x1024xf32> {pit.sparse = {
      source = "blocks", from = 1 : i64, axes = array<i64: 0, 1>,
      granularity = array<i64: 32, 64>, absent = "zero"}},
    %bits: tensor<16x16xi1>,
    %b: tensor<1024x256xf32>) -> tensor<512x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x256xf32>)
    -> tensor<512x256xf32>
  %c = linalg.matmul
    ins(%a, %b : tensor<512x1024xf32>, tensor<1024x256xf32>)
    outs(%init : tensor<512x256xf32>) -> tensor<512x256xf32>
  return %c : tensor<512x256xf32>
}

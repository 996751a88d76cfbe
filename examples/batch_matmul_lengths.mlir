// A batch of sequences padded on the left, times one matrix per sequence. Row i of sequence b counts when i >= L - lengths[b].
// Batch and row together are the (segment, coordinate) of one index: the live rows of each sequence are packed.
// Run:  pit-run examples/batch_matmul_lengths.mlir --random=normal@5x50x64 --random=lengths:0:25@5 --random=normal@5x64x96 --check --report
// Look at: "skipped" is the share of padded rows, and "waste" is 0: no padded row is computed.

func.func @main(
    %x: tensor<?x?x64xf32> {pit.sparse = {
      source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "left",
      absent = "zero"}},
    %lengths: tensor<?xi64>,
    %w: tensor<?x64x96xf32>) -> tensor<?x?x96xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batch = tensor.dim %x, %c0 : tensor<?x?x64xf32>
  %length = tensor.dim %x, %c1 : tensor<?x?x64xf32>
  %empty = tensor.empty(%batch, %length) : tensor<?x?x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x96xf32>)
    -> tensor<?x?x96xf32>
  %y = linalg.batch_matmul
    ins(%x, %w : tensor<?x?x64xf32>, tensor<?x64x96xf32>)
    outs(%init : tensor<?x?x96xf32>) -> tensor<?x?x96xf32>
  return %y : tensor<?x?x96xf32>
}

// s[p] = sum_l X[p,l], where X is zero in runs of 16 elements. Both axes may be permuted: p is parallel and l sums. Skipping a run of
// zeros leaves the sum as it is; the live runs keep their order, so the result is the same to the bit.
// Run:  pit-run examples/reduce_sum.mlir --random=block-sparse:1x16:0.9 --check --report
// Look at: "ran". Finding runs of 16 can take longer than adding all up; then the dense sum runs (--no-dense-variants skips anyway).

func.func @main(
    %x: tensor<1024x2048xf32> {pit.sparse = {
      source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 1, 16>,
      absent = "zero"}}) -> tensor<1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024xf32>) -> tensor<1024xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<1024x2048xf32>)
    outs(%init : tensor<1024xf32>) dimensions = [1]
  return %s : tensor<1024xf32>
}

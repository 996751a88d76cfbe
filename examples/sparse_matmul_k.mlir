// C = A * B where A is zero in whole 32x1 columns of a strip of rows. Each strip of 32 rows keeps its own list of live columns. k is a
// reduction over products, so any subset of columns that holds the live ones gives the same C: they are packed into a dense 32xK'
// tile, with the matching rows of B.
// Run:  pit-run examples/sparse_matmul_k.mlir --random=block-sparse:32x1:0.9 --random=normal --check --report
// Look at: "live/total" in micro-tiles of 32x1, and "sparse up to": with block-sparse:32x1:0.3 the dense op runs.

func.func @main(
    %a: tensor<512x1024xf32> {pit.sparse = {
      source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>,
      absent = "zero"}},
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

// C = A * B where a mask says which columns of B count (neurons switched off). n is parallel: the live columns of B are packed, and the
// columns of the result scattered. The other columns of C are zero.
// Run:  pit-run examples/sparse_matmul_n.mlir --random=normal --random=normal --random=bool:0.3 --check --report
// Look at: the same mark as in sparse_matmul_m.mlir, on B: the rule packs d1. PIT knows no op by its name.

func.func @main(
    %a: tensor<256x512xf32>,
    %b: tensor<512x1024xf32> {pit.sparse = {
      source = "mask", from = 2 : i64, axes = array<i64: 1>, absent = "zero"}},
    %live: tensor<1024xi1>) -> tensor<256x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x1024xf32>)
    -> tensor<256x1024xf32>
  %c = linalg.matmul
    ins(%a, %b : tensor<256x512xf32>, tensor<512x1024xf32>)
    outs(%init : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  return %c : tensor<256x1024xf32>
}

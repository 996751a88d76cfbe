// C = A * B where one mask says which rows of A count (tokens), and another one which columns of B do (neurons). m and n are both
// parallel, and the two masks know nothing of each other: the live rows of A are packed, and of each tile of them only the live
// columns of B are computed. Everything else of C is zero.
// Run:  pit-run examples/sparse_matmul_both.mlir --random=normal --random=normal --random=bool:0.3 --random=bool:0.3 --check --report
// Look at: one product has two rules, of two patterns. Each says what it skips by itself; together 91 % of the product is skipped.


func.func @main(
    %a: tensor<512x256xf32> {pit.sparse = {
      source = "mask", from = 2 : i64, axes = array<i64: 0>, absent = "zero"}},
    %b: tensor<256x1024xf32> {pit.sparse = {
      source = "mask", from = 3 : i64, axes = array<i64: 1>, absent = "zero"}},
    %rows: tensor<512xi1>, %columns: tensor<1024xi1>) -> tensor<512x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x1024xf32>)
    -> tensor<512x1024xf32>
  %c = linalg.matmul
    ins(%a, %b : tensor<512x256xf32>, tensor<256x1024xf32>)
    outs(%init : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  return %c : tensor<512x1024xf32>
}

// C = A * B where a mask says which rows of A count. m is parallel: the live rows are gathered into dense tiles, multiplied, and their
// results scattered back. A dead row of A is zero, so its row of C is too.
// Run:  pit-run examples/sparse_matmul_m.mlir --random=normal@300x256 --random=bool:0.3@300 --random=normal --check --report
// Look at: the kind is "dead-result": dead rows of C are known without a product. README.md follows this program to its kernel.

func.func @main(
    %a: tensor<?x256xf32> {pit.sparse = {
      source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
    %live: tensor<?xi1>,
    %b: tensor<256x512xf32>) -> tensor<?x512xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x256xf32>
  %empty = tensor.empty(%m) : tensor<?x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x512xf32>)
    -> tensor<?x512xf32>
  %c = linalg.matmul
    ins(%a, %b : tensor<?x256xf32>, tensor<256x512xf32>)
    outs(%init : tensor<?x512xf32>) -> tensor<?x512xf32>
  return %c : tensor<?x512xf32>
}

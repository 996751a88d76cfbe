// C = A * B in bf16 where a mask says which rows of A count, written dense.
// For bench_masked_rows.py: the rows are found, gathered, multiplied, rounded and
// scattered by one index and one kernel for matrix units.

func.func @main(
    %a: tensor<?x4096xbf16> {pit.sparse = {
      source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
    %live: tensor<?xi1>,
    %b: tensor<4096x4096xbf16>) -> tensor<?x4096xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x4096xbf16>
  %empty = tensor.empty(%m) : tensor<?x4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %s = linalg.matmul
    ins(%a, %b : tensor<?x4096xbf16>, tensor<4096x4096xbf16>)
    outs(%init : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %e2 = tensor.empty(%m) : tensor<?x4096xbf16>
  %c = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<?x4096xf32>) outs(%e2 : tensor<?x4096xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x4096xbf16>
  return %c : tensor<?x4096xbf16>
}

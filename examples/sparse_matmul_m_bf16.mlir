// sparse_matmul_m.mlir as models have it: bf16 in and out, sums in f32. On a GPU with wgmma live rows are gathered while the matrix units
// are fed, and results rounded in the epilogue; the one in f32 is multiplied by FMA of threads.
// Run:  pit-run examples/sparse_matmul_m_bf16.mlir --random=normal@300x256 --random=bool:0.3@300 --random=normal --check --report
//       pit-opt examples/sparse_matmul_m_bf16.mlir --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null
// Look at: "GEMM of listed rows, Instructions wgmma" in the second, and the bound beside that of the program in f32.

#id = affine_map<(i, j) -> (i, j)>

func.func @main(
    %a: tensor<?x256xbf16> {pit.sparse = {
      source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
    %live: tensor<?xi1>,
    %b: tensor<256x512xbf16>) -> tensor<?x512xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x256xbf16>
  %empty = tensor.empty(%m) : tensor<?x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x512xf32>)
    -> tensor<?x512xf32>
  %sums = linalg.matmul
    ins(%a, %b : tensor<?x256xbf16>, tensor<256x512xbf16>)
    outs(%init : tensor<?x512xf32>) -> tensor<?x512xf32>
  %narrow = tensor.empty(%m) : tensor<?x512xbf16>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<?x512xf32>) outs(%narrow : tensor<?x512xbf16>) {
  ^bb0(%sum: f32, %out: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<?x512xbf16>
  return %c : tensor<?x512xbf16>
}

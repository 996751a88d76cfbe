// A linear layer with bias and ReLU, of which a mask names the rows that count: what docs/Architecture.md follows to PTX.
func.func @main(
    %a: tensor<?x512xbf16> {pit.sparse = {
      source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
    %live: tensor<?xi1>, %b: tensor<512x1024xbf16>, %bias: tensor<1024xbf16>)
    -> tensor<?x1024xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x512xbf16>
  %empty = tensor.empty(%m) : tensor<?x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x512xbf16>, tensor<512x1024xbf16>)
                     outs(%init : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %out = tensor.empty(%m) : tensor<?x1024xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<?x1024xf32>, tensor<1024xbf16>) outs(%out : tensor<?x1024xbf16>) {
  ^bb0(%x: f32, %s: bf16, %o: bf16):
    %w = arith.extf %s : bf16 to f32
    %t = arith.addf %x, %w : f32
    %r = arith.maximumf %t, %zero : f32
    %h = arith.truncf %r : f32 to bf16
    linalg.yield %h : bf16
  } -> tensor<?x1024xbf16>
  return %y : tensor<?x1024xbf16>
}

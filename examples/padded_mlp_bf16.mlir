// padded_mlp.mlir as models have it: bf16 in and out, products summed in f32, layer norm in f32. On a GPU with wgmma, rows that count are
// gathered while the first product is loaded; bias, ReLU and rounding are in its epilogue, bias and residual in that of the second, and
// layer norm is one kernel of rows.
// Run:  pit-run examples/padded_mlp_bf16.mlir --random=normal@4x128x256 --random=lengths:1:60@4 --random=normal:0.05 --check --report=all
//       pit-opt examples/padded_mlp_bf16.mlir --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null
// Look at: "GEMM of listed rows, Instructions wgmma" twice in the second. In f32 these two are FMA of threads.

#row  = affine_map<(b, l, j) -> (b, l, j)>
#sum  = affine_map<(b, l, j) -> (b, l)>
#vec  = affine_map<(b, l, j) -> (j)>
#mx   = affine_map<(b, l, j, k) -> (b, l, k)>
#mw   = affine_map<(b, l, j, k) -> (k, j)>
#my   = affine_map<(b, l, j, k) -> (b, l, j)>

func.func @main(
    %x: tensor<?x128x256xbf16> {pit.sparse = {
      source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "right",
      absent = "undef"}},
    %lengths: tensor<?xi64>,
    %w1: tensor<256x1024xbf16>, %b1: tensor<1024xf32>,
    %w2: tensor<1024x256xbf16>, %b2: tensor<256xf32>,
    %gamma: tensor<256xf32>, %beta: tensor<256xf32>) -> tensor<?x128x256xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %width = arith.constant 256.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %batch = tensor.dim %x, %c0 : tensor<?x128x256xbf16>

  // W1 * X, then bias and ReLU.
  %he = tensor.empty(%batch) : tensor<?x128x1024xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<?x128x1024xf32>) -> tensor<?x128x1024xf32>
  %h = linalg.generic {
      indexing_maps = [#mx, #mw, #my],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w1 : tensor<?x128x256xbf16>, tensor<256x1024xbf16>)
      outs(%hz : tensor<?x128x1024xf32>) {
  ^bb0(%a: bf16, %w: bf16, %acc: f32):
    %af = arith.extf %a : bf16 to f32
    %wf = arith.extf %w : bf16 to f32
    %p = arith.mulf %af, %wf : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x128x1024xf32>
  %ae = tensor.empty(%batch) : tensor<?x128x1024xbf16>
  %act = linalg.generic {
      indexing_maps = [#row, #vec, #row],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h, %b1 : tensor<?x128x1024xf32>, tensor<1024xf32>)
      outs(%ae : tensor<?x128x1024xbf16>) {
  ^bb0(%v: f32, %bias: f32, %out: bf16):
    %s = arith.addf %v, %bias : f32
    %r = arith.maximumf %s, %zero : f32
    %rounded = arith.truncf %r : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<?x128x1024xbf16>

  // W2 * that, then bias and residual.
  %ye = tensor.empty(%batch) : tensor<?x128x256xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x128x256xf32>) -> tensor<?x128x256xf32>
  %y = linalg.generic {
      indexing_maps = [#mx, #mw, #my],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%act, %w2 : tensor<?x128x1024xbf16>, tensor<1024x256xbf16>)
      outs(%yz : tensor<?x128x256xf32>) {
  ^bb0(%a: bf16, %w: bf16, %acc: f32):
    %af = arith.extf %a : bf16 to f32
    %wf = arith.extf %w : bf16 to f32
    %p = arith.mulf %af, %wf : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x128x256xf32>
  %r = linalg.generic {
      indexing_maps = [#row, #vec, #row, #row],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %b2, %x : tensor<?x128x256xf32>, tensor<256xf32>, tensor<?x128x256xbf16>)
      outs(%ye : tensor<?x128x256xf32>) {
  ^bb0(%v: f32, %bias: f32, %res: bf16, %out: f32):
    %s = arith.addf %v, %bias : f32
    %wide = arith.extf %res : bf16 to f32
    %t = arith.addf %s, %wide : f32
    linalg.yield %t : f32
  } -> tensor<?x128x256xf32>

  // Layer norm: sum, centre, sum of squares, scale.
  %se = tensor.empty(%batch) : tensor<?x128xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<?x128xf32>) -> tensor<?x128xf32>
  %total = linalg.reduce { arith.addf } ins(%r : tensor<?x128x256xf32>)
    outs(%sz : tensor<?x128xf32>) dimensions = [2]
  %centred = linalg.generic {
      indexing_maps = [#row, #sum, #row],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %total : tensor<?x128x256xf32>, tensor<?x128xf32>)
      outs(%ye : tensor<?x128x256xf32>) {
  ^bb0(%v: f32, %t: f32, %out: f32):
    %mean = arith.divf %t, %width : f32
    %d = arith.subf %v, %mean : f32
    linalg.yield %d : f32
  } -> tensor<?x128x256xf32>
  %squares = linalg.generic {
      indexing_maps = [#row, #sum],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%centred : tensor<?x128x256xf32>) outs(%sz : tensor<?x128xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %q = arith.mulf %v, %v : f32
    %s = arith.addf %acc, %q : f32
    linalg.yield %s : f32
  } -> tensor<?x128xf32>
  %ne = tensor.empty(%batch) : tensor<?x128x256xbf16>
  %n = linalg.generic {
      indexing_maps = [#row, #sum, #vec, #vec, #row],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%centred, %squares, %gamma, %beta
          : tensor<?x128x256xf32>, tensor<?x128xf32>, tensor<256xf32>, tensor<256xf32>)
      outs(%ne : tensor<?x128x256xbf16>) {
  ^bb0(%v: f32, %sq: f32, %g: f32, %b: f32, %out: bf16):
    %var = arith.divf %sq, %width : f32
    %safe = arith.addf %var, %eps : f32
    %inv = math.rsqrt %safe : f32
    %unit = arith.mulf %v, %inv : f32
    %scaled = arith.mulf %unit, %g : f32
    %o = arith.addf %scaled, %b : f32
    %rounded = arith.truncf %o : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<?x128x256xbf16>
  return %n : tensor<?x128x256xbf16>
}

// LayerNorm(X + W2 * relu(W1 * X + b1) + b2) over a batch of padded sequences: position l of sequence b is padding when
// l >= lengths[b], and nobody reads the result there. Every operation treats (b, l) as a row of its own, so the whole chain runs on
// the packed live rows: one gather at the start, one scatter at the end.
// Run:  pit-run examples/padded_mlp.mlir --random=normal@4x128x256 --random=lengths:1:60@4 --random=normal:0.05 --check --report=all
// Look at: eight rules, one pattern, found once. `absent = "undef"` on the mark says that nobody reads padding.

#row  = affine_map<(b, l, j) -> (b, l, j)>
#sum  = affine_map<(b, l, j) -> (b, l)>
#vec  = affine_map<(b, l, j) -> (j)>
#mx   = affine_map<(b, l, j, k) -> (b, l, k)>
#mw   = affine_map<(b, l, j, k) -> (k, j)>
#my   = affine_map<(b, l, j, k) -> (b, l, j)>

func.func @main(
    %x: tensor<?x128x256xf32> {pit.sparse = {
      source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "right",
      absent = "undef"}},
    %lengths: tensor<?xi64>,
    %w1: tensor<256x1024xf32>, %b1: tensor<1024xf32>,
    %w2: tensor<1024x256xf32>, %b2: tensor<256xf32>,
    %gamma: tensor<256xf32>, %beta: tensor<256xf32>) -> tensor<?x128x256xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %width = arith.constant 256.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %batch = tensor.dim %x, %c0 : tensor<?x128x256xf32>

  // W1 * X, then bias and ReLU.
  %he = tensor.empty(%batch) : tensor<?x128x1024xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<?x128x1024xf32>) -> tensor<?x128x1024xf32>
  %h = linalg.generic {
      indexing_maps = [#mx, #mw, #my],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w1 : tensor<?x128x256xf32>, tensor<256x1024xf32>)
      outs(%hz : tensor<?x128x1024xf32>) {
  ^bb0(%a: f32, %w: f32, %acc: f32):
    %p = arith.mulf %a, %w : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x128x1024xf32>
  %act = linalg.generic {
      indexing_maps = [#row, #vec, #row],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h, %b1 : tensor<?x128x1024xf32>, tensor<1024xf32>)
      outs(%he : tensor<?x128x1024xf32>) {
  ^bb0(%v: f32, %bias: f32, %out: f32):
    %s = arith.addf %v, %bias : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x128x1024xf32>

  // W2 * that, then bias and residual.
  %ye = tensor.empty(%batch) : tensor<?x128x256xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x128x256xf32>) -> tensor<?x128x256xf32>
  %y = linalg.generic {
      indexing_maps = [#mx, #mw, #my],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%act, %w2 : tensor<?x128x1024xf32>, tensor<1024x256xf32>)
      outs(%yz : tensor<?x128x256xf32>) {
  ^bb0(%a: f32, %w: f32, %acc: f32):
    %p = arith.mulf %a, %w : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x128x256xf32>
  %r = linalg.generic {
      indexing_maps = [#row, #vec, #row, #row],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %b2, %x : tensor<?x128x256xf32>, tensor<256xf32>, tensor<?x128x256xf32>)
      outs(%ye : tensor<?x128x256xf32>) {
  ^bb0(%v: f32, %bias: f32, %res: f32, %out: f32):
    %s = arith.addf %v, %bias : f32
    %t = arith.addf %s, %res : f32
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
  %n = linalg.generic {
      indexing_maps = [#row, #sum, #vec, #vec, #row],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%centred, %squares, %gamma, %beta
          : tensor<?x128x256xf32>, tensor<?x128xf32>, tensor<256xf32>, tensor<256xf32>)
      outs(%ye : tensor<?x128x256xf32>) {
  ^bb0(%v: f32, %sq: f32, %g: f32, %b: f32, %out: f32):
    %var = arith.divf %sq, %width : f32
    %safe = arith.addf %var, %eps : f32
    %inv = math.rsqrt %safe : f32
    %unit = arith.mulf %v, %inv : f32
    %scaled = arith.mulf %unit, %g : f32
    %o = arith.addf %scaled, %b : f32
    linalg.yield %o : f32
  } -> tensor<?x128x256xf32>
  return %n : tensor<?x128x256xf32>
}

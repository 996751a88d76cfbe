// Early exit: a token whose confidence reaches the threshold keeps its state, and only the others run the next layer.
// The mask is computed, so the mark names it: `pit.source` on the op that says which tokens go on, `from` in the mark.
// Run:  pit-run examples/early_exit.mlir --random=normal@300x128 --random=uniform@300 --random=normal:.1 --random=normal:.1 --check --report
// Look at: the second product has a rule over m; the rows of tokens that left are not read.

#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i) -> (i)>

func.func @main(%x: tensor<?x128xf32>, %confidence: tensor<?xf32>, %w1: tensor<128x256xf32>, %w2: tensor<256x128xf32>) -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %threshold = arith.constant 0.7 : f32
  %m = tensor.dim %x, %c0 : tensor<?x128xf32>

  // Tokens that go on.
  %no_runs = tensor.empty(%m) : tensor<?xi1>
  %runs = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%confidence : tensor<?xf32>) outs(%no_runs : tensor<?xi1>) attrs = {pit.source = "runs"} {
  ^bb0(%c: f32, %o: i1):
    %is_unsure = arith.cmpf olt, %c, %threshold : f32
    linalg.yield %is_unsure : i1
  } -> tensor<?xi1>

  // What the layer adds; tokens that left add nothing.
  %no_h = tensor.empty(%m) : tensor<?x256xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%no_h : tensor<?x256xf32>) -> tensor<?x256xf32>
  %h1 = linalg.matmul ins(%x, %w1 : tensor<?x128xf32>, tensor<128x256xf32>) outs(%h0 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %h = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%h1 : tensor<?x256xf32>) outs(%no_h : tensor<?x256xf32>)
      attrs = {pit.sparse = {source = "mask", from = "runs", axes = array<i64: 0>, absent = "zero"}} {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x256xf32>
  %no_y = tensor.empty(%m) : tensor<?x128xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%no_y : tensor<?x128xf32>) -> tensor<?x128xf32>
  %y1 = linalg.matmul ins(%h, %w2 : tensor<?x256xf32>, tensor<256x128xf32>) outs(%y0 : tensor<?x128xf32>) -> tensor<?x128xf32>

  %y = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y1 : tensor<?x128xf32>, tensor<?x128xf32>) outs(%no_y : tensor<?x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x128xf32>
  return %y : tensor<?x128xf32>
}

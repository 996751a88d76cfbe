// A mixture of experts as models have it today, in 16 bits: two of eight experts for each token, with a gated product (GEGLU) and biases,
// beside one that all tokens share. Written as if every expert computed every token; only the gate is marked. Arguments: tokens, gate,
// the experts' two first matrices and the last one, biases of all three, the shared expert's first matrix, its bias, its last matrix.
// Run:  pit-run examples/moe_shared_expert.mlir --random=normal@64x256 --random=topk-gate:2@64x8 --random=normal:0.05 --check --report
//       pit-opt examples/moe_shared_expert.mlir --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null
// Look at: two products in one kernel ("two products of one A"), bias and GEGLU in its epilogue; the shared expert is a dense GEMM.
func.func @main(%x: tensor<?x256xbf16>,
    %gate: tensor<?x8xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 2 : i64}},
    %w1: tensor<8x256x512xbf16>, %wu: tensor<8x256x512xbf16>, %w2: tensor<8x512x256xbf16>, %b1: tensor<8x512xf32>, %bu: tensor<8x512xf32>, %b2: tensor<8x256xf32>,
    %ws1: tensor<256x512xbf16>, %bs1: tensor<512xf32>, %ws2: tensor<512x256xbf16>) -> tensor<?x256xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 0.70710678 : f32
  %m = tensor.dim %x, %c0 : tensor<?x256xbf16>
  %e1 = tensor.empty(%m) : tensor<?x8x512xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x8x512xf32>) -> tensor<?x8x512xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(t, e, f, d) -> (t, d)>, affine_map<(t, e, f, d) -> (e, d, f)>, affine_map<(t, e, f, d) -> (t, e, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w1 : tensor<?x256xbf16>, tensor<8x256x512xbf16>) outs(%z1 : tensor<?x8x512xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x8x512xf32>
  %u = linalg.generic {indexing_maps = [affine_map<(t, e, f, d) -> (t, d)>, affine_map<(t, e, f, d) -> (e, d, f)>, affine_map<(t, e, f, d) -> (t, e, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %wu : tensor<?x256xbf16>, tensor<8x256x512xbf16>) outs(%z1 : tensor<?x8x512xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x8x512xf32>
  %e2 = tensor.empty(%m) : tensor<?x8x512xbf16>
  %act = linalg.generic {indexing_maps = [affine_map<(t, e, f) -> (t, e, f)>, affine_map<(t, e, f) -> (t, e, f)>, affine_map<(t, e, f) -> (e, f)>, affine_map<(t, e, f) -> (e, f)>, affine_map<(t, e, f) -> (t, e, f)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h, %u, %b1, %bu : tensor<?x8x512xf32>, tensor<?x8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>) outs(%e2 : tensor<?x8x512xbf16>) {
  ^bb0(%v0: f32, %u0: f32, %bv: f32, %bw: f32, %o: bf16):
    %v = arith.addf %v0, %bv : f32
    %w = arith.addf %u0, %bw : f32
    %n = arith.mulf %v, %root : f32
    %ef = math.erf %n : f32
    %dd = arith.addf %ef, %one : f32
    %s = arith.mulf %v, %dd : f32
    %r = arith.mulf %s, %half : f32
    %g = arith.mulf %r, %w : f32
    %t = arith.truncf %g : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x8x512xbf16>
  %e3 = tensor.empty(%m) : tensor<?x8x256xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x8x256xf32>) -> tensor<?x8x256xf32>
  %ys = linalg.generic {indexing_maps = [affine_map<(t, e, d, f) -> (t, e, f)>, affine_map<(t, e, d, f) -> (e, f, d)>, affine_map<(t, e, d, f) -> (t, e, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%act, %w2 : tensor<?x8x512xbf16>, tensor<8x512x256xbf16>) outs(%z3 : tensor<?x8x256xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x8x256xf32>
  %e4 = tensor.empty(%m) : tensor<?x8x256xbf16>
  %ye = linalg.generic {indexing_maps = [affine_map<(t, e, f) -> (t, e, f)>, affine_map<(t, e, f) -> (e, f)>, affine_map<(t, e, f) -> (t, e, f)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ys, %b2 : tensor<?x8x256xf32>, tensor<8x256xf32>) outs(%e4 : tensor<?x8x256xbf16>) {
  ^bb0(%v0: f32, %bv: f32, %o: bf16):
    %v = arith.addf %v0, %bv : f32
    %t = arith.truncf %v : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x8x256xbf16>
  %e5 = tensor.empty(%m) : tensor<?x256xf32>
  %z5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %s5 = linalg.generic {indexing_maps = [affine_map<(t, d, e) -> (t, e)>, affine_map<(t, d, e) -> (t, e, d)>, affine_map<(t, d, e) -> (t, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%gate, %ye : tensor<?x8xf32>, tensor<?x8x256xbf16>) outs(%z5 : tensor<?x256xf32>) {
  ^bb0(%a: f32, %b: bf16, %o: f32):
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %a, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x256xf32>
  // The expert that all tokens share.
  %e7 = tensor.empty(%m) : tensor<?x512xf32>
  %z7 = linalg.fill ins(%zero : f32) outs(%e7 : tensor<?x512xf32>) -> tensor<?x512xf32>
  %hs = linalg.generic {indexing_maps = [affine_map<(t, f, d) -> (t, d)>, affine_map<(t, f, d) -> (d, f)>, affine_map<(t, f, d) -> (t, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %ws1 : tensor<?x256xbf16>, tensor<256x512xbf16>) outs(%z7 : tensor<?x512xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x512xf32>
  %e8 = tensor.empty(%m) : tensor<?x512xbf16>
  %as = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (d)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%hs, %bs1 : tensor<?x512xf32>, tensor<512xf32>) outs(%e8 : tensor<?x512xbf16>) {
  ^bb0(%v: f32, %bv: f32, %o: bf16):
    %w = arith.addf %v, %bv : f32
    %r = arith.maximumf %w, %zero : f32
    %t = arith.truncf %r : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x512xbf16>
  %ss = linalg.generic {indexing_maps = [affine_map<(t, f, d) -> (t, d)>, affine_map<(t, f, d) -> (d, f)>, affine_map<(t, f, d) -> (t, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%as, %ws2 : tensor<?x512xbf16>, tensor<512x256xbf16>) outs(%z5 : tensor<?x256xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x256xf32>
  %e6 = tensor.empty(%m) : tensor<?x256xbf16>
  %r6 = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%s5, %ss : tensor<?x256xf32>, tensor<?x256xf32>) outs(%e6 : tensor<?x256xbf16>) {
  ^bb0(%v: f32, %w: f32, %o: bf16):
    %q = arith.addf %v, %w : f32
    %t = arith.truncf %q : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x256xbf16>
  return %r6 : tensor<?x256xbf16>
}

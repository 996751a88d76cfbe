// Gradients of experts' weights: a product of ragged k for each expert, of listed rows, and of packed ones. Some experts have no token, some a few, some
// more than a step of k. NaN in rows of one expert stays out of the others.
// UNSUPPORTED: sanitizer
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --check --quiet
// RUN: %{run} --entry=listed --random=normal --random=topk-gate:2 --random=normal | FileCheck %s
// RUN: %{run} --entry=listed --random=normal --random=zeros --random=normal | FileCheck %s
// RUN: %{run} --entry=dynamic --random=normal@170x136 --random=topk-gate:2@170x6 --random=normal@170x72 | FileCheck %s
// RUN: %{run} --entry=dynamic --random=normal@1x136 --random=topk-gate:2@1x6 --random=normal@1x72 | FileCheck %s
// RUN: %{run} --entry=packed --random=normal --random=topk-gate:2 --random=normal --random=normal | FileCheck %s
// RUN: %{run} --entry=packed --random=normal --random=topk-gate:1 --random=normal --random=normal | FileCheck %s
// RUN: %{run} --entry=packed --random=normal --random=zeros --random=normal --random=normal | FileCheck %s
// RUN: %{run} --entry=sums --random=normal --random=topk-gate:1@190x3 --random=normal | FileCheck %s
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// CHECK: check: result 0: {{agrees|bit-identical}}
// EXPLAIN-COUNT-4: + kernels   grouped GEMM of ragged k, Instructions wgmma

#tef = affine_map<(t, e, f) -> (t, e, f)>
#te = affine_map<(t, e, f) -> (t, e)>
#tf = affine_map<(t, e, f) -> (t, f)>
#xt = affine_map<(e, d, f, t) -> (t, d)>
#gt = affine_map<(e, d, f, t) -> (t, e, f)>
#w = affine_map<(e, d, f, t) -> (e, d, f)>
#id = affine_map<(e, d, f) -> (e, d, f)>
#hx = affine_map<(t, e, f, d) -> (t, d)>
#hw = affine_map<(t, e, f, d) -> (e, d, f)>
#ht = affine_map<(t, e, f, d) -> (t, e, f)>

// dW[e, d, f] = sum over t of x[t, d] * gate[t, e] * dy[t, f]: the second factor is packed, with edges of tiles in all directions.
func.func @listed(%x: tensor<170x136xbf16>,
                  %gate: tensor<170x6xbf16> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 2 : i64}},
                  %dy: tensor<170x72xbf16>) -> tensor<6x136x72xbf16> {
  %zero = arith.constant 0.0 : f32
  %ge = tensor.empty() : tensor<170x6x72xbf16>
  %g = linalg.generic {indexing_maps = [#te, #tf, #tef], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%gate, %dy : tensor<170x6xbf16>, tensor<170x72xbf16>) outs(%ge : tensor<170x6x72xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %p = arith.mulf %a, %b : bf16
    linalg.yield %p : bf16
  } -> tensor<170x6x72xbf16>
  %e = tensor.empty() : tensor<6x136x72xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x136x72xf32>) -> tensor<6x136x72xf32>
  %s = linalg.generic {indexing_maps = [#xt, #gt, #w], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %g : tensor<170x136xbf16>, tensor<170x6x72xbf16>) outs(%z : tensor<6x136x72xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<6x136x72xf32>
  %re = tensor.empty() : tensor<6x136x72xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<6x136x72xf32>) outs(%re : tensor<6x136x72xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<6x136x72xbf16>
  return %r : tensor<6x136x72xbf16>
}

// The number of tokens is not known.
func.func @dynamic(%x: tensor<?x136xbf16>,
                  %gate: tensor<?x6xbf16> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 2 : i64}},
                  %dy: tensor<?x72xbf16>) -> tensor<6x136x72xbf16> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x136xbf16>
  %ge = tensor.empty(%n) : tensor<?x6x72xbf16>
  %g = linalg.generic {indexing_maps = [#te, #tf, #tef], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%gate, %dy : tensor<?x6xbf16>, tensor<?x72xbf16>) outs(%ge : tensor<?x6x72xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %p = arith.mulf %a, %b : bf16
    linalg.yield %p : bf16
  } -> tensor<?x6x72xbf16>
  %e = tensor.empty() : tensor<6x136x72xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x136x72xf32>) -> tensor<6x136x72xf32>
  %s = linalg.generic {indexing_maps = [#xt, #gt, #w], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %g : tensor<?x136xbf16>, tensor<?x6x72xbf16>) outs(%z : tensor<6x136x72xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<6x136x72xf32>
  %re = tensor.empty() : tensor<6x136x72xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<6x136x72xf32>) outs(%re : tensor<6x136x72xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<6x136x72xbf16>
  return %r : tensor<6x136x72xbf16>
}

// Both factors are packed: the hidden activations, and what comes back.
func.func @packed(%x: tensor<300x64xbf16>,
                  %gate: tensor<300x4xbf16> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 2 : i64}},
                  %w1: tensor<4x64x128xbf16>, %dy: tensor<300x264xbf16>) -> tensor<4x128x264xbf16> {
  %zero = arith.constant 0.0 : f32
  %he = tensor.empty() : tensor<300x4x128xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<300x4x128xf32>) -> tensor<300x4x128xf32>
  %h = linalg.generic {indexing_maps = [#hx, #hw, #ht], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w1 : tensor<300x64xbf16>, tensor<4x64x128xbf16>) outs(%hz : tensor<300x4x128xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<300x4x128xf32>
  %ae = tensor.empty() : tensor<300x4x128xbf16>
  %a = linalg.generic {indexing_maps = [#tef, #tef], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h : tensor<300x4x128xf32>) outs(%ae : tensor<300x4x128xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %t = arith.truncf %v : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<300x4x128xbf16>
  %ge = tensor.empty() : tensor<300x4x264xbf16>
  %g = linalg.generic {indexing_maps = [#te, #tf, #tef], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%gate, %dy : tensor<300x4xbf16>, tensor<300x264xbf16>) outs(%ge : tensor<300x4x264xbf16>) {
  ^bb0(%v: bf16, %b: bf16, %o: bf16):
    %p = arith.mulf %v, %b : bf16
    linalg.yield %p : bf16
  } -> tensor<300x4x264xbf16>
  %e = tensor.empty() : tensor<4x128x264xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x128x264xf32>) -> tensor<4x128x264xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(e, d, f, t) -> (t, e, d)>, #gt, #w], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %g : tensor<300x4x128xbf16>, tensor<300x4x264xbf16>) outs(%z : tensor<4x128x264xf32>) {
  ^bb0(%v: bf16, %b: bf16, %o: f32):
    %af = arith.extf %v : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x128x264xf32>
  %re = tensor.empty() : tensor<4x128x264xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<4x128x264xf32>) outs(%re : tensor<4x128x264xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %t = arith.truncf %v : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4x128x264xbf16>
  return %r : tensor<4x128x264xbf16>
}

// Gradients that stay f32.
func.func @sums(%x: tensor<190x128xbf16>,
                %gate: tensor<190x3xbf16> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 1 : i64}},
                %dy: tensor<190x256xbf16>) -> tensor<3x128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %ge = tensor.empty() : tensor<190x3x256xbf16>
  %g = linalg.generic {indexing_maps = [#te, #tf, #tef], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%gate, %dy : tensor<190x3xbf16>, tensor<190x256xbf16>) outs(%ge : tensor<190x3x256xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %p = arith.mulf %a, %b : bf16
    linalg.yield %p : bf16
  } -> tensor<190x3x256xbf16>
  %e = tensor.empty() : tensor<3x128x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x128x256xf32>) -> tensor<3x128x256xf32>
  %s = linalg.generic {indexing_maps = [#xt, #gt, #w], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %g : tensor<190x128xbf16>, tensor<190x3x256xbf16>) outs(%z : tensor<3x128x256xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<3x128x256xf32>
  return %s : tensor<3x128x256xf32>
}

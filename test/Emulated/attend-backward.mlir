// Kernels of gradients on the emulated device against their formula, computed by the CPU.
// UNSUPPORTED: sanitizer
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --random=normal --random=normal --random=normal --random=normal --check --quiet
// RUN: %{run} --entry=plain | FileCheck %s
// RUN: %{run} --entry=causal | FileCheck %s
// RUN: %{run} --entry=groups --random=normal | FileCheck %s
// RUN: %{run} --entry=mask --random=mask:32x64:0.4 | FileCheck %s
// RUN: %{run} --entry=dynamic --shape 0=3x201x32 --shape 1=3x300x32 --shape 2=3x300x64 --shape 3=3x201x64 | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}
// CHECK: check: result 1: {{agrees|bit-identical}}
// CHECK: check: result 2: {{agrees|bit-identical}}
// CHECK: check: result 3: {{agrees|bit-identical}}
// CHECK: check: result 4: {{agrees|bit-identical}}

// Tails along both axes.
#q_plain = affine_map<(b, h, i, j, e, f) -> (b, h, i, e)>
#k_plain = affine_map<(b, h, i, j, e, f) -> (b, h, j, e)>
#v_plain = affine_map<(b, h, i, j, e, f) -> (b, h, j, f)>
#o_plain = affine_map<(b, h, i, j, e, f) -> (b, h, i, f)>
#r_plain = affine_map<(b, h, i, j, e, f) -> (b, h, i)>
func.func @plain(%q: tensor<2x2x150x64xbf16>, %k: tensor<2x2x200x64xbf16>, %v: tensor<2x2x200x64xbf16>, %do: tensor<2x2x150x64xbf16>) -> (tensor<2x2x150x64xbf16>, tensor<2x2x150xf32>, tensor<2x2x150x64xf32>, tensor<2x2x200x64xf32>, tensor<2x2x200x64xf32>) {
  %eo = tensor.empty() : tensor<2x2x150x64xbf16>
  %er = tensor.empty() : tensor<2x2x150xf32>
  %eq = tensor.empty() : tensor<2x2x150x64xf32>
  %ek = tensor.empty() : tensor<2x2x200x64xf32>
  %ev = tensor.empty() : tensor<2x2x200x64xf32>
  %o, %lse = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x2x150x64xbf16>, tensor<2x2x200x64xbf16>, tensor<2x2x200x64xbf16>)
      outs(%eo : tensor<2x2x150x64xbf16>) lse(%er : tensor<2x2x150xf32>) maps [#q_plain, #k_plain, #v_plain, #o_plain, #r_plain] {
  ^bb0(%score: f32, %b: index, %h: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    pit.logit %l : f32
  } -> tensor<2x2x150x64xbf16>, tensor<2x2x150xf32>
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<2x2x150xf32>) -> tensor<2x2x150xf32>
  %delta = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%do, %o : tensor<2x2x150x64xbf16>, tensor<2x2x150x64xbf16>) outs(%start : tensor<2x2x150xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %p : f32
    linalg.yield %next : f32
  } -> tensor<2x2x150xf32>
  %dq, %dk, %dv = pit.attend_backward ins(%q, %k, %v, %do : tensor<2x2x150x64xbf16>, tensor<2x2x200x64xbf16>, tensor<2x2x200x64xbf16>, tensor<2x2x150x64xbf16>)
      rows(%lse, %delta : tensor<2x2x150xf32>, tensor<2x2x150xf32>) outs(%eq, %ek, %ev : tensor<2x2x150x64xf32>, tensor<2x2x200x64xf32>, tensor<2x2x200x64xf32>)
      maps [#q_plain, #k_plain, #v_plain, #o_plain, #r_plain, #r_plain, #q_plain, #k_plain, #v_plain] {
  ^bb0(%score: f32, %b: index, %h: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    pit.logit %l : f32
  } -> tensor<2x2x150x64xf32>, tensor<2x2x200x64xf32>, tensor<2x2x200x64xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<2x2x150x64xbf16>, tensor<2x2x150xf32>, tensor<2x2x150x64xf32>, tensor<2x2x200x64xf32>, tensor<2x2x200x64xf32>
}

// Two panels; queries see earlier keys.
#q_causal = affine_map<(h, i, j, e, f) -> (h, i, e)>
#k_causal = affine_map<(h, i, j, e, f) -> (h, j, e)>
#v_causal = affine_map<(h, i, j, e, f) -> (h, j, f)>
#o_causal = affine_map<(h, i, j, e, f) -> (h, i, f)>
#r_causal = affine_map<(h, i, j, e, f) -> (h, i)>
func.func @causal(%q: tensor<2x333x128xf16>, %k: tensor<2x333x128xf16>, %v: tensor<2x333x128xf16>, %do: tensor<2x333x128xf16>) -> (tensor<2x333x128xf16>, tensor<2x333xf32>, tensor<2x333x128xf16>, tensor<2x333x128xf16>, tensor<2x333x128xf16>) {
  %eo = tensor.empty() : tensor<2x333x128xf16>
  %er = tensor.empty() : tensor<2x333xf32>
  %eq = tensor.empty() : tensor<2x333x128xf16>
  %ek = tensor.empty() : tensor<2x333x128xf16>
  %ev = tensor.empty() : tensor<2x333x128xf16>
  %o, %lse = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x333x128xf16>, tensor<2x333x128xf16>, tensor<2x333x128xf16>)
      outs(%eo : tensor<2x333x128xf16>) lse(%er : tensor<2x333xf32>) maps [#q_causal, #k_causal, #v_causal, #o_causal, #r_causal] {
  ^bb0(%score: f32, %h: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %dead = arith.constant 0xFF800000 : f32
    %live = arith.cmpi ule, %j, %i : index
    %m = arith.select %live, %l, %dead : f32
    pit.logit %m : f32
  } -> tensor<2x333x128xf16>, tensor<2x333xf32>
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<2x333xf32>) -> tensor<2x333xf32>
  %delta = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%do, %o : tensor<2x333x128xf16>, tensor<2x333x128xf16>) outs(%start : tensor<2x333xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %p = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %p : f32
    linalg.yield %next : f32
  } -> tensor<2x333xf32>
  %dq, %dk, %dv = pit.attend_backward ins(%q, %k, %v, %do : tensor<2x333x128xf16>, tensor<2x333x128xf16>, tensor<2x333x128xf16>, tensor<2x333x128xf16>)
      rows(%lse, %delta : tensor<2x333xf32>, tensor<2x333xf32>) outs(%eq, %ek, %ev : tensor<2x333x128xf16>, tensor<2x333x128xf16>, tensor<2x333x128xf16>)
      maps [#q_causal, #k_causal, #v_causal, #o_causal, #r_causal, #r_causal, #q_causal, #k_causal, #v_causal] {
  ^bb0(%score: f32, %h: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %dead = arith.constant 0xFF800000 : f32
    %live = arith.cmpi ule, %j, %i : index
    %m = arith.select %live, %l, %dead : f32
    pit.logit %m : f32
  } -> tensor<2x333x128xf16>, tensor<2x333x128xf16>, tensor<2x333x128xf16>
  return %o, %lse, %dq, %dk, %dv : tensor<2x333x128xf16>, tensor<2x333xf32>, tensor<2x333x128xf16>, tensor<2x333x128xf16>, tensor<2x333x128xf16>
}

// Heads share keys; a bias; widths that differ.
#q_groups = affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i, e)>
#k_groups = affine_map<(b, h, g, i, j, e, f) -> (b, h, j, e)>
#v_groups = affine_map<(b, h, g, i, j, e, f) -> (b, h, j, f)>
#o_groups = affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i, f)>
#r_groups = affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i)>
#bias_groups = affine_map<(b, h, g, i, j, e, f) -> (h, g, i, j)>
func.func @groups(%q: tensor<2x2x3x70x48xbf16>, %k: tensor<2x2x150x48xbf16>, %v: tensor<2x2x150x80xbf16>, %do: tensor<2x2x3x70x80xbf16>, %bias: tensor<2x3x70x150xf32>) -> (tensor<2x2x3x70x80xbf16>, tensor<2x2x3x70xf32>, tensor<2x2x3x70x48xbf16>, tensor<2x2x150x48xbf16>, tensor<2x2x150x80xbf16>) {
  %eo = tensor.empty() : tensor<2x2x3x70x80xbf16>
  %er = tensor.empty() : tensor<2x2x3x70xf32>
  %eq = tensor.empty() : tensor<2x2x3x70x48xbf16>
  %ek = tensor.empty() : tensor<2x2x150x48xbf16>
  %ev = tensor.empty() : tensor<2x2x150x80xbf16>
  %o, %lse = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x2x3x70x48xbf16>, tensor<2x2x150x48xbf16>, tensor<2x2x150x80xbf16>) modifiers(%bias : tensor<2x3x70x150xf32>)
      outs(%eo : tensor<2x2x3x70x80xbf16>) lse(%er : tensor<2x2x3x70xf32>) maps [#q_groups, #k_groups, #v_groups, #bias_groups, #o_groups, #r_groups] {
  ^bb0(%score: f32, %bias_: f32, %b: index, %h: index, %g: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %m = arith.addf %l, %bias_ : f32
    pit.logit %m : f32
  } -> tensor<2x2x3x70x80xbf16>, tensor<2x2x3x70xf32>
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<2x2x3x70xf32>) -> tensor<2x2x3x70xf32>
  %delta = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%do, %o : tensor<2x2x3x70x80xbf16>, tensor<2x2x3x70x80xbf16>) outs(%start : tensor<2x2x3x70xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %p : f32
    linalg.yield %next : f32
  } -> tensor<2x2x3x70xf32>
  %dq, %dk, %dv = pit.attend_backward ins(%q, %k, %v, %do : tensor<2x2x3x70x48xbf16>, tensor<2x2x150x48xbf16>, tensor<2x2x150x80xbf16>, tensor<2x2x3x70x80xbf16>)
      rows(%lse, %delta : tensor<2x2x3x70xf32>, tensor<2x2x3x70xf32>) modifiers(%bias : tensor<2x3x70x150xf32>) outs(%eq, %ek, %ev : tensor<2x2x3x70x48xbf16>, tensor<2x2x150x48xbf16>, tensor<2x2x150x80xbf16>)
      maps [#q_groups, #k_groups, #v_groups, #o_groups, #r_groups, #r_groups, #bias_groups, #q_groups, #k_groups, #v_groups] {
  ^bb0(%score: f32, %bias_: f32, %b: index, %h: index, %g: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %m = arith.addf %l, %bias_ : f32
    pit.logit %m : f32
  } -> tensor<2x2x3x70x48xbf16>, tensor<2x2x150x48xbf16>, tensor<2x2x150x80xbf16>
  return %o, %lse, %dq, %dk, %dv : tensor<2x2x3x70x80xbf16>, tensor<2x2x3x70xf32>, tensor<2x2x3x70x48xbf16>, tensor<2x2x150x48xbf16>, tensor<2x2x150x80xbf16>
}

// A mask that is data; some queries have no key, and tiles are dead.
#q_mask = affine_map<(h, i, j, e, f) -> (h, i, e)>
#k_mask = affine_map<(h, i, j, e, f) -> (h, j, e)>
#v_mask = affine_map<(h, i, j, e, f) -> (h, j, f)>
#o_mask = affine_map<(h, i, j, e, f) -> (h, i, f)>
#r_mask = affine_map<(h, i, j, e, f) -> (h, i)>
#live_mask = affine_map<(h, i, j, e, f) -> (i, j)>
func.func @mask(%q: tensor<2x256x64xbf16>, %k: tensor<2x320x64xbf16>, %v: tensor<2x320x64xbf16>, %do: tensor<2x256x64xbf16>, %live: tensor<256x320xi1>) -> (tensor<2x256x64xbf16>, tensor<2x256xf32>, tensor<2x256x64xf32>, tensor<2x320x64xf32>, tensor<2x320x64xf32>) {
  %eo = tensor.empty() : tensor<2x256x64xbf16>
  %er = tensor.empty() : tensor<2x256xf32>
  %eq = tensor.empty() : tensor<2x256x64xf32>
  %ek = tensor.empty() : tensor<2x320x64xf32>
  %ev = tensor.empty() : tensor<2x320x64xf32>
  %o, %lse = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x256x64xbf16>, tensor<2x320x64xbf16>, tensor<2x320x64xbf16>) modifiers(%live : tensor<256x320xi1>)
      outs(%eo : tensor<2x256x64xbf16>) lse(%er : tensor<2x256xf32>) maps [#q_mask, #k_mask, #v_mask, #live_mask, #o_mask, #r_mask] {
  ^bb0(%score: f32, %live_: i1, %h: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %dead = arith.constant 0xFF800000 : f32
    %m = arith.select %live_, %l, %dead : f32
    pit.logit %m : f32
  } -> tensor<2x256x64xbf16>, tensor<2x256xf32>
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<2x256xf32>) -> tensor<2x256xf32>
  %delta = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%do, %o : tensor<2x256x64xbf16>, tensor<2x256x64xbf16>) outs(%start : tensor<2x256xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %p : f32
    linalg.yield %next : f32
  } -> tensor<2x256xf32>
  %dq, %dk, %dv = pit.attend_backward ins(%q, %k, %v, %do : tensor<2x256x64xbf16>, tensor<2x320x64xbf16>, tensor<2x320x64xbf16>, tensor<2x256x64xbf16>)
      rows(%lse, %delta : tensor<2x256xf32>, tensor<2x256xf32>) modifiers(%live : tensor<256x320xi1>) outs(%eq, %ek, %ev : tensor<2x256x64xf32>, tensor<2x320x64xf32>, tensor<2x320x64xf32>)
      maps [#q_mask, #k_mask, #v_mask, #o_mask, #r_mask, #r_mask, #live_mask, #q_mask, #k_mask, #v_mask] {
  ^bb0(%score: f32, %live_: i1, %h: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %dead = arith.constant 0xFF800000 : f32
    %m = arith.select %live_, %l, %dead : f32
    pit.logit %m : f32
  } -> tensor<2x256x64xf32>, tensor<2x320x64xf32>, tensor<2x320x64xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<2x256x64xbf16>, tensor<2x256xf32>, tensor<2x256x64xf32>, tensor<2x320x64xf32>, tensor<2x320x64xf32>
}

// Extents that are not known.
#q_dynamic = affine_map<(h, i, j, e, f) -> (h, i, e)>
#k_dynamic = affine_map<(h, i, j, e, f) -> (h, j, e)>
#v_dynamic = affine_map<(h, i, j, e, f) -> (h, j, f)>
#o_dynamic = affine_map<(h, i, j, e, f) -> (h, i, f)>
#r_dynamic = affine_map<(h, i, j, e, f) -> (h, i)>
func.func @dynamic(%q: tensor<3x?x32xbf16>, %k: tensor<3x?x32xbf16>, %v: tensor<3x?x64xbf16>, %do: tensor<3x?x64xbf16>) -> (tensor<3x?x64xbf16>, tensor<3x?xf32>, tensor<3x?x32xbf16>, tensor<3x?x32xbf16>, tensor<3x?x64xbf16>) {
  %ci = arith.constant 1 : index
  %ck = arith.constant 1 : index
  %di = tensor.dim %q, %ci : tensor<3x?x32xbf16>
  %dj = tensor.dim %k, %ck : tensor<3x?x32xbf16>
  %eo = tensor.empty(%di) : tensor<3x?x64xbf16>
  %er = tensor.empty(%di) : tensor<3x?xf32>
  %eq = tensor.empty(%di) : tensor<3x?x32xbf16>
  %ek = tensor.empty(%dj) : tensor<3x?x32xbf16>
  %ev = tensor.empty(%dj) : tensor<3x?x64xbf16>
  %o, %lse = pit.attend {zero_rows} ins(%q, %k, %v : tensor<3x?x32xbf16>, tensor<3x?x32xbf16>, tensor<3x?x64xbf16>)
      outs(%eo : tensor<3x?x64xbf16>) lse(%er : tensor<3x?xf32>) maps [#q_dynamic, #k_dynamic, #v_dynamic, #o_dynamic, #r_dynamic] {
  ^bb0(%score: f32, %h: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %dead = arith.constant 0xFF800000 : f32
    %live = arith.cmpi ule, %j, %i : index
    %m = arith.select %live, %l, %dead : f32
    pit.logit %m : f32
  } -> tensor<3x?x64xbf16>, tensor<3x?xf32>
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<3x?xf32>) -> tensor<3x?xf32>
  %delta = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%do, %o : tensor<3x?x64xbf16>, tensor<3x?x64xbf16>) outs(%start : tensor<3x?xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %p : f32
    linalg.yield %next : f32
  } -> tensor<3x?xf32>
  %dq, %dk, %dv = pit.attend_backward ins(%q, %k, %v, %do : tensor<3x?x32xbf16>, tensor<3x?x32xbf16>, tensor<3x?x64xbf16>, tensor<3x?x64xbf16>)
      rows(%lse, %delta : tensor<3x?xf32>, tensor<3x?xf32>) outs(%eq, %ek, %ev : tensor<3x?x32xbf16>, tensor<3x?x32xbf16>, tensor<3x?x64xbf16>)
      maps [#q_dynamic, #k_dynamic, #v_dynamic, #o_dynamic, #r_dynamic, #r_dynamic, #q_dynamic, #k_dynamic, #v_dynamic] {
  ^bb0(%score: f32, %h: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %dead = arith.constant 0xFF800000 : f32
    %live = arith.cmpi ule, %j, %i : index
    %m = arith.select %live, %l, %dead : f32
    pit.logit %m : f32
  } -> tensor<3x?x32xbf16>, tensor<3x?x32xbf16>, tensor<3x?x64xbf16>
  return %o, %lse, %dq, %dk, %dv : tensor<3x?x64xbf16>, tensor<3x?xf32>, tensor<3x?x32xbf16>, tensor<3x?x32xbf16>, tensor<3x?x64xbf16>
}

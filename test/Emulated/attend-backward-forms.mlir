// Kernels of gradients of soft caps, biases and wide rows, on the emulated device against their formula, computed by the CPU.
// UNSUPPORTED: sanitizer
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --random=normal --random=normal --random=normal --random=normal --check --quiet
// RUN: %{run} --entry=cap | FileCheck %s
// RUN: %{run} --entry=bias --random=normal | FileCheck %s --check-prefixes=CHECK,MORE
// RUN: %{run} --entry=bias_of_all --random=normal | FileCheck %s --check-prefixes=CHECK,MORE
// RUN: %{run} --entry=capped_bias --random=normal | FileCheck %s --check-prefixes=CHECK,MORE
// RUN: %{run} --entry=wide | FileCheck %s
// RUN: %{run} --entry=latent | FileCheck %s
// RUN: %{run} --entry=wide_bias --random=normal | FileCheck %s --check-prefixes=CHECK,MORE
// CHECK: check: result 0: {{agrees|bit-identical}}
// CHECK: check: result 1: {{agrees|bit-identical}}
// CHECK: check: result 2: {{agrees|bit-identical}}
// CHECK: check: result 3: {{agrees|bit-identical}}
// CHECK: check: result 4: {{agrees|bit-identical}}
// MORE: check: result 5: {{agrees|bit-identical}}

// A soft cap, and a causal mask behind it.
func.func @cap(%q: tensor<2x2x150x64xbf16>, %k: tensor<2x2x150x64xbf16>, %v: tensor<2x2x150x64xbf16>, %do: tensor<2x2x150x64xbf16>) -> (tensor<2x2x150x64xbf16>, tensor<2x2x150xf32>, tensor<2x2x150x64xf32>, tensor<2x2x150x64xf32>, tensor<2x2x150x64xf32>) {
  %eo = tensor.empty() : tensor<2x2x150x64xbf16>
  %er = tensor.empty() : tensor<2x2x150xf32>
  %eq = tensor.empty() : tensor<2x2x150x64xf32>
  %ek = tensor.empty() : tensor<2x2x150x64xf32>
  %ev = tensor.empty() : tensor<2x2x150x64xf32>
  %o, %lse = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x2x150x64xbf16>, tensor<2x2x150x64xbf16>, tensor<2x2x150x64xbf16>)
      outs(%eo : tensor<2x2x150x64xbf16>) lse(%er : tensor<2x2x150xf32>) maps [affine_map<(b, h, i, j, e, f) -> (b, h, i, e)>, affine_map<(b, h, i, j, e, f) -> (b, h, j, e)>, affine_map<(b, h, i, j, e, f) -> (b, h, j, f)>, affine_map<(b, h, i, j, e, f) -> (b, h, i, f)>, affine_map<(b, h, i, j, e, f) -> (b, h, i)>] {
  ^bb0(%score: f32, %b_: index, %h_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %c = arith.constant 2.0 : f32
    %d = arith.divf %l, %c : f32
    %t = math.tanh %d : f32
    %kept = arith.mulf %t, %c : f32
    %dead = arith.constant 0xFF800000 : f32
    %live = arith.cmpi ule, %j, %i : index
    %y = arith.select %live, %kept, %dead : f32
    pit.logit %y : f32
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
  %dq, %dk, %dv = pit.attend_backward ins(%q, %k, %v, %do : tensor<2x2x150x64xbf16>, tensor<2x2x150x64xbf16>, tensor<2x2x150x64xbf16>, tensor<2x2x150x64xbf16>)
      rows(%lse, %delta : tensor<2x2x150xf32>, tensor<2x2x150xf32>) outs(%eq, %ek, %ev : tensor<2x2x150x64xf32>, tensor<2x2x150x64xf32>, tensor<2x2x150x64xf32>)
      maps [affine_map<(b, h, i, j, e, f) -> (b, h, i, e)>, affine_map<(b, h, i, j, e, f) -> (b, h, j, e)>, affine_map<(b, h, i, j, e, f) -> (b, h, j, f)>, affine_map<(b, h, i, j, e, f) -> (b, h, i, f)>, affine_map<(b, h, i, j, e, f) -> (b, h, i)>, affine_map<(b, h, i, j, e, f) -> (b, h, i)>, affine_map<(b, h, i, j, e, f) -> (b, h, i, e)>, affine_map<(b, h, i, j, e, f) -> (b, h, j, e)>, affine_map<(b, h, i, j, e, f) -> (b, h, j, f)>] {
  ^bb0(%score: f32, %b_: index, %h_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %c = arith.constant 2.0 : f32
    %d = arith.divf %l, %c : f32
    %t = math.tanh %d : f32
    %kept = arith.mulf %t, %c : f32
    %dead = arith.constant 0xFF800000 : f32
    %live = arith.cmpi ule, %j, %i : index
    %y = arith.select %live, %kept, %dead : f32
    pit.logit %y : f32
  } -> tensor<2x2x150x64xf32>, tensor<2x2x150x64xf32>, tensor<2x2x150x64xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<2x2x150x64xbf16>, tensor<2x2x150xf32>, tensor<2x2x150x64xf32>, tensor<2x2x150x64xf32>, tensor<2x2x150x64xf32>
}

// A bias that batches share, with tails along both axes; heads share keys.
func.func @bias(%q: tensor<2x2x3x70x48xbf16>, %k: tensor<2x2x150x48xbf16>, %v: tensor<2x2x150x80xbf16>, %do: tensor<2x2x3x70x80xbf16>, %m: tensor<2x3x70x150xf32>) -> (tensor<2x2x3x70x80xbf16>, tensor<2x2x3x70xf32>, tensor<2x2x3x70x48xf32>, tensor<2x2x150x48xf32>, tensor<2x2x150x80xf32>, tensor<2x3x70x150xf32>) {
  %eo = tensor.empty() : tensor<2x2x3x70x80xbf16>
  %er = tensor.empty() : tensor<2x2x3x70xf32>
  %eq = tensor.empty() : tensor<2x2x3x70x48xf32>
  %ek = tensor.empty() : tensor<2x2x150x48xf32>
  %ev = tensor.empty() : tensor<2x2x150x80xf32>
  %em = tensor.empty() : tensor<2x3x70x150xf32>
  %o, %lse = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x2x3x70x48xbf16>, tensor<2x2x150x48xbf16>, tensor<2x2x150x80xbf16>) modifiers(%m : tensor<2x3x70x150xf32>)
      outs(%eo : tensor<2x2x3x70x80xbf16>) lse(%er : tensor<2x2x3x70xf32>) maps [affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i, e)>, affine_map<(b, h, g, i, j, e, f) -> (b, h, j, e)>, affine_map<(b, h, g, i, j, e, f) -> (b, h, j, f)>, affine_map<(b, h, g, i, j, e, f) -> (h, g, i, j)>, affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i, f)>, affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i)>] {
  ^bb0(%score: f32, %x: f32, %b_: index, %h_: index, %g_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %y = arith.addf %l, %x : f32
    pit.logit %y : f32
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
  %dq, %dk, %dv, %dm = pit.attend_backward ins(%q, %k, %v, %do : tensor<2x2x3x70x48xbf16>, tensor<2x2x150x48xbf16>, tensor<2x2x150x80xbf16>, tensor<2x2x3x70x80xbf16>)
      rows(%lse, %delta : tensor<2x2x3x70xf32>, tensor<2x2x3x70xf32>) modifiers(%m : tensor<2x3x70x150xf32>) outs(%eq, %ek, %ev : tensor<2x2x3x70x48xf32>, tensor<2x2x150x48xf32>, tensor<2x2x150x80xf32>) dmodifiers(%em : tensor<2x3x70x150xf32>) of [0]
      maps [affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i, e)>, affine_map<(b, h, g, i, j, e, f) -> (b, h, j, e)>, affine_map<(b, h, g, i, j, e, f) -> (b, h, j, f)>, affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i, f)>, affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i)>, affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i)>, affine_map<(b, h, g, i, j, e, f) -> (h, g, i, j)>, affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i, e)>, affine_map<(b, h, g, i, j, e, f) -> (b, h, j, e)>, affine_map<(b, h, g, i, j, e, f) -> (b, h, j, f)>, affine_map<(b, h, g, i, j, e, f) -> (h, g, i, j)>] {
  ^bb0(%score: f32, %x: f32, %b_: index, %h_: index, %g_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %y = arith.addf %l, %x : f32
    pit.logit %y : f32
  } -> tensor<2x2x3x70x48xf32>, tensor<2x2x150x48xf32>, tensor<2x2x150x80xf32>, tensor<2x3x70x150xf32>
  return %o, %lse, %dq, %dk, %dv, %dm : tensor<2x2x3x70x80xbf16>, tensor<2x2x3x70xf32>, tensor<2x2x3x70x48xf32>, tensor<2x2x150x48xf32>, tensor<2x2x150x80xf32>, tensor<2x3x70x150xf32>
}

// A bias of bf16 for each point, keys in front of queries; dead tiles.
func.func @bias_of_all(%q: tensor<2x200x32xbf16>, %k: tensor<2x210x32xbf16>, %v: tensor<2x210x32xbf16>, %do: tensor<2x200x32xbf16>, %m: tensor<210x2x200xbf16>) -> (tensor<2x200x32xbf16>, tensor<2x200xf32>, tensor<2x200x32xf32>, tensor<2x210x32xf32>, tensor<2x210x32xf32>, tensor<210x2x200xbf16>) {
  %eo = tensor.empty() : tensor<2x200x32xbf16>
  %er = tensor.empty() : tensor<2x200xf32>
  %eq = tensor.empty() : tensor<2x200x32xf32>
  %ek = tensor.empty() : tensor<2x210x32xf32>
  %ev = tensor.empty() : tensor<2x210x32xf32>
  %em = tensor.empty() : tensor<210x2x200xbf16>
  %o, %lse = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x200x32xbf16>, tensor<2x210x32xbf16>, tensor<2x210x32xbf16>) modifiers(%m : tensor<210x2x200xbf16>)
      outs(%eo : tensor<2x200x32xbf16>) lse(%er : tensor<2x200xf32>) maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (j, b, i)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>] {
  ^bb0(%score: f32, %x: bf16, %b_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %dead = arith.constant 0xFF800000 : f32
    %live = arith.cmpi ule, %j, %i : index
    %w = arith.extf %x : bf16 to f32
    %z = arith.addf %l, %w : f32
    %y = arith.select %live, %z, %dead : f32
    pit.logit %y : f32
  } -> tensor<2x200x32xbf16>, tensor<2x200xf32>
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<2x200xf32>) -> tensor<2x200xf32>
  %delta = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%do, %o : tensor<2x200x32xbf16>, tensor<2x200x32xbf16>) outs(%start : tensor<2x200xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %p : f32
    linalg.yield %next : f32
  } -> tensor<2x200xf32>
  %dq, %dk, %dv, %dm = pit.attend_backward ins(%q, %k, %v, %do : tensor<2x200x32xbf16>, tensor<2x210x32xbf16>, tensor<2x210x32xbf16>, tensor<2x200x32xbf16>)
      rows(%lse, %delta : tensor<2x200xf32>, tensor<2x200xf32>) modifiers(%m : tensor<210x2x200xbf16>) outs(%eq, %ek, %ev : tensor<2x200x32xf32>, tensor<2x210x32xf32>, tensor<2x210x32xf32>) dmodifiers(%em : tensor<210x2x200xbf16>) of [0]
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (j, b, i)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (j, b, i)>] {
  ^bb0(%score: f32, %x: bf16, %b_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %dead = arith.constant 0xFF800000 : f32
    %live = arith.cmpi ule, %j, %i : index
    %w = arith.extf %x : bf16 to f32
    %z = arith.addf %l, %w : f32
    %y = arith.select %live, %z, %dead : f32
    pit.logit %y : f32
  } -> tensor<2x200x32xf32>, tensor<2x210x32xf32>, tensor<2x210x32xf32>, tensor<210x2x200xbf16>
  return %o, %lse, %dq, %dk, %dv, %dm : tensor<2x200x32xbf16>, tensor<2x200xf32>, tensor<2x200x32xf32>, tensor<2x210x32xf32>, tensor<2x210x32xf32>, tensor<210x2x200xbf16>
}

// A bias inside of the cap, shared by all.
func.func @capped_bias(%q: tensor<2x2x130x64xbf16>, %k: tensor<2x2x64x64xbf16>, %v: tensor<2x2x64x32xbf16>, %do: tensor<2x2x130x32xbf16>, %m: tensor<130x64xf32>) -> (tensor<2x2x130x32xbf16>, tensor<2x2x130xf32>, tensor<2x2x130x64xf32>, tensor<2x2x64x64xf32>, tensor<2x2x64x32xf32>, tensor<130x64xf32>) {
  %eo = tensor.empty() : tensor<2x2x130x32xbf16>
  %er = tensor.empty() : tensor<2x2x130xf32>
  %eq = tensor.empty() : tensor<2x2x130x64xf32>
  %ek = tensor.empty() : tensor<2x2x64x64xf32>
  %ev = tensor.empty() : tensor<2x2x64x32xf32>
  %em = tensor.empty() : tensor<130x64xf32>
  %o, %lse = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x2x130x64xbf16>, tensor<2x2x64x64xbf16>, tensor<2x2x64x32xbf16>) modifiers(%m : tensor<130x64xf32>)
      outs(%eo : tensor<2x2x130x32xbf16>) lse(%er : tensor<2x2x130xf32>) maps [affine_map<(b, h, i, j, e, f) -> (b, h, i, e)>, affine_map<(b, h, i, j, e, f) -> (b, h, j, e)>, affine_map<(b, h, i, j, e, f) -> (b, h, j, f)>, affine_map<(b, h, i, j, e, f) -> (i, j)>, affine_map<(b, h, i, j, e, f) -> (b, h, i, f)>, affine_map<(b, h, i, j, e, f) -> (b, h, i)>] {
  ^bb0(%score: f32, %x: f32, %b_: index, %h_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %z = arith.addf %l, %x : f32
    %t = math.tanh %z : f32
    %c = arith.constant 3.0 : f32
    %y = arith.mulf %t, %c : f32
    pit.logit %y : f32
  } -> tensor<2x2x130x32xbf16>, tensor<2x2x130xf32>
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<2x2x130xf32>) -> tensor<2x2x130xf32>
  %delta = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%do, %o : tensor<2x2x130x32xbf16>, tensor<2x2x130x32xbf16>) outs(%start : tensor<2x2x130xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %p : f32
    linalg.yield %next : f32
  } -> tensor<2x2x130xf32>
  %dq, %dk, %dv, %dm = pit.attend_backward ins(%q, %k, %v, %do : tensor<2x2x130x64xbf16>, tensor<2x2x64x64xbf16>, tensor<2x2x64x32xbf16>, tensor<2x2x130x32xbf16>)
      rows(%lse, %delta : tensor<2x2x130xf32>, tensor<2x2x130xf32>) modifiers(%m : tensor<130x64xf32>) outs(%eq, %ek, %ev : tensor<2x2x130x64xf32>, tensor<2x2x64x64xf32>, tensor<2x2x64x32xf32>) dmodifiers(%em : tensor<130x64xf32>) of [0]
      maps [affine_map<(b, h, i, j, e, f) -> (b, h, i, e)>, affine_map<(b, h, i, j, e, f) -> (b, h, j, e)>, affine_map<(b, h, i, j, e, f) -> (b, h, j, f)>, affine_map<(b, h, i, j, e, f) -> (b, h, i, f)>, affine_map<(b, h, i, j, e, f) -> (b, h, i)>, affine_map<(b, h, i, j, e, f) -> (b, h, i)>, affine_map<(b, h, i, j, e, f) -> (i, j)>, affine_map<(b, h, i, j, e, f) -> (b, h, i, e)>, affine_map<(b, h, i, j, e, f) -> (b, h, j, e)>, affine_map<(b, h, i, j, e, f) -> (b, h, j, f)>, affine_map<(b, h, i, j, e, f) -> (i, j)>] {
  ^bb0(%score: f32, %x: f32, %b_: index, %h_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %z = arith.addf %l, %x : f32
    %t = math.tanh %z : f32
    %c = arith.constant 3.0 : f32
    %y = arith.mulf %t, %c : f32
    pit.logit %y : f32
  } -> tensor<2x2x130x64xf32>, tensor<2x2x64x64xf32>, tensor<2x2x64x32xf32>, tensor<130x64xf32>
  return %o, %lse, %dq, %dk, %dv, %dm : tensor<2x2x130x32xbf16>, tensor<2x2x130xf32>, tensor<2x2x130x64xf32>, tensor<2x2x64x64xf32>, tensor<2x2x64x32xf32>, tensor<130x64xf32>
}

// Rows of 256: keys and values have a kernel each.
func.func @wide(%q: tensor<2x140x256xbf16>, %k: tensor<2x100x256xbf16>, %v: tensor<2x100x256xbf16>, %do: tensor<2x140x256xbf16>) -> (tensor<2x140x256xbf16>, tensor<2x140xf32>, tensor<2x140x256xf32>, tensor<2x100x256xf32>, tensor<2x100x256xf32>) {
  %eo = tensor.empty() : tensor<2x140x256xbf16>
  %er = tensor.empty() : tensor<2x140xf32>
  %eq = tensor.empty() : tensor<2x140x256xf32>
  %ek = tensor.empty() : tensor<2x100x256xf32>
  %ev = tensor.empty() : tensor<2x100x256xf32>
  %o, %lse = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x140x256xbf16>, tensor<2x100x256xbf16>, tensor<2x100x256xbf16>)
      outs(%eo : tensor<2x140x256xbf16>) lse(%er : tensor<2x140xf32>) maps [affine_map<(h, i, j, e, f) -> (h, i, e)>, affine_map<(h, i, j, e, f) -> (h, j, e)>, affine_map<(h, i, j, e, f) -> (h, j, f)>, affine_map<(h, i, j, e, f) -> (h, i, f)>, affine_map<(h, i, j, e, f) -> (h, i)>] {
  ^bb0(%score: f32, %h_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %dead = arith.constant 0xFF800000 : f32
    %live = arith.cmpi ule, %j, %i : index
    %y = arith.select %live, %l, %dead : f32
    pit.logit %y : f32
  } -> tensor<2x140x256xbf16>, tensor<2x140xf32>
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<2x140xf32>) -> tensor<2x140xf32>
  %delta = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%do, %o : tensor<2x140x256xbf16>, tensor<2x140x256xbf16>) outs(%start : tensor<2x140xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %p : f32
    linalg.yield %next : f32
  } -> tensor<2x140xf32>
  %dq, %dk, %dv = pit.attend_backward ins(%q, %k, %v, %do : tensor<2x140x256xbf16>, tensor<2x100x256xbf16>, tensor<2x100x256xbf16>, tensor<2x140x256xbf16>)
      rows(%lse, %delta : tensor<2x140xf32>, tensor<2x140xf32>) outs(%eq, %ek, %ev : tensor<2x140x256xf32>, tensor<2x100x256xf32>, tensor<2x100x256xf32>)
      maps [affine_map<(h, i, j, e, f) -> (h, i, e)>, affine_map<(h, i, j, e, f) -> (h, j, e)>, affine_map<(h, i, j, e, f) -> (h, j, f)>, affine_map<(h, i, j, e, f) -> (h, i, f)>, affine_map<(h, i, j, e, f) -> (h, i)>, affine_map<(h, i, j, e, f) -> (h, i)>, affine_map<(h, i, j, e, f) -> (h, i, e)>, affine_map<(h, i, j, e, f) -> (h, j, e)>, affine_map<(h, i, j, e, f) -> (h, j, f)>] {
  ^bb0(%score: f32, %h_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %dead = arith.constant 0xFF800000 : f32
    %live = arith.cmpi ule, %j, %i : index
    %y = arith.select %live, %l, %dead : f32
    pit.logit %y : f32
  } -> tensor<2x140x256xf32>, tensor<2x100x256xf32>, tensor<2x100x256xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<2x140x256xbf16>, tensor<2x140xf32>, tensor<2x140x256xf32>, tensor<2x100x256xf32>, tensor<2x100x256xf32>
}

// Rows of 192 and 128, as of latent attention (MLA), in f16.
func.func @latent(%q: tensor<2x100x192xf16>, %k: tensor<2x140x192xf16>, %v: tensor<2x140x128xf16>, %do: tensor<2x100x128xf16>) -> (tensor<2x100x128xf16>, tensor<2x100xf32>, tensor<2x100x192xf16>, tensor<2x140x192xf16>, tensor<2x140x128xf16>) {
  %eo = tensor.empty() : tensor<2x100x128xf16>
  %er = tensor.empty() : tensor<2x100xf32>
  %eq = tensor.empty() : tensor<2x100x192xf16>
  %ek = tensor.empty() : tensor<2x140x192xf16>
  %ev = tensor.empty() : tensor<2x140x128xf16>
  %o, %lse = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x100x192xf16>, tensor<2x140x192xf16>, tensor<2x140x128xf16>)
      outs(%eo : tensor<2x100x128xf16>) lse(%er : tensor<2x100xf32>) maps [affine_map<(h, i, j, e, f) -> (h, i, e)>, affine_map<(h, i, j, e, f) -> (h, j, e)>, affine_map<(h, i, j, e, f) -> (h, j, f)>, affine_map<(h, i, j, e, f) -> (h, i, f)>, affine_map<(h, i, j, e, f) -> (h, i)>] {
  ^bb0(%score: f32, %h_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    pit.logit %l : f32
  } -> tensor<2x100x128xf16>, tensor<2x100xf32>
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<2x100xf32>) -> tensor<2x100xf32>
  %delta = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%do, %o : tensor<2x100x128xf16>, tensor<2x100x128xf16>) outs(%start : tensor<2x100xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %p = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %p : f32
    linalg.yield %next : f32
  } -> tensor<2x100xf32>
  %dq, %dk, %dv = pit.attend_backward ins(%q, %k, %v, %do : tensor<2x100x192xf16>, tensor<2x140x192xf16>, tensor<2x140x128xf16>, tensor<2x100x128xf16>)
      rows(%lse, %delta : tensor<2x100xf32>, tensor<2x100xf32>) outs(%eq, %ek, %ev : tensor<2x100x192xf16>, tensor<2x140x192xf16>, tensor<2x140x128xf16>)
      maps [affine_map<(h, i, j, e, f) -> (h, i, e)>, affine_map<(h, i, j, e, f) -> (h, j, e)>, affine_map<(h, i, j, e, f) -> (h, j, f)>, affine_map<(h, i, j, e, f) -> (h, i, f)>, affine_map<(h, i, j, e, f) -> (h, i)>, affine_map<(h, i, j, e, f) -> (h, i)>, affine_map<(h, i, j, e, f) -> (h, i, e)>, affine_map<(h, i, j, e, f) -> (h, j, e)>, affine_map<(h, i, j, e, f) -> (h, j, f)>] {
  ^bb0(%score: f32, %h_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    pit.logit %l : f32
  } -> tensor<2x100x192xf16>, tensor<2x140x192xf16>, tensor<2x140x128xf16>
  return %o, %lse, %dq, %dk, %dv : tensor<2x100x128xf16>, tensor<2x100xf32>, tensor<2x100x192xf16>, tensor<2x140x192xf16>, tensor<2x140x128xf16>
}

// Wide rows with a bias, whose kernel has one stage.
func.func @wide_bias(%q: tensor<2x100x256xbf16>, %k: tensor<2x70x256xbf16>, %v: tensor<2x70x192xbf16>, %do: tensor<2x100x192xbf16>, %m: tensor<100x70xf32>) -> (tensor<2x100x192xbf16>, tensor<2x100xf32>, tensor<2x100x256xf32>, tensor<2x70x256xf32>, tensor<2x70x192xf32>, tensor<100x70xf32>) {
  %eo = tensor.empty() : tensor<2x100x192xbf16>
  %er = tensor.empty() : tensor<2x100xf32>
  %eq = tensor.empty() : tensor<2x100x256xf32>
  %ek = tensor.empty() : tensor<2x70x256xf32>
  %ev = tensor.empty() : tensor<2x70x192xf32>
  %em = tensor.empty() : tensor<100x70xf32>
  %o, %lse = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x100x256xbf16>, tensor<2x70x256xbf16>, tensor<2x70x192xbf16>) modifiers(%m : tensor<100x70xf32>)
      outs(%eo : tensor<2x100x192xbf16>) lse(%er : tensor<2x100xf32>) maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>] {
  ^bb0(%score: f32, %x: f32, %b_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %y = arith.addf %l, %x : f32
    pit.logit %y : f32
  } -> tensor<2x100x192xbf16>, tensor<2x100xf32>
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%er : tensor<2x100xf32>) -> tensor<2x100xf32>
  %delta = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%do, %o : tensor<2x100x192xbf16>, tensor<2x100x192xbf16>) outs(%start : tensor<2x100xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %p : f32
    linalg.yield %next : f32
  } -> tensor<2x100xf32>
  %dq, %dk, %dv, %dm = pit.attend_backward ins(%q, %k, %v, %do : tensor<2x100x256xbf16>, tensor<2x70x256xbf16>, tensor<2x70x192xbf16>, tensor<2x100x192xbf16>)
      rows(%lse, %delta : tensor<2x100xf32>, tensor<2x100xf32>) modifiers(%m : tensor<100x70xf32>) outs(%eq, %ek, %ev : tensor<2x100x256xf32>, tensor<2x70x256xf32>, tensor<2x70x192xf32>) dmodifiers(%em : tensor<100x70xf32>) of [0]
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (i, j)>] {
  ^bb0(%score: f32, %x: f32, %b_: index, %i: index, %j: index):
    %s = arith.constant 0.125 : f32
    %l = arith.mulf %score, %s : f32
    %y = arith.addf %l, %x : f32
    pit.logit %y : f32
  } -> tensor<2x100x256xf32>, tensor<2x70x256xf32>, tensor<2x70x192xf32>, tensor<100x70xf32>
  return %o, %lse, %dq, %dk, %dv, %dm : tensor<2x100x192xbf16>, tensor<2x100xf32>, tensor<2x100x256xf32>, tensor<2x70x256xf32>, tensor<2x70x192xf32>, tensor<100x70xf32>
}

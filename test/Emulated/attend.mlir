// Kernels of pit.attend on the emulated device against its formula, computed by the CPU: with warpgroups and with warps.
// UNSUPPORTED: sanitizer
// DEFINE: %{chip} = sm_90a
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=%{chip} --random=normal --random=normal --random=normal --check --quiet
// RUN: %{run} --entry=groups --random=normal | FileCheck %s
// RUN: %{run} --entry=window | FileCheck %s
// RUN: %{run} --entry=mask --random=mask:32x64:0.4 | FileCheck %s
// Masks whose rows are made of 16 bytes become bits, of tiles whose elements differ, or of all.
// RUN: %{run} --entry=bits --random=mask:16x32:0.3 | FileCheck %s
// RUN: %{run} --entry=two --random=mask:16x64:0.3 | FileCheck %s
// Rows of which all logits are finite and dead weigh them all, as the program does: then no tile is left out.
// RUN: %{run} --entry=tokens --random=suffix:1:100 | FileCheck %s
// More tiles than a ring has stages, in two panels; keys that are transposed are copied.
// RUN: %{run} --entry=wide | FileCheck %s
// Conditions on keys are words of bits: intervals of keys, and what joins them.
// RUN: %{run} --entry=conditions --random=randint:-5:230@3 | FileCheck %s
// REDEFINE: %{chip} = sm_80
// RUN: %{run} --entry=conditions --random=randint:-5:230@3 | FileCheck %s
// RUN: %{run} --entry=groups --random=normal | FileCheck %s
// RUN: %{run} --entry=window | FileCheck %s
// RUN: %{run} --entry=mask --random=mask:32x64:0.4 | FileCheck %s
// RUN: %{run} --entry=tokens --random=suffix:1:100 | FileCheck %s
// RUN: %{run} --entry=wide | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

// Groups of queries share keys; a bias for each head; widths that differ; a result in f32.
#q0 = affine_map<(b, h, g, i, j, e, f) -> (b, i, h, g, e)>
#k0 = affine_map<(b, h, g, i, j, e, f) -> (b, j, h, e)>
#v0 = affine_map<(b, h, g, i, j, e, f) -> (b, h, j, f)>
#m0 = affine_map<(b, h, g, i, j, e, f) -> (h, g, i, j)>
#o0 = affine_map<(b, h, g, i, j, e, f) -> (b, i, h, g, f)>
func.func @groups(%q: tensor<2x70x2x3x48xf16>, %k: tensor<2x150x2x48xf16>, %v: tensor<2x2x150x80xf16>, %m: tensor<2x3x70x150xf32>) -> tensor<2x70x2x3x80xf32> {
  %init = tensor.empty() : tensor<2x70x2x3x80xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<2x70x2x3x48xf16>, tensor<2x150x2x48xf16>, tensor<2x2x150x80xf16>) modifiers(%m : tensor<2x3x70x150xf32>)
      outs(%init : tensor<2x70x2x3x80xf32>) maps [#q0, #k0, #v0, #m0, #o0] {
  ^bb0(%score: f32, %bias: f32, %b: index, %h: index, %g: index, %i: index, %j: index):
    %scale = arith.constant 0.125 : f32
    %scaled = arith.mulf %score, %scale : f32
    %logit = arith.addf %scaled, %bias : f32
    pit.logit %logit : f32
  } -> tensor<2x70x2x3x80xf32>
  return %o : tensor<2x70x2x3x80xf32>
}

// A causal window of 70 keys by arithmetic on i64; rows from 300 on have no live key.
#q1 = affine_map<(i, j, e, f) -> (i, e)>
#k1 = affine_map<(i, j, e, f) -> (j, e)>
#v1 = affine_map<(i, j, e, f) -> (j, f)>
#o1 = affine_map<(i, j, e, f) -> (i, f)>
func.func @window(%q: tensor<333x32xbf16>, %k: tensor<517x32xbf16>, %v: tensor<517x64xbf16>) -> tensor<333x64xbf16> {
  %init = tensor.empty() : tensor<333x64xbf16>
  %o = pit.attend {zero_rows} ins(%q, %k, %v : tensor<333x32xbf16>, tensor<517x32xbf16>, tensor<517x64xbf16>)
      outs(%init : tensor<333x64xbf16>) maps [#q1, #k1, #v1, #o1] {
  ^bb0(%score: f32, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %c300 = arith.constant 300 : index
    %from = arith.index_cast %i : index to i64
    %to = arith.index_cast %j : index to i64
    %distance = arith.subi %from, %to : i64
    %most = arith.constant 70 : i64
    %zero = arith.constant 0 : i64
    %near = arith.cmpi sle, %distance, %most : i64
    %before = arith.cmpi sge, %distance, %zero : i64
    %early = arith.cmpi ult, %i, %c300 : index
    %both = arith.andi %near, %before : i1
    %live = arith.andi %both, %early : i1
    %logit = arith.select %live, %score, %dead : f32
    pit.logit %logit : f32
  } -> tensor<333x64xbf16>
  return %o : tensor<333x64xbf16>
}

// A mask that is data, for all heads; extents that are not known.
#q2 = affine_map<(h, i, j, e, f) -> (h, i, e)>
#k2 = affine_map<(h, i, j, e, f) -> (h, j, e)>
#v2 = affine_map<(h, i, j, e, f) -> (h, j, f)>
#o2 = affine_map<(h, i, j, e, f) -> (h, i, f)>
func.func @mask(%q: tensor<3x200x64xbf16>, %k: tensor<3x200x64xbf16>, %v: tensor<3x200x64xbf16>, %m: tensor<200x200xi1>) -> tensor<3x200x64xbf16> {
  %dq = tensor.cast %q : tensor<3x200x64xbf16> to tensor<?x?x64xbf16>
  %dk = tensor.cast %k : tensor<3x200x64xbf16> to tensor<?x?x64xbf16>
  %dv = tensor.cast %v : tensor<3x200x64xbf16> to tensor<?x?x64xbf16>
  %init = tensor.empty() : tensor<3x200x64xbf16>
  %o = pit.attend ins(%dq, %dk, %dv : tensor<?x?x64xbf16>, tensor<?x?x64xbf16>, tensor<?x?x64xbf16>) modifiers(%m : tensor<200x200xi1>)
      outs(%init : tensor<3x200x64xbf16>) maps [#q2, #k2, #v2, affine_map<(h, i, j, e, f) -> (i, j)>, #o2] {
  ^bb0(%score: f32, %live: i1, %h: index, %i: index, %j: index):
    %scale = arith.constant 0.125 : f32
    %dead = arith.constant 0xFF800000 : f32
    %scaled = arith.mulf %score, %scale : f32
    %logit = arith.select %live, %scaled, %dead : f32
    pit.logit %logit : f32
  } -> tensor<3x200x64xbf16>
  return %o : tensor<3x200x64xbf16>
}

// A mask of tokens as models compute with it, and a causal one: rows in front of the first token have no live key.
#q3 = affine_map<(b, h, i, j, e, f) -> (b, h, i, e)>
#k3 = affine_map<(b, h, i, j, e, f) -> (b, h, j, e)>
#v3 = affine_map<(b, h, i, j, e, f) -> (b, h, j, f)>
#o3 = affine_map<(b, h, i, j, e, f) -> (b, h, i, f)>
func.func @tokens(%q: tensor<2x2x130x64xbf16>, %k: tensor<2x2x130x64xbf16>, %v: tensor<2x2x130x64xbf16>, %m: tensor<2x130xi64>) -> tensor<2x2x130x64xbf16> {
  %init = tensor.empty() : tensor<2x2x130x64xbf16>
  %o = pit.attend ins(%q, %k, %v : tensor<2x2x130x64xbf16>, tensor<2x2x130x64xbf16>, tensor<2x2x130x64xbf16>) modifiers(%m : tensor<2x130xi64>)
      outs(%init : tensor<2x2x130x64xbf16>) maps [#q3, #k3, #v3, affine_map<(b, h, i, j, e, f) -> (b, j)>, #o3] {
  ^bb0(%score: f32, %token: i64, %b: index, %h: index, %i: index, %j: index):
    %scale = arith.constant 0.125 : f32
    %one = arith.constant 1.0 : f32
    %lowest = arith.constant -3.4028234663852886E+38 : f32
    %zero = arith.constant 0.0 : f32
    %scaled = arith.mulf %score, %scale : f32
    %float = arith.sitofp %token : i64 to f32
    %rest = arith.subf %one, %float : f32
    %ofTokens = arith.mulf %rest, %lowest : f32
    %late = arith.cmpi ugt, %j, %i : index
    %ofLate = arith.select %late, %lowest, %zero : f32
    %both = arith.minimumf %ofTokens, %ofLate : f32
    %logit = arith.addf %scaled, %both : f32
    pit.logit %logit : f32
  } -> tensor<2x2x130x64xbf16>
  return %o : tensor<2x2x130x64xbf16>
}

func.func @wide(%q: tensor<150x2x128xbf16>, %k: tensor<2x128x700xbf16>, %v: tensor<2x700x128xbf16>) -> tensor<2x150x128xbf16> {
  %init = tensor.empty() : tensor<2x150x128xbf16>
  %o = pit.attend ins(%q, %k, %v : tensor<150x2x128xbf16>, tensor<2x128x700xbf16>, tensor<2x700x128xbf16>)
      outs(%init : tensor<2x150x128xbf16>) maps [affine_map<(h, i, j, e, f) -> (i, h, e)>, affine_map<(h, i, j, e, f) -> (h, e, j)>, #v2, #o2] {
  ^bb0(%score: f32, %h: index, %i: index, %j: index):
    %scale = arith.constant 11.3125 : f32
    %logit = arith.divf %score, %scale : f32
    pit.logit %logit : f32
  } -> tensor<2x150x128xbf16>
  return %o : tensor<2x150x128xbf16>
}

func.func @bits(%q: tensor<2x144x64xbf16>, %k: tensor<2x208x64xbf16>, %v: tensor<2x208x64xbf16>, %m: tensor<2x144x208xi1>) -> tensor<2x144x64xbf16> {
  %init = tensor.empty() : tensor<2x144x64xbf16>
  %o = pit.attend ins(%q, %k, %v : tensor<2x144x64xbf16>, tensor<2x208x64xbf16>, tensor<2x208x64xbf16>) modifiers(%m : tensor<2x144x208xi1>)
      outs(%init : tensor<2x144x64xbf16>) maps [#q2, #k2, #v2, affine_map<(h, i, j, e, f) -> (h, i, j)>, #o2] {
  ^bb0(%score: f32, %live: i1, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %logit = arith.select %live, %score, %dead : f32
    pit.logit %logit : f32
  } -> tensor<2x144x64xbf16>
  return %o : tensor<2x144x64xbf16>
}

func.func @two(%q: tensor<2x144x64xbf16>, %k: tensor<2x144x64xbf16>, %v: tensor<2x144x64xbf16>, %m: tensor<144x144xi1>) -> tensor<2x144x64xbf16> {
  %init = tensor.empty() : tensor<2x144x64xbf16>
  %o = pit.attend ins(%q, %k, %v : tensor<2x144x64xbf16>, tensor<2x144x64xbf16>, tensor<2x144x64xbf16>) modifiers(%m : tensor<144x144xi1>)
      outs(%init : tensor<2x144x64xbf16>) maps [#q2, #k2, #v2, affine_map<(h, i, j, e, f) -> (i, j)>, #o2] {
  ^bb0(%score: f32, %allowed: i1, %h: index, %i: index, %j: index):
    %dead = arith.constant -3.4028234663852886E+38 : f32
    %earlier = arith.cmpi ule, %j, %i : index
    %live = arith.andi %allowed, %earlier : i1
    %logit = arith.select %live, %score, %dead : f32
    pit.logit %logit : f32
  } -> tensor<2x144x64xbf16>
  return %o : tensor<2x144x64xbf16>
}

#q5 = affine_map<(h, i, j, e, f) -> (h, i, e)>
#k5 = affine_map<(h, i, j, e, f) -> (h, j, e)>
#v5 = affine_map<(h, i, j, e, f) -> (h, j, f)>
#m5 = affine_map<(h, i, j, e, f) -> (h)>
#o5 = affine_map<(h, i, j, e, f) -> (h, i, f)>
func.func @conditions(%q: tensor<3x150x32xbf16>, %k: tensor<3x203x32xbf16>, %v: tensor<3x203x32xbf16>, %m: tensor<3xi64>) -> tensor<3x150x32xf32> {
  %init = tensor.empty() : tensor<3x150x32xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<3x150x32xbf16>, tensor<3x203x32xbf16>, tensor<3x203x32xbf16>) modifiers(%m : tensor<3xi64>)
      outs(%init : tensor<3x150x32xf32>) maps [#q5, #k5, #v5, #m5, #o5] {
  ^bb0(%score: f32, %length: i64, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %c3 = arith.constant 3 : index
    %c40 = arith.constant 40 : index
    %c77 = arith.constant 77 : i64
    %key = arith.index_cast %j : index to i64
    %query = arith.index_cast %i : index to i64
    %below = arith.cmpi slt, %key, %length : i64
    %distance = arith.subi %query, %key : i64
    %far = arith.cmpi sgt, %distance, %c77 : i64
    %next = arith.addi %j, %c40 : index
    %same = arith.cmpi eq, %next, %i : index
    %third = arith.cmpi ne, %j, %c3 : index
    %late = arith.cmpi uge, %j, %i : index
    %a = arith.ori %below, %far : i1
    %b = arith.ori %a, %same : i1
    %c = arith.xori %b, %late : i1
    %d = arith.andi %c, %third : i1
    %first = arith.cmpi ult, %j, %c3 : index
    %live = arith.ori %d, %first : i1
    %logit = arith.select %live, %score, %dead : f32
    pit.logit %logit : f32
  } -> tensor<3x150x32xf32>
  return %o : tensor<3x150x32xf32>
}

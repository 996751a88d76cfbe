// Numbers of a logit's own, one for each key, are loaded in pairs and ahead of scores: where rows are not even, where they lie along queries, where they are
// the same for all queries, and where they are more than what is added. Against the formula on the CPU, with warpgroups and with warps.
// UNSUPPORTED: sanitizer
// DEFINE: %{chip} = sm_90a
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=%{chip} --random=normal --random=normal --random=normal --check --quiet
// RUN: %{run} --entry=transposed --random=normal | FileCheck %s
// RUN: %{run} --entry=rows --random=normal | FileCheck %s
// RUN: %{run} --entry=factors --random=normal --random=normal | FileCheck %s
// RUN: %{run} --entry=uneven --random=normal | FileCheck %s
// REDEFINE: %{chip} = sm_80
// RUN: %{run} --entry=transposed --random=normal | FileCheck %s
// RUN: %{run} --entry=rows --random=normal | FileCheck %s
// RUN: %{run} --entry=factors --random=normal --random=normal | FileCheck %s
// RUN: %{run} --entry=uneven --random=normal | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

#q = affine_map<(h, i, j, e, f) -> (h, i, e)>
#k = affine_map<(h, i, j, e, f) -> (h, j, e)>
#v = affine_map<(h, i, j, e, f) -> (h, j, f)>
#o = affine_map<(h, i, j, e, f) -> (h, i, f)>
#ij = affine_map<(h, i, j, e, f) -> (i, j)>
#ji = affine_map<(h, i, j, e, f) -> (j, i)>
#hj = affine_map<(h, i, j, e, f) -> (h, j)>

// Neighbours along keys are 130 elements apart.
func.func @transposed(%q: tensor<2x130x64xbf16>, %k: tensor<2x200x64xbf16>, %v: tensor<2x200x64xbf16>, %m: tensor<200x130xf32>) -> tensor<2x130x64xf32> {
  %init = tensor.empty() : tensor<2x130x64xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<2x130x64xbf16>, tensor<2x200x64xbf16>, tensor<2x200x64xbf16>) modifiers(%m : tensor<200x130xf32>)
      outs(%init : tensor<2x130x64xf32>) maps [#q, #k, #v, #ji, #o] {
  ^bb0(%score: f32, %bias: f32, %h: index, %i: index, %j: index):
    %scale = arith.constant 0.125 : f32
    %scaled = arith.mulf %score, %scale : f32
    %logit = arith.addf %scaled, %bias : f32
    pit.logit %logit : f32
  } -> tensor<2x130x64xf32>
  return %o : tensor<2x130x64xf32>
}

// All queries of a head share a row.
func.func @rows(%q: tensor<2x150x64xbf16>, %k: tensor<2x128x64xbf16>, %v: tensor<2x128x64xbf16>, %m: tensor<2x128xbf16>) -> tensor<2x150x64xf32> {
  %init = tensor.empty() : tensor<2x150x64xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<2x150x64xbf16>, tensor<2x128x64xbf16>, tensor<2x128x64xbf16>) modifiers(%m : tensor<2x128xbf16>)
      outs(%init : tensor<2x150x64xf32>) maps [#q, #k, #v, #hj, #o] {
  ^bb0(%score: f32, %bias: bf16, %h: index, %i: index, %j: index):
    %wide = arith.extf %bias : bf16 to f32
    %logit = arith.addf %score, %wide : f32
    pit.logit %logit : f32
  } -> tensor<2x150x64xf32>
  return %o : tensor<2x150x64xf32>
}

// A factor is read where all logits live, too, besides a causal condition and a bias.
func.func @factors(%q: tensor<1x140x128xbf16>, %k: tensor<1x140x128xbf16>, %v: tensor<1x140x128xbf16>, %w: tensor<140x140xf16>, %m: tensor<140x140xf32>)
    -> tensor<1x140x128xf32> {
  %init = tensor.empty() : tensor<1x140x128xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<1x140x128xbf16>, tensor<1x140x128xbf16>, tensor<1x140x128xbf16>) modifiers(%w, %m : tensor<140x140xf16>, tensor<140x140xf32>)
      outs(%init : tensor<1x140x128xf32>) maps [#q, #k, #v, #ij, #ij, #o] {
  ^bb0(%score: f32, %factor: f16, %bias: f32, %h: index, %i: index, %j: index):
    %none = arith.constant 0xFF800000 : f32
    %wide = arith.extf %factor : f16 to f32
    %scaled = arith.mulf %score, %wide : f32
    %sum = arith.addf %scaled, %bias : f32
    %lives = arith.cmpi ule, %j, %i : index
    %logit = arith.select %lives, %sum, %none : f32
    pit.logit %logit : f32
  } -> tensor<1x140x128xf32>
  return %o : tensor<1x140x128xf32>
}

// Rows of 77 elements: no pairs, and a last step that ends inside.
func.func @uneven(%q: tensor<3x77x64xbf16>, %k: tensor<3x77x64xbf16>, %v: tensor<3x77x64xbf16>, %m: tensor<77x77xbf16>) -> tensor<3x77x64xf32> {
  %init = tensor.empty() : tensor<3x77x64xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<3x77x64xbf16>, tensor<3x77x64xbf16>, tensor<3x77x64xbf16>) modifiers(%m : tensor<77x77xbf16>)
      outs(%init : tensor<3x77x64xf32>) maps [#q, #k, #v, #ij, #o] {
  ^bb0(%score: f32, %bias: bf16, %h: index, %i: index, %j: index):
    %wide = arith.extf %bias : bf16 to f32
    %scale = arith.constant 0.125 : f32
    %scaled = arith.mulf %score, %scale : f32
    %logit = arith.addf %scaled, %wide : f32
    pit.logit %logit : f32
  } -> tensor<3x77x64xf32>
  return %o : tensor<3x77x64xf32>
}

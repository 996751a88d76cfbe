// Masks that are data, whose live keys are scattered: queries and keys are packed. Rows without a live key are 0, so that results can be compared.
// UNSUPPORTED: sanitizer
// DEFINE: %{mask} = %python %S/scattered_mask.py
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --random=normal --random=normal --random=normal --check --quiet
// Few steps, of queries and keys that are no multiple of a tile.
// RUN: %{mask} tokens 200 336 %t.npy && %{run} --entry=small --input=%t.npy | FileCheck %s
// RUN: %{mask} few 200 336 %t.npy && %{run} --entry=small --input=%t.npy | FileCheck %s
// RUN: %{mask} queries 200 336 %t.npy && %{run} --entry=small --input=%t.npy | FileCheck %s
// RUN: %{mask} edges 200 336 %t.npy && %{run} --entry=small --input=%t.npy | FileCheck %s
// RUN: %{run} --entry=small --random=ones | FileCheck %s
// RUN: %{run} --entry=small --random=zeros | FileCheck %s
// Steps of packed queries in parts, which the last one joins.
// RUN: %{mask} tokens 256 4096 %t.npy && %{run} --entry=parts --input=%t.npy | FileCheck %s
// RUN: %{mask} columns 256 4096 %t.npy && %{run} --entry=parts --input=%t.npy | FileCheck %s
// A mask for each head that says what is dead, heads of 128 in wide steps, whose warpgroups take turns, and one of which all of a row may be dead but finite.
// RUN: %{run} --entry=heads --random=bool:0.9 | FileCheck %s
// RUN: %{mask} tokens 256 1024 %t.npy && %{run} --entry=wide --input=%t.npy | FileCheck %s
// RUN: %{mask} tokens 256 384 %t.npy && %{run} --entry=finite --input=%t.npy | FileCheck %s
// RUN: %{mask} queries 256 384 %t.npy && %{run} --entry=finite --input=%t.npy | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

#q = affine_map<(h, i, j, e, f) -> (h, i, e)>
#k = affine_map<(h, i, j, e, f) -> (h, j, e)>
#v = affine_map<(h, i, j, e, f) -> (h, j, f)>
#m = affine_map<(h, i, j, e, f) -> (i, j)>
#mh = affine_map<(h, i, j, e, f) -> (h, i, j)>
#o = affine_map<(h, i, j, e, f) -> (h, i, f)>

func.func @small(%q: tensor<2x200x48xbf16>, %k: tensor<2x336x48xbf16>, %v: tensor<2x336x64xbf16>, %m: tensor<200x336xi1>) -> tensor<2x200x64xf32> {
  %init = tensor.empty() : tensor<2x200x64xf32>
  %o = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x200x48xbf16>, tensor<2x336x48xbf16>, tensor<2x336x64xbf16>) modifiers(%m : tensor<200x336xi1>)
      outs(%init : tensor<2x200x64xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %live: i1, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %logit = arith.select %live, %score, %dead : f32
    pit.logit %logit : f32
  } -> tensor<2x200x64xf32>
  return %o : tensor<2x200x64xf32>
}

func.func @parts(%q: tensor<2x256x32xbf16>, %k: tensor<2x4096x32xbf16>, %v: tensor<2x4096x32xbf16>, %m: tensor<256x4096xi1>) -> tensor<2x256x32xf32> {
  %init = tensor.empty() : tensor<2x256x32xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<2x256x32xbf16>, tensor<2x4096x32xbf16>, tensor<2x4096x32xbf16>) modifiers(%m : tensor<256x4096xi1>)
      outs(%init : tensor<2x256x32xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %live: i1, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %logit = arith.select %live, %score, %dead : f32
    pit.logit %logit : f32
  } -> tensor<2x256x32xf32>
  return %o : tensor<2x256x32xf32>
}

func.func @heads(%q: tensor<2x200x64xf16>, %k: tensor<2x208x64xf16>, %v: tensor<2x208x64xf16>, %m: tensor<2x200x208xi1>) -> tensor<2x200x64xf32> {
  %init = tensor.empty() : tensor<2x200x64xf32>
  %o = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x200x64xf16>, tensor<2x208x64xf16>, tensor<2x208x64xf16>) modifiers(%m : tensor<2x200x208xi1>)
      outs(%init : tensor<2x200x64xf32>) maps [#q, #k, #v, #mh, #o] {
  ^bb0(%score: f32, %isDead: i1, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %logit = arith.select %isDead, %dead, %score : f32
    pit.logit %logit : f32
  } -> tensor<2x200x64xf32>
  return %o : tensor<2x200x64xf32>
}

func.func @wide(%q: tensor<2x256x128xbf16>, %k: tensor<2x1024x128xbf16>, %v: tensor<2x1024x128xbf16>, %m: tensor<256x1024xi1>) -> tensor<2x256x128xf32> {
  %init = tensor.empty() : tensor<2x256x128xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<2x256x128xbf16>, tensor<2x1024x128xbf16>, tensor<2x1024x128xbf16>) modifiers(%m : tensor<256x1024xi1>)
      outs(%init : tensor<2x256x128xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %live: i1, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %scale = arith.constant 0.125 : f32
    %scaled = arith.mulf %score, %scale : f32
    %logit = arith.select %live, %scaled, %dead : f32
    pit.logit %logit : f32
  } -> tensor<2x256x128xf32>
  return %o : tensor<2x256x128xf32>
}

func.func @finite(%q: tensor<2x256x64xbf16>, %k: tensor<2x384x64xbf16>, %v: tensor<2x384x64xbf16>, %m: tensor<256x384xi1>) -> tensor<2x256x64xf32> {
  %init = tensor.empty() : tensor<2x256x64xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<2x256x64xbf16>, tensor<2x384x64xbf16>, tensor<2x384x64xbf16>) modifiers(%m : tensor<256x384xi1>)
      outs(%init : tensor<2x256x64xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %live: i1, %h: index, %i: index, %j: index):
    %dead = arith.constant -3.40282347E+38 : f32
    %logit = arith.select %live, %score, %dead : f32
    pit.logit %logit : f32
  } -> tensor<2x256x64xf32>
  return %o : tensor<2x256x64xf32>
}

// Masks of numbers that are added, 0 or as low as -inf: bits of them are lists, as of truth values. Numbers that are more than that are read where a tile
// has some.
// UNSUPPORTED: sanitizer
// DEFINE: %{mask} = %python %S/scattered_mask.py
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --random=normal --random=normal --random=normal --check --quiet
// RUN: %{mask} tokens 200 320 %t.npy -inf && %{run} --entry=small --input=%t.npy | FileCheck %s
// RUN: %{mask} few 200 320 %t.npy -inf && %{run} --entry=small --input=%t.npy | FileCheck %s
// RUN: %{mask} edges 200 320 %t.npy lowest && %{run} --entry=small --input=%t.npy | FileCheck %s
// Rows without a live key: 0 where all are -inf; where they are finite, what the program gives.
// RUN: %{mask} queries 200 320 %t.npy -inf && %{run} --entry=small --input=%t.npy | FileCheck %s
// RUN: %{mask} queries 200 320 %t.npy lowest && %{run} --entry=small --input=%t.npy | FileCheck %s
// Numbers that are not 0, in all tiles, in the last one, with queries that leave the first.
// RUN: %{run} --entry=small --random=normal | FileCheck %s
// RUN: %{mask} tokens 200 320 %t.npy -inf 150 && %{run} --entry=small --input=%t.npy | FileCheck %s
// RUN: %{mask} queries 200 320 %t.npy lowest 130 && %{run} --entry=small --input=%t.npy | FileCheck %s
// RUN: %{mask} tokens 200 320 %t.npy lowest 0 && %{run} --entry=small --input=%t.npy | FileCheck %s
// RUN: %{run} --entry=small --random=zeros | FileCheck %s
// f16, in which scores are rounded before the lowest number is added; bf16, by head; wide steps, whose warpgroups take turns.
// RUN: %{mask} tokens 256 384 %t.npy f16 && %{run} --entry=half --input=%t.npy | FileCheck %s
// RUN: %{mask} queries 256 384 %t.npy f16 && %{run} --entry=half --input=%t.npy | FileCheck %s
// RUN: %{run} --entry=heads --random=normal | FileCheck %s
// RUN: %{run} --entry=heads --random=zeros | FileCheck %s
// RUN: %{mask} tokens 256 1024 %t.npy -inf && %{run} --entry=wide --input=%t.npy | FileCheck %s
// RUN: %{mask} columns 256 1024 %t.npy lowest 200 && %{run} --entry=wide --input=%t.npy | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

#q = affine_map<(h, i, j, e, f) -> (h, i, e)>
#k = affine_map<(h, i, j, e, f) -> (h, j, e)>
#v = affine_map<(h, i, j, e, f) -> (h, j, f)>
#m = affine_map<(h, i, j, e, f) -> (i, j)>
#mh = affine_map<(h, i, j, e, f) -> (h, i, j)>
#o = affine_map<(h, i, j, e, f) -> (h, i, f)>

func.func @small(%q: tensor<2x200x48xbf16>, %k: tensor<2x320x48xbf16>, %v: tensor<2x320x64xbf16>, %m: tensor<200x320xf32>) -> tensor<2x200x64xf32> {
  %init = tensor.empty() : tensor<2x200x64xf32>
  %o = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x200x48xbf16>, tensor<2x320x48xbf16>, tensor<2x320x64xbf16>) modifiers(%m : tensor<200x320xf32>)
      outs(%init : tensor<2x200x64xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %added: f32, %h: index, %i: index, %j: index):
    %scale = arith.constant 0.25 : f32
    %scaled = arith.mulf %score, %scale : f32
    %logit = arith.addf %scaled, %added : f32
    pit.logit %logit : f32
  } -> tensor<2x200x64xf32>
  return %o : tensor<2x200x64xf32>
}

func.func @half(%q: tensor<1x256x64xf16>, %k: tensor<1x384x64xf16>, %v: tensor<1x384x64xf16>, %m: tensor<256x384xf16>) -> tensor<1x256x64xf32> {
  %init = tensor.empty() : tensor<1x256x64xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<1x256x64xf16>, tensor<1x384x64xf16>, tensor<1x384x64xf16>) modifiers(%m : tensor<256x384xf16>)
      outs(%init : tensor<1x256x64xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %added: f16, %h: index, %i: index, %j: index):
    %scale = arith.constant 0.25 : f32
    %scaled = arith.mulf %score, %scale : f32
    %narrow = arith.truncf %scaled : f32 to f16
    %sum = arith.addf %narrow, %added : f16
    %logit = arith.extf %sum : f16 to f32
    pit.logit %logit : f32
  } -> tensor<1x256x64xf32>
  return %o : tensor<1x256x64xf32>
}

func.func @heads(%q: tensor<2x200x64xbf16>, %k: tensor<2x192x64xbf16>, %v: tensor<2x192x64xbf16>, %m: tensor<2x200x192xbf16>) -> tensor<2x200x64xf32> {
  %init = tensor.empty() : tensor<2x200x64xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<2x200x64xbf16>, tensor<2x192x64xbf16>, tensor<2x192x64xbf16>) modifiers(%m : tensor<2x200x192xbf16>)
      outs(%init : tensor<2x200x64xf32>) maps [#q, #k, #v, #mh, #o] {
  ^bb0(%score: f32, %added: bf16, %h: index, %i: index, %j: index):
    %scale = arith.constant 0.25 : f32
    %scaled = arith.mulf %score, %scale : f32
    %wide = arith.extf %added : bf16 to f32
    %logit = arith.addf %scaled, %wide : f32
    pit.logit %logit : f32
  } -> tensor<2x200x64xf32>
  return %o : tensor<2x200x64xf32>
}

func.func @wide(%q: tensor<1x256x128xbf16>, %k: tensor<1x1024x128xbf16>, %v: tensor<1x1024x128xbf16>, %m: tensor<256x1024xf32>) -> tensor<1x256x128xf32> {
  %init = tensor.empty() : tensor<1x256x128xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<1x256x128xbf16>, tensor<1x1024x128xbf16>, tensor<1x1024x128xbf16>) modifiers(%m : tensor<256x1024xf32>)
      outs(%init : tensor<1x256x128xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %added: f32, %h: index, %i: index, %j: index):
    %scale = arith.constant 0.25 : f32
    %scaled = arith.mulf %score, %scale : f32
    %logit = arith.addf %scaled, %added : f32
    pit.logit %logit : f32
  } -> tensor<1x256x128xf32>
  return %o : tensor<1x256x128xf32>
}

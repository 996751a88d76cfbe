// Masks by select with numbers that are far from 0 and not as far as the lowest of a type, by conditions of the score, by positions or a mask that is data,
// clamped, and subtracted; and attention without a key.
// UNSUPPORTED: sanitizer
// DEFINE: %{mask} = %python %S/scattered_mask.py
// DEFINE: %{chip} = sm_90a
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=%{chip} --random=normal --random=normal --random=normal --check --quiet
// What lives beside the mask has tiles in which the mask is the same everywhere.
// RUN: %{run} --entry=either --random=zeros | FileCheck %s
// RUN: %{mask} queries 160 160 %t.npy && %{run} --entry=either --input=%t.npy | FileCheck %s
// RUN: %{run} --entry=one --random=zeros | FileCheck %s
// Rows without a live key, and those whose live keys come late.
// RUN: %{run} --entry=window | FileCheck %s
// RUN: %{run} --entry=finite --random=zeros | FileCheck %s
// RUN: %{mask} queries 40 160 %t.npy && %{run} --entry=finite --input=%t.npy | FileCheck %s
// RUN: %{mask} queries 40 160 %t.npy && %{run} --entry=biased --input=%t.npy | FileCheck %s
// RUN: %{mask} queries 40 160 %t.npy && %{run} --entry=clamped --input=%t.npy | FileCheck %s
// RUN: %{run} --entry=subtracted --random=zeros | FileCheck %s
// RUN: %{mask} queries 40 160 %t.npy && %{run} --entry=subtracted --input=%t.npy | FileCheck %s
// RUN: %{run} --entry=scores | FileCheck %s
// RUN: %{run} --entry=high | FileCheck %s
// REDEFINE: %{chip} = sm_80
// RUN: %{run} --entry=either --random=zeros | FileCheck %s
// RUN: %{run} --entry=window | FileCheck %s
// RUN: %{run} --entry=finite --random=zeros | FileCheck %s
// RUN: %{mask} queries 40 160 %t.npy && %{run} --entry=clamped --input=%t.npy | FileCheck %s
// RUN: %{run} --entry=high | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

// DEFINE: %{none} = %emulated-cuda pit-run %s --target=cuda --entry=keys --random=normal@20x32 --random=normal@0x32 --random=normal@0x32 --check --quiet
// RUN: %{none} --chip=sm_90a | FileCheck %s
// RUN: %{none} --chip=sm_80 | FileCheck %s

#q = affine_map<(i, j, e, f) -> (i, e)>
#k = affine_map<(i, j, e, f) -> (j, e)>
#v = affine_map<(i, j, e, f) -> (j, f)>
#m = affine_map<(i, j, e, f) -> (i, j)>
#o = affine_map<(i, j, e, f) -> (i, f)>

func.func @either(%q: tensor<160x32xbf16>, %k: tensor<160x32xbf16>, %v: tensor<160x32xbf16>, %m: tensor<160x160xi1>) -> tensor<160x32xf32> {
  %init = tensor.empty() : tensor<160x32xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<160x32xbf16>, tensor<160x32xbf16>, tensor<160x32xbf16>) modifiers(%m : tensor<160x160xi1>)
      outs(%init : tensor<160x32xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %mask: i1, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %later = arith.cmpi ugt, %j, %i : index
    %other = arith.cmpi ne, %j, %i : index
    %masked = arith.andi %mask, %other : i1
    %either = arith.ori %later, %masked : i1
    %logit = arith.select %either, %dead, %score : f32
    pit.logit %logit : f32
  } -> tensor<160x32xf32>
  return %o : tensor<160x32xf32>
}

func.func @one(%q: tensor<160x32xbf16>, %k: tensor<160x32xbf16>, %v: tensor<160x32xbf16>, %m: tensor<160x160xi1>) -> tensor<160x32xf32> {
  %init = tensor.empty() : tensor<160x32xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<160x32xbf16>, tensor<160x32xbf16>, tensor<160x32xbf16>) modifiers(%m : tensor<160x160xi1>)
      outs(%init : tensor<160x32xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %mask: i1, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %later = arith.cmpi ugt, %j, %i : index
    %one = arith.xori %later, %mask : i1
    %logit = arith.select %one, %dead, %score : f32
    pit.logit %logit : f32
  } -> tensor<160x32xf32>
  return %o : tensor<160x32xf32>
}

func.func @window(%q: tensor<200x64xf16>, %k: tensor<200x64xf16>, %v: tensor<200x64xf16>) -> tensor<200x64xf32> {
  %init = tensor.empty() : tensor<200x64xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<200x64xf16>, tensor<200x64xf16>, tensor<200x64xf16>)
      outs(%init : tensor<200x64xf32>) maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %i: index, %j: index):
    %dead = arith.constant -1.0e+09 : f32
    %c16 = arith.constant 16 : index
    %near = arith.addi %j, %c16 : index
    %after = arith.cmpi sge, %near, %i : index
    %before = arith.cmpi sle, %j, %i : index
    %lives = arith.andi %after, %before : i1
    %logit = arith.select %lives, %score, %dead : f32
    pit.logit %logit : f32
  } -> tensor<200x64xf32>
  return %o : tensor<200x64xf32>
}

func.func @finite(%q: tensor<40x32xbf16>, %k: tensor<160x32xbf16>, %v: tensor<160x32xbf16>, %m: tensor<40x160xi1>) -> tensor<40x32xf32> {
  %init = tensor.empty() : tensor<40x32xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<40x32xbf16>, tensor<160x32xbf16>, tensor<160x32xbf16>) modifiers(%m : tensor<40x160xi1>)
      outs(%init : tensor<40x32xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %mask: i1, %i: index, %j: index):
    %dead = arith.constant -1.0e+09 : f32
    %masked = arith.select %mask, %score, %dead : f32
    %scale = arith.constant 0.25 : f32
    %logit = arith.mulf %masked, %scale : f32
    pit.logit %logit : f32
  } -> tensor<40x32xf32>
  return %o : tensor<40x32xf32>
}

// What is added behind may lift it again.
func.func @biased(%q: tensor<40x32xbf16>, %k: tensor<160x32xbf16>, %v: tensor<160x32xbf16>, %m: tensor<40x160xi1>) -> tensor<40x32xf32> {
  %init = tensor.empty() : tensor<40x32xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<40x32xbf16>, tensor<160x32xbf16>, tensor<160x32xbf16>) modifiers(%m : tensor<40x160xi1>)
      outs(%init : tensor<40x32xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %mask: i1, %i: index, %j: index):
    %dead = arith.constant -4096.0 : f32
    %masked = arith.select %mask, %score, %dead : f32
    %c50 = arith.constant 50 : index
    %far = arith.cmpi sgt, %j, %c50 : index
    %high = arith.constant 4096.0 : f32
    %zero = arith.constant 0.0 : f32
    %bias = arith.select %far, %high, %zero : f32
    %logit = arith.addf %masked, %bias : f32
    pit.logit %logit : f32
  } -> tensor<40x32xf32>
  return %o : tensor<40x32xf32>
}

func.func @clamped(%q: tensor<40x32xbf16>, %k: tensor<160x32xbf16>, %v: tensor<160x32xbf16>, %m: tensor<40x160xi1>) -> tensor<40x32xf32> {
  %init = tensor.empty() : tensor<40x32xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<40x32xbf16>, tensor<160x32xbf16>, tensor<160x32xbf16>) modifiers(%m : tensor<40x160xi1>)
      outs(%init : tensor<40x32xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %mask: i1, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %lowest = arith.constant 0xFF7FFFFF : f32
    %masked = arith.select %mask, %score, %dead : f32
    %logit = arith.maximumf %masked, %lowest : f32
    pit.logit %logit : f32
  } -> tensor<40x32xf32>
  return %o : tensor<40x32xf32>
}

func.func @subtracted(%q: tensor<40x32xbf16>, %k: tensor<160x32xbf16>, %v: tensor<160x32xbf16>, %m: tensor<40x160xi1>) -> tensor<40x32xf32> {
  %init = tensor.empty() : tensor<40x32xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<40x32xbf16>, tensor<160x32xbf16>, tensor<160x32xbf16>) modifiers(%m : tensor<40x160xi1>)
      outs(%init : tensor<40x32xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %mask: i1, %i: index, %j: index):
    %one = arith.constant 1.0 : f32
    %far = arith.constant 1.0e+10 : f32
    %number = arith.uitofp %mask : i1 to f32
    %masks = arith.subf %one, %number : f32
    %by = arith.mulf %masks, %far : f32
    %logit = arith.subf %score, %by : f32
    pit.logit %logit : f32
  } -> tensor<40x32xf32>
  return %o : tensor<40x32xf32>
}

// The condition is of the scaled score.
func.func @scores(%q: tensor<40x32xbf16>, %k: tensor<160x32xbf16>, %v: tensor<160x32xbf16>) -> tensor<40x32xf32> {
  %init = tensor.empty() : tensor<40x32xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<40x32xbf16>, tensor<160x32xbf16>, tensor<160x32xbf16>)
      outs(%init : tensor<40x32xf32>) maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %scale = arith.constant 0.1767767 : f32
    %least = arith.constant 0.5 : f32
    %scaled = arith.mulf %score, %scale : f32
    %lives = arith.cmpf ogt, %scaled, %least : f32
    %logit = arith.select %lives, %scaled, %dead : f32
    pit.logit %logit : f32
  } -> tensor<40x32xf32>
  return %o : tensor<40x32xf32>
}

// So high that few rows have a live key.
func.func @high(%q: tensor<40x32xbf16>, %k: tensor<160x32xbf16>, %v: tensor<160x32xbf16>) -> tensor<40x32xf32> {
  %init = tensor.empty() : tensor<40x32xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<40x32xbf16>, tensor<160x32xbf16>, tensor<160x32xbf16>)
      outs(%init : tensor<40x32xf32>) maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %i: index, %j: index):
    %dead = arith.constant -1.0e+09 : f32
    %scale = arith.constant 0.1767767 : f32
    %least = arith.constant 2.5 : f32
    %scaled = arith.mulf %score, %scale : f32
    %lives = arith.cmpf ogt, %scaled, %least : f32
    %logit = arith.select %lives, %scaled, %dead : f32
    pit.logit %logit : f32
  } -> tensor<40x32xf32>
  return %o : tensor<40x32xf32>
}

func.func @keys(%q: tensor<?x32xbf16>, %k: tensor<?x32xbf16>, %v: tensor<?x32xbf16>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %q, %c0 : tensor<?x32xbf16>
  %init = tensor.empty(%rows) : tensor<?x32xf32>
  %o = pit.attend ins(%q, %k, %v : tensor<?x32xbf16>, tensor<?x32xbf16>, tensor<?x32xbf16>)
      outs(%init : tensor<?x32xf32>) maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<?x32xf32>
  return %o : tensor<?x32xf32>
}

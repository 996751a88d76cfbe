// Gradients of attention: those of queries are zero in rows that a loss does not read, those of keys and values where a mask leaves out the key. What is
// behind each is of those rows, and what is behind their sum of the rows of either. Low numbers in the place of -inf have weight in a query without a key.
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit --split-input-file | FileCheck %s

#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>
#row = affine_map<(b, s, n) -> (b, s)>
#all = affine_map<(b, s, n) -> (b, s, n)>
#q = affine_map<(b, i, j, e, f) -> (b, i, e)>
#k = affine_map<(b, i, j, e, f) -> (b, j, e)>
#v = affine_map<(b, i, j, e, f) -> (b, j, f)>
#g = affine_map<(b, i, j, e, f) -> (b, i, f)>
#r = affine_map<(b, i, j, e, f) -> (b, i)>
#m = affine_map<(b, i, j, e, f) -> (b, j)>

// CHECK-LABEL: func @inf
// CHECK-DAG: %[[READ:.*]] = pit.detect by(%arg5 : tensor<4x16xi1>)
// CHECK-DAG: %[[EITHER:.*]] = pit.detect by(%{{[0-9]+}} : tensor<4x16xi1>)
// CHECK: pit.attend_backward
// The gradient of the queries, then the sum of that and the one of the values.
// CHECK: pit.generic {{.*}}iterator_type<reduction>{{.*}} over(%[[READ]]
// CHECK: pit.generic {{.*}} over(%[[EITHER]]
// CHECK: arith.addf
// CHECK: pit.generic {{.*}}iterator_type<reduction>{{.*}} over(%[[EITHER]]
// CHECK-NOT: linalg.generic {{.*}}"reduction"
// CHECK: return
func.func @inf(%q: tensor<4x16x32xf32>, %k: tensor<4x16x32xf32>, %v: tensor<4x16x32xf32>, %out: tensor<4x16x32xf32>, %do: tensor<4x16x32xf32>,
               %read: tensor<4x16xi1>, %keys: tensor<4x16xi1>, %lse: tensor<4x16xf32>, %w: tensor<32x32xf32>) -> tensor<4x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  %er = tensor.empty() : tensor<4x16xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<4x16xf32>) -> tensor<4x16xf32>
  %g = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%read, %do : tensor<4x16xi1>, tensor<4x16x32xf32>) outs(%e : tensor<4x16x32xf32>) {
  ^bb0(%c: i1, %a: f32, %o: f32):
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4x16x32xf32>
  %delta = linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%g, %out : tensor<4x16x32xf32>, tensor<4x16x32xf32>) outs(%fr : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x16xf32>
  %d:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x16x32xf32>, tensor<4x16x32xf32>, tensor<4x16x32xf32>, tensor<4x16x32xf32>)
      rows(%lse, %delta : tensor<4x16xf32>, tensor<4x16xf32>) modifiers(%keys : tensor<4x16xi1>)
      outs(%e, %e, %e : tensor<4x16x32xf32>, tensor<4x16x32xf32>, tensor<4x16x32xf32>) maps [#q, #k, #v, #g, #r, #r, #m, #q, #k, #v] {
    ^bb0(%score: f32, %key: i1, %b: index, %i: index, %j: index):
      %low = arith.constant 0xFF800000 : f32
      %logit = arith.select %key, %score, %low : f32
      pit.logit %logit : f32
  } -> tensor<4x16x32xf32>, tensor<4x16x32xf32>, tensor<4x16x32xf32>
  %p = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%d#0, %w : tensor<4x16x32xf32>, tensor<32x32xf32>) outs(%f : tensor<4x16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x16x32xf32>
  %sum = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %d#2 : tensor<4x16x32xf32>, tensor<4x16x32xf32>) outs(%e : tensor<4x16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<4x16x32xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%sum, %w : tensor<4x16x32xf32>, tensor<32x32xf32>) outs(%f : tensor<4x16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x16x32xf32>
  return %y : tensor<4x16x32xf32>
}

// -----

#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>
#q = affine_map<(b, i, j, e, f) -> (b, i, e)>
#k = affine_map<(b, i, j, e, f) -> (b, j, e)>
#v = affine_map<(b, i, j, e, f) -> (b, j, f)>
#g = affine_map<(b, i, j, e, f) -> (b, i, f)>
#r = affine_map<(b, i, j, e, f) -> (b, i)>
#m = affine_map<(b, i, j, e, f) -> (b, j)>

// CHECK-LABEL: func @low
// CHECK-NOT: pit.detect
// CHECK: return
func.func @low(%q: tensor<4x16x32xf32>, %k: tensor<4x16x32xf32>, %v: tensor<4x16x32xf32>, %do: tensor<4x16x32xf32>, %delta: tensor<4x16xf32>,
               %keys: tensor<4x16xi1>, %lse: tensor<4x16xf32>, %w: tensor<32x32xf32>) -> tensor<4x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  %d:3 = pit.attend_backward ins(%q, %k, %v, %do : tensor<4x16x32xf32>, tensor<4x16x32xf32>, tensor<4x16x32xf32>, tensor<4x16x32xf32>)
      rows(%lse, %delta : tensor<4x16xf32>, tensor<4x16xf32>) modifiers(%keys : tensor<4x16xi1>)
      outs(%e, %e, %e : tensor<4x16x32xf32>, tensor<4x16x32xf32>, tensor<4x16x32xf32>) maps [#q, #k, #v, #g, #r, #r, #m, #q, #k, #v] {
    ^bb0(%score: f32, %key: i1, %b: index, %i: index, %j: index):
      %low = arith.constant 0xFF7FFFFF : f32
      %logit = arith.select %key, %score, %low : f32
      pit.logit %logit : f32
  } -> tensor<4x16x32xf32>, tensor<4x16x32xf32>, tensor<4x16x32xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%d#2, %w : tensor<4x16x32xf32>, tensor<32x32xf32>) outs(%f : tensor<4x16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x16x32xf32>
  return %y : tensor<4x16x32xf32>
}

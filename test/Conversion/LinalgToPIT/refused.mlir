// What no rule fits stays dense, with a remark where a pattern reached it.
// RUN: pit-opt %s --convert-linalg-to-pit -split-input-file --remarks-filter-missed=pit-rules -verify-diagnostics | FileCheck %s

#te = affine_map<(t, e, f) -> (t, e)>
#tef = affine_map<(t, e, f) -> (t, e, f)>
// Without a bound on live experts, the packed intermediate would be as large as the dense one.
// CHECK-LABEL: func @unbounded_gate
// CHECK: math.exp
// CHECK: pit.generic
func.func @unbounded_gate(%g: tensor<16x4xf32>, %x: tensor<16x4x8xf32>) -> tensor<16x4x8xf32> {
  %s = pit.sparse %g <kind = values, axes = [0, 1]> : tensor<16x4xf32>
  %init = tensor.empty() : tensor<16x4x8xf32>
  // expected-remark @below {{is live, but without 'at_most' its packed form would be as large as the result", Remark="computed densely", Suggestion="bound the pattern with 'at_most'"}}
  %e = linalg.generic {indexing_maps = [#tef, #tef], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<16x4x8xf32>) outs(%init : tensor<16x4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<16x4x8xf32>
  %y = linalg.generic {indexing_maps = [#te, #tef, #tef], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %e : tensor<16x4xf32>, tensor<16x4x8xf32>) outs(%init : tensor<16x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<16x4x8xf32>
  return %y : tensor<16x4x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// 1 / 0 is not absent: the pattern ends here.
// CHECK-LABEL: func @not_annihilated
// CHECK-NOT: pit.generic
func.func @not_annihilated(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = pit.sparse %x <kind = values, axes = [0, 1]> : tensor<4x8xf32>
  %init = tensor.empty() : tensor<4x8xf32>
  // expected-remark @below {{operand 0 has pattern 0 (values at}}
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.addf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// The user's word: an op marked `pit.dense` is left alone.
// CHECK-LABEL: func @opted_out
// CHECK-NOT: pit.generic
func.func @opted_out(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = pit.sparse %x <kind = values, axes = [0, 1]> : tensor<4x8xf32>
  %init = tensor.empty() : tensor<4x8xf32>
  // expected-remark @below {{Reason="it is marked 'pit.dense'"}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) attrs = {pit.dense} {
  ^bb0(%a: f32, %o: f32):
    %v = arith.addf %a, %a : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

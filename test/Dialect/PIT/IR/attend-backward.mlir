// RUN: pit-opt %s | pit-opt | FileCheck %s
// RUN: pit-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFERS
// RUN: pit-opt %s --pit-decompose-attention | FileCheck %s --check-prefix=FORMULA

// CHECK-LABEL: func @masked
// CHECK: %[[R:.*]]:3 = pit.attend_backward ins(%arg0, %arg1, %arg2, %arg3 : {{.*}}) rows(%arg4, %arg5 : tensor<4x8xf32>, tensor<4x8xf32>) modifiers(%arg6 : tensor<8x9xi1>)
// CHECK-SAME: outs(%arg7, %arg8, %arg9 : {{.*}}) maps [
// CHECK: pit.logit
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
// BUFFERS-LABEL: func @masked
// BUFFERS-NOT: memref.copy
// BUFFERS: pit.attend_backward ins({{.*}}) rows({{.*}}) modifiers({{.*}}) outs(%[[DQ:[^ ,]*]], %[[DK:[^ ,]*]], %[[DV:[^ ,]*]] :
// BUFFERS: return %[[DQ]], %[[DK]], %[[DV]]
// Five products; weights are 0 in rows whose logarithm is -inf.
// FORMULA-LABEL: func @masked
// FORMULA: math.exp
// FORMULA: arith.select
// FORMULA-NOT: pit.
// FORMULA: return
func.func @masked(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %m: tensor<8x9xi1>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>) -> (tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>) {
  %r:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) modifiers(%m : tensor<8x9xi1>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %x: i1, %b: index, %i: index, %j: index):
    %s = arith.constant 0.25 : f32
    %l0 = arith.mulf %score, %s : f32
    %dead = arith.constant 0xFF800000 : f32
    %y = arith.select %x, %l0, %dead : f32
    pit.logit %y : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>
  return %r#0, %r#1, %r#2 : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>
}

// A soft cap, and the gradient of a bias that batches share.
// CHECK-LABEL: func @bias
// CHECK: %[[R:.*]]:4 = pit.attend_backward ins({{.*}}) rows({{.*}}) modifiers(%arg6 : tensor<8x9xf32>)
// CHECK-SAME: outs({{.*}}) dmodifiers(%arg10 : tensor<9x8xbf16>) of [0] maps [
// CHECK: math.tanh
// CHECK: return %[[R]]#3
// BUFFERS-LABEL: func @bias
// BUFFERS-NOT: memref.copy
// BUFFERS: pit.attend_backward ins({{.*}}) dmodifiers(%[[DM:[^ ,]*]] :
// BUFFERS: return %[[DM]]
// FORMULA-LABEL: func @bias
// FORMULA: math.tanh
// FORMULA-NOT: pit.
// FORMULA: return
func.func @bias(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %m: tensor<8x9xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>, %dm: tensor<9x8xbf16>) -> tensor<9x8xbf16> {
  %r:4 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) modifiers(%m : tensor<8x9xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      dmodifiers(%dm : tensor<9x8xbf16>) of [0]
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (j, i)>] {
  ^bb0(%score: f32, %x: f32, %b: index, %i: index, %j: index):
    %s = arith.constant 0.25 : f32
    %l0 = arith.mulf %score, %s : f32
    %t = math.tanh %l0 : f32
    %y = arith.addf %t, %x : f32
    pit.logit %y : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<9x8xbf16>
  return %r#3 : tensor<9x8xbf16>
}

// Ops keep an axis of extent 1 that a pattern has, so that one sequence, or one expert, is skipped as several are.
// RUN: pit-opt %s --pit-materialize-marks --pit-normalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @one_sequence(
// CHECK: %[[MARK:.*]] = pit.sparse
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[MARK]], %{{.*}} : tensor<1x64x2x16xbf16>, tensor<1x64x2x16xbf16>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x2x64x64xf32>)
func.func @one_sequence(%x: tensor<1x64x2x16xbf16> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "left", absent = "zero"}}, %l: tensor<1xi64>, %y: tensor<1x64x2x16xbf16>) -> tensor<1x2x64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x2x64x64xf32>) -> tensor<1x2x64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, k) -> (b, i, h, k)>, affine_map<(b, h, i, j, k) -> (b, j, h, k)>, affine_map<(b, h, i, j, k) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %y : tensor<1x64x2x16xbf16>, tensor<1x64x2x16xbf16>) outs(%f : tensor<1x2x64x64xf32>) {
  ^bb0(%a: bf16, %c: bf16, %o: f32):
    %v = arith.extf %a : bf16 to f32
    %w = arith.extf %c : bf16 to f32
    %p = arith.mulf %v, %w : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x2x64x64xf32>
  return %r : tensor<1x2x64x64xf32>
}

// -----

// Beside it, another axis of extent 1 is dropped as ever: of heads.
// CHECK-LABEL: func.func @one_head(
// CHECK: %[[MARK:.*]] = pit.sparse {{.*}} : tensor<1x?x16xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[MARK]], %{{.*}} : tensor<1x?x16xf32>, tensor<1x?x16xf32>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x?x?xf32>)
func.func @one_head(%x: tensor<1x?x1x16xf32> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, absent = "zero"}}, %l: tensor<1xi64>, %y: tensor<1x?x1x16xf32>, %f: tensor<1x1x?x?xf32>) -> tensor<1x1x?x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, k) -> (b, i, h, k)>, affine_map<(b, h, i, j, k) -> (b, j, h, k)>, affine_map<(b, h, i, j, k) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %y : tensor<1x?x1x16xf32>, tensor<1x?x1x16xf32>) outs(%f : tensor<1x1x?x?xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x1x?x?xf32>
  return %r : tensor<1x1x?x?xf32>
}

// -----

// Of a gate's experts.
// CHECK-LABEL: func.func @one_expert(
// CHECK: %[[MARK:.*]] = pit.sparse {{.*}} : tensor<32x1xf32>
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}} : tensor<32x1x16xf32>)
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[MARK]], %{{.*}} : tensor<32x1xf32>, tensor<32x1x16xf32>)
func.func @one_expert(%g: tensor<32x1xf32> {pit.sparse = {source = "routing", from = 0 : i64, axes = array<i64: 0, 1>, absent = "zero", at_most = 1 : i64}}, %x: tensor<32x8xf32>, %w: tensor<1x8x16xf32>) -> tensor<32x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x1x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x1x16xf32>) -> tensor<32x1x16xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(t, e, n, k) -> (t, k)>, affine_map<(t, e, n, k) -> (e, k, n)>, affine_map<(t, e, n, k) -> (t, e, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<32x8xf32>, tensor<1x8x16xf32>) outs(%f : tensor<32x1x16xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<32x1x16xf32>
  %e2 = tensor.empty() : tensor<32x16xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<32x16xf32>) -> tensor<32x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(t, n, e) -> (t, e)>, affine_map<(t, n, e) -> (t, e, n)>, affine_map<(t, n, e) -> (t, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%g, %h : tensor<32x1xf32>, tensor<32x1x16xf32>) outs(%f2 : tensor<32x16xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<32x16xf32>
  return %r : tensor<32x16xf32>
}

// RUN: pit-opt %s --pit-normalize | FileCheck %s

// The gate numbers tokens: no op that shares this axis is split in batches and positions, though its operands come from there.
// CHECK-LABEL: func @gate
// CHECK: %[[X:.*]] = tensor.collapse_shape %arg0
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[X]], %arg2 :
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<32x6xf32>, tensor<32x6x8xf32>)
// CHECK: tensor.expand_shape
func.func @gate(%x: tensor<4x8x16xf32>, %g: tensor<32x6xf32>, %w: tensor<6x16x8xf32>) -> tensor<4x8x8xf32> {
  %gate = pit.sparse %g <kind = values, axes = [0, 1], at_most = 1> : tensor<32x6xf32>
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x8x16xf32> into tensor<32x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x6x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x6x8xf32>) -> tensor<32x6x8xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(t, e, f, d) -> (t, d)>, affine_map<(t, e, f, d) -> (e, d, f)>, affine_map<(t, e, f, d) -> (t, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%flat, %w : tensor<32x16xf32>, tensor<6x16x8xf32>) outs(%z : tensor<32x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<32x6x8xf32>
  %e2 = tensor.empty() : tensor<32x8xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<32x8xf32>) -> tensor<32x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, f, e) -> (t, e)>, affine_map<(t, f, e) -> (t, e, f)>, affine_map<(t, f, e) -> (t, f)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%gate, %h : tensor<32x6xf32>, tensor<32x6x8xf32>) outs(%z2 : tensor<32x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<32x8xf32>
  %r = tensor.expand_shape %y [[0, 1], [2]] output_shape [4, 8, 8] : tensor<32x8xf32> into tensor<4x8x8xf32>
  return %r : tensor<4x8x8xf32>
}

// A mark along another axis is in nobody's way, nor is an axis of extent 1 that is split off.
// CHECK-LABEL: func @other
// CHECK-NOT: tensor.collapse_shape
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]
func.func @other(%x: tensor<4x8x16xf32>, %w: tensor<16x6xf32>) -> tensor<4x8x6xf32> {
  %m = pit.sparse %w <kind = values, axes = [1]> : tensor<16x6xf32>
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x8x16xf32> into tensor<32x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x6xf32>) -> tensor<32x6xf32>
  %y = linalg.matmul ins(%flat, %m : tensor<32x16xf32>, tensor<16x6xf32>) outs(%z : tensor<32x6xf32>) -> tensor<32x6xf32>
  %r = tensor.expand_shape %y [[0, 1], [2]] output_shape [4, 8, 6] : tensor<32x6xf32> into tensor<4x8x6xf32>
  return %r : tensor<4x8x6xf32>
}

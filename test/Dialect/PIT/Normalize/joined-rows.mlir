// A gate of [batch, position] is marked on a view of rows: ops that run along its rows and its experts get one loop of rows,
// with views around all of them. Others keep their two.
// RUN: pit-opt %s --pit-normalize | FileCheck %s

#x = affine_map<(b, t, e, f, k) -> (b, t, k)>
#w = affine_map<(b, t, e, f, k) -> (e, k, f)>
#h = affine_map<(b, t, e, f, k) -> (b, t, e, f)>
#gate = affine_map<(b, t, e, f) -> (b, t, e)>
#all = affine_map<(b, t, e, f) -> (b, t, e, f)>
#swapped = affine_map<(b, t, e, f) -> (t, b, e, f)>
#y = affine_map<(b, t, d) -> (b, t, d)>

// CHECK-LABEL: @joined
// CHECK-SAME: %[[X:.*]]: tensor<4x6x16xf32>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<4x6x16xf32> into tensor<24x16xf32>
// CHECK: linalg.generic {{.*}}"parallel", "parallel", "parallel", "reduction"{{.*}} ins(%[[ROWS]], %{{.*}} : tensor<24x16xf32>, tensor<8x16x32xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<24x8x32xf32>, tensor<24x8xf32>)
// What has no experts stays as it is.
// CHECK: linalg.generic {{.*}}"parallel", "parallel", "parallel"]} ins(%[[X]] : tensor<4x6x16xf32>)
func.func @joined(%x: tensor<4x6x16xf32>, %w: tensor<8x16x32xf32>, %g: tensor<4x6x8xf32>) -> (tensor<4x6x8x32xf32>, tensor<4x6x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.collapse_shape %g [[0, 1], [2]] : tensor<4x6x8xf32> into tensor<24x8xf32>
  %mark = pit.sparse %rows <kind = values, axes = [0, 1], at_most = 1> : tensor<24x8xf32>
  %gate = tensor.expand_shape %mark [[0, 1], [2]] output_shape [4, 6, 8] : tensor<24x8xf32> into tensor<4x6x8xf32>
  %e = tensor.empty() : tensor<4x6x8x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6x8x32xf32>) -> tensor<4x6x8x32xf32>
  %up = linalg.generic {indexing_maps = [#x, #w, #h], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x6x16xf32>, tensor<8x16x32xf32>) outs(%z : tensor<4x6x8x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x6x8x32xf32>
  %gated = linalg.generic {indexing_maps = [#all, #gate, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%up, %gate : tensor<4x6x8x32xf32>, tensor<4x6x8xf32>) outs(%e : tensor<4x6x8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x6x8x32xf32>
  %ey = tensor.empty() : tensor<4x6x16xf32>
  %other = linalg.generic {indexing_maps = [#y, #y], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<4x6x16xf32>) outs(%ey : tensor<4x6x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<4x6x16xf32>
  return %gated, %other : tensor<4x6x8x32xf32>, tensor<4x6x16xf32>
}

// Where an operand has the axes in another order, the op keeps both.
// CHECK-LABEL: @exchanged
// CHECK: tensor.expand_shape
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<6x4x8x32xf32>, tensor<4x6x8xf32>)
func.func @exchanged(%x: tensor<6x4x8x32xf32>, %g: tensor<4x6x8xf32>) -> tensor<4x6x8x32xf32> {
  %rows = tensor.collapse_shape %g [[0, 1], [2]] : tensor<4x6x8xf32> into tensor<24x8xf32>
  %mark = pit.sparse %rows <kind = values, axes = [0, 1], at_most = 1> : tensor<24x8xf32>
  %gate = tensor.expand_shape %mark [[0, 1], [2]] output_shape [4, 6, 8] : tensor<24x8xf32> into tensor<4x6x8xf32>
  %e = tensor.empty() : tensor<4x6x8x32xf32>
  %gated = linalg.generic {indexing_maps = [#swapped, #gate, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %gate : tensor<6x4x8x32xf32>, tensor<4x6x8xf32>) outs(%e : tensor<4x6x8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x6x8x32xf32>
  return %gated : tensor<4x6x8x32xf32>
}

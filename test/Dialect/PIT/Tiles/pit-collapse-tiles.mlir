// RUN: pit-opt %s --pit-collapse-tiles --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s

// The columns of a projection that is split into heads are one axis; those of the bias, too.
!i = !pit.index<[64], coordinate = 0, tile = [1], width = 32>
#a = affine_map<(r, h, e, k) -> (r, k)>
#w = affine_map<(r, h, e, k) -> (h, e, k)>
#c = affine_map<(r, h, e, k) -> (r, h, e)>
#x = affine_map<(r, h, e) -> (r, h, e)>
#v = affine_map<(r, h, e) -> (h, e)>
// CHECK-LABEL: func @heads
// CHECK-DAG: %[[W:.*]] = tensor.collapse_shape %arg2 {{\[\[}}0, 1], [2]] : tensor<2x4x8xf32> into tensor<8x8xf32>
// CHECK-DAG: %[[B:.*]] = tensor.collapse_shape %arg3 {{\[\[}}0, 1]] : tensor<2x4xf32> into tensor<8xf32>
// CHECK: pit.tiled {{.*}} ins(%arg1, %[[W]], %[[B]] : tensor<64x8xf32>, tensor<8x8xf32>, tensor<8xf32>) outs(%{{.*}} : tensor<64x8xf32>)
// CHECK-NOT: expand_shape
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: iterator_types = ["parallel", "parallel"]
// CHECK: pit.yield %{{.*}} : tensor<?x8xf32>
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [64, 2, 4] : tensor<64x8xf32> into tensor<64x2x4xf32>
func.func @heads(%i: !i, %x: tensor<64x8xf32>, %w: tensor<2x4x8xf32>, %b: tensor<2x4xf32>) -> tensor<64x2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<64x2x4xf32>
  %p = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                          packed = array<i1: true, false, false, true>} over(%i : !i)
      ins(%x, %w, %b : tensor<64x8xf32>, tensor<2x4x8xf32>, tensor<2x4xf32>) outs(%e : tensor<64x2x4xf32>) {
  ^bb0(%a: tensor<?x8xf32>, %u: tensor<2x4x8xf32>, %v: tensor<2x4xf32>, %o: tensor<?x2x4xf32>):
    %d = tensor.dim %o, %c0 : tensor<?x2x4xf32>
    %s = tensor.empty(%d) : tensor<?x2x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%s : tensor<?x2x4xf32>) -> tensor<?x2x4xf32>
    %m = linalg.generic {indexing_maps = [#a, #w, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %u : tensor<?x8xf32>, tensor<2x4x8xf32>) outs(%f : tensor<?x2x4xf32>) {
    ^bb0(%y: f32, %z: f32, %acc: f32):
      %t = arith.mulf %y, %z : f32
      %n = arith.addf %acc, %t : f32
      linalg.yield %n : f32
    } -> tensor<?x2x4xf32>
    %r = linalg.generic {indexing_maps = [#x, #v, #x], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%m, %v : tensor<?x2x4xf32>, tensor<2x4xf32>) outs(%o : tensor<?x2x4xf32>) {
    ^bb0(%y: f32, %z: f32, %acc: f32):
      %n = arith.addf %y, %z : f32
      linalg.yield %n : f32
    } -> tensor<?x2x4xf32>
    pit.yield %r : tensor<?x2x4xf32>
  } -> tensor<64x2x4xf32>
  return %p : tensor<64x2x4xf32>
}

// What is told apart by one operand, here by a bias per head, stays apart for all.
#h = affine_map<(r, h, e) -> (h)>
// CHECK-LABEL: func @apart
// CHECK-NOT: collapse_shape
// CHECK: iterator_types = ["parallel", "parallel", "parallel"]
func.func @apart(%i: !i, %x: tensor<64x2x4xf32>, %b: tensor<2xf32>) -> tensor<64x2x4xf32> {
  %e = tensor.empty() : tensor<64x2x4xf32>
  %p = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: true, false, true>}
      over(%i : !i) ins(%x, %b : tensor<64x2x4xf32>, tensor<2xf32>) outs(%e : tensor<64x2x4xf32>) {
  ^bb0(%a: tensor<?x2x4xf32>, %v: tensor<2xf32>, %o: tensor<?x2x4xf32>):
    %r = linalg.generic {indexing_maps = [#x, #h, #x], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%a, %v : tensor<?x2x4xf32>, tensor<2xf32>) outs(%o : tensor<?x2x4xf32>) {
    ^bb0(%y: f32, %z: f32, %acc: f32):
      %n = arith.addf %y, %z : f32
      linalg.yield %n : f32
    } -> tensor<?x2x4xf32>
    pit.yield %r : tensor<?x2x4xf32>
  } -> tensor<64x2x4xf32>
  return %p : tensor<64x2x4xf32>
}

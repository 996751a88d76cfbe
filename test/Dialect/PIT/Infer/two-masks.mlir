// RUN: pit-opt %s --split-input-file --pit-infer-marks | FileCheck %s

// One mask in another, with the same low number: a mask of both, for a mark to stand on.
// CHECK-LABEL: func.func @same_number
// CHECK:         %[[BOTH:.*]] = linalg.generic
// CHECK:           %[[LIVE:.*]] = arith.xori %{{.*}}, %true
// CHECK:           arith.andi %[[LIVE]], %{{.*}} : i1
// CHECK:         %[[MARK:.*]] = pit.sparse %[[BOTH]] by(%[[BOTH]] : tensor<4x8x8xi1>) <kind = mask, axes = [0, 1, 2]>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[MARK]] :
// CHECK:           arith.select
// CHECK-NOT:       arith.select
// CHECK:           linalg.yield
func.func @same_number(%x: tensor<4x8x8xf32>, %later: tensor<8x8xi1>, %p: tensor<4x8xi1>) -> tensor<4x8x8xf32> {
  %e = tensor.empty() : tensor<4x8x8xf32>
  %low = arith.constant 0xFF7FFFFF : f32
  %y = linalg.generic {
      indexing_maps = [affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%later, %p, %x : tensor<8x8xi1>, tensor<4x8xi1>, tensor<4x8x8xf32>) outs(%e : tensor<4x8x8xf32>) {
  ^bb0(%l: i1, %m: i1, %a: f32, %o: f32):
    %inside = arith.select %m, %a, %low : f32
    %r = arith.select %l, %low, %inside : f32
    linalg.yield %r : f32
  } -> tensor<4x8x8xf32>
  return %y : tensor<4x8x8xf32>
}

// -----

// Other numbers stay apart: which of them is the larger one counts.
// CHECK-LABEL: func.func @other_numbers
// CHECK-COUNT-2: pit.sparse
// CHECK-NOT:     arith.andi
// CHECK-COUNT-2: arith.select
func.func @other_numbers(%x: tensor<4x8x8xf32>, %q: tensor<8x8xi1>, %p: tensor<4x8xi1>) -> tensor<4x8x8xf32> {
  %e = tensor.empty() : tensor<4x8x8xf32>
  %low = arith.constant 0xFF7FFFFF : f32
  %lower = arith.constant 0xFF800000 : f32
  %y = linalg.generic {
      indexing_maps = [affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %p, %x : tensor<8x8xi1>, tensor<4x8xi1>, tensor<4x8x8xf32>) outs(%e : tensor<4x8x8xf32>) {
  ^bb0(%l: i1, %m: i1, %a: f32, %o: f32):
    %inside = arith.select %m, %a, %lower : f32
    %r = arith.select %l, %inside, %low : f32
    linalg.yield %r : f32
  } -> tensor<4x8x8xf32>
  return %y : tensor<4x8x8xf32>
}

// -----

// An additive mask, whose two numbers are both constants.
// CHECK-LABEL: func.func @additive
// CHECK:         %[[BOTH:.*]] = linalg.generic
// CHECK:           arith.andi
// CHECK:         pit.sparse %[[BOTH]] by(%[[BOTH]] : tensor<4x8x8xi1>)
func.func @additive(%x: tensor<4x8x8xf32>, %q: tensor<8x8xi1>, %p: tensor<4x8xi1>) -> tensor<4x8x8xf32> {
  %e = tensor.empty() : tensor<4x8x8xf32>
  %low = arith.constant 0xFF7FFFFF : f32
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {
      indexing_maps = [affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %p, %x : tensor<8x8xi1>, tensor<4x8xi1>, tensor<4x8x8xf32>) outs(%e : tensor<4x8x8xf32>) {
  ^bb0(%l: i1, %m: i1, %a: f32, %o: f32):
    %both = arith.andi %l, %m : i1
    %bias = arith.select %both, %zero, %low : f32
    %r = arith.addf %a, %bias : f32
    linalg.yield %r : f32
  } -> tensor<4x8x8xf32>
  return %y : tensor<4x8x8xf32>
}

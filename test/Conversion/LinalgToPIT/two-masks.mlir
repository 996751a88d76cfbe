// RUN: pit-opt %s --pit-normalize --convert-linalg-to-pit --canonicalize --split-input-file | FileCheck %s

// Keys of the padding are left out, but not in a sequence of which a query has
// no key at all: that is what the mask of both says.

// CHECK-LABEL: func @both
// CHECK-SAME:    (%{{.*}}: tensor<4x8x16xf32>, %{{.*}}: tensor<4x16xi1>, %[[Q:.*]]: tensor<8x16xi1>)
// CHECK:         %[[BOTH:.*]] = linalg.generic {{.*}} ins(%[[Q]], %{{.*}} :
// CHECK:           arith.andi
// CHECK:         %[[KEYS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[BOTH]] :
// CHECK:           arith.ori
// CHECK:         %[[EMPTY:.*]] = linalg.generic {{.*}} ins(%[[KEYS]] :
// CHECK:           arith.xori
// CHECK:         %[[ANY:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[EMPTY]] :
// CHECK:           arith.ori
// CHECK:         %[[LISTED:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[ANY]] :
// CHECK:           arith.ori
// CHECK:         pit.detect by(%[[LISTED]] : tensor<4x16xi1>)
func.func @both(%x: tensor<4x8x16xf32>, %p: tensor<4x16xi1>, %q: tensor<8x16xi1>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8x16xf32>
  %low = arith.constant 0xFF7FFFFF : f32
  %zero = arith.constant 0.0 : f32
  %pm = pit.sparse %p by(%p : tensor<4x16xi1>) <kind = mask, axes = [0, 1]> : tensor<4x16xi1>
  %be = tensor.empty() : tensor<4x8x16xi1>
  %b = linalg.generic {
      indexing_maps = [affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %pm : tensor<8x16xi1>, tensor<4x16xi1>) outs(%be : tensor<4x8x16xi1>) {
  ^bb0(%l: i1, %m: i1, %o: i1):
    %r = arith.andi %l, %m : i1
    linalg.yield %r : i1
  } -> tensor<4x8x16xi1>
  %bm = pit.sparse %b by(%b : tensor<4x8x16xi1>) <kind = mask, axes = [0, 1, 2]> {__completes} : tensor<4x8x16xi1>
  %s = linalg.generic {
      indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%bm, %x : tensor<4x8x16xi1>, tensor<4x8x16xf32>) outs(%e : tensor<4x8x16xf32>) {
  ^bb0(%m: i1, %a: f32, %o: f32):
    %r = arith.select %m, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<4x8x16xf32>
  %w = linalg.softmax dimension(2) ins(%s : tensor<4x8x16xf32>) outs(%e : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %ye = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.reduce { arith.addf } ins(%w : tensor<4x8x16xf32>) outs(%f : tensor<4x8xf32>) dimensions = [2]
  return %y : tensor<4x8xf32>
}

// -----

// Nothing says which lines two masks leave empty together: the maximum reads low numbers as they are.

// CHECK-LABEL: func @apart
// CHECK:         linalg.generic
// CHECK:           arith.maxnumf
// CHECK:         linalg.generic
// CHECK:           math.exp
// CHECK-NOT:     pit.generic
func.func @apart(%x: tensor<8x16xf32>, %p: tensor<16xi1>, %q: tensor<8x16xi1>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %low = arith.constant 0xFF7FFFFF : f32
  %zero = arith.constant 0.0 : f32
  %pm = pit.sparse %p by(%p : tensor<16xi1>) <kind = mask, axes = [0]> : tensor<16xi1>
  %qm = pit.sparse %q by(%q : tensor<8x16xi1>) <kind = mask, axes = [0, 1]> : tensor<8x16xi1>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%qm, %pm, %x : tensor<8x16xi1>, tensor<16xi1>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%l: i1, %m: i1, %a: f32, %o: f32):
    %first = arith.select %l, %zero, %low : f32
    %second = arith.select %m, %zero, %low : f32
    %bias = arith.addf %first, %second : f32
    %r = arith.addf %a, %bias : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %y = linalg.softmax dimension(1) ins(%s : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

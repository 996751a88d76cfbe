// RUN: pit-opt %s --pit-collapse-products --split-input-file | FileCheck %s

// A linear layer with two axes of rows, and what is elementwise behind it: the
// reshape moves behind all of it, and what was filled has two axes.
#rows = affine_map<(b, m, n, k) -> (b, m, k)>
#weights = affine_map<(b, m, n, k) -> (k, n)>
#sums = affine_map<(b, m, n, k) -> (b, m, n)>
#id = affine_map<(b, m, n) -> (b, m, n)>
#bias = affine_map<(b, m, n) -> (n)>
#scale = affine_map<(b, m, n) -> (b, m)>
// CHECK-LABEL: func @linear(
// CHECK-SAME: %[[X:.*]]: tensor<?x64x48xbf16>, %[[W:.*]]: tensor<48x96xbf16>, %[[BIAS:.*]]: tensor<96xf32>, %[[SCALE:.*]]: tensor<?x64xf32>)
// CHECK-DAG: %[[A:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]] : tensor<?x64x48xbf16> into tensor<?x48xbf16>
// CHECK-DAG: %[[ZEROS:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<?x96xf32>)
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[A]], %[[W]] : tensor<?x48xbf16>, tensor<48x96xbf16>) outs(%[[ZEROS]] : tensor<?x96xf32>)
// CHECK: %[[S:.*]] = tensor.collapse_shape %[[SCALE]] {{\[}}[0, 1]] : tensor<?x64xf32> into tensor<?xf32>
// CHECK: %[[Y:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[SUMS]], %[[BIAS]], %[[S]] :
// CHECK-SAME: outs(%{{.*}} : tensor<?x96xbf16>)
// CHECK: %[[EXPANDED:.*]] = tensor.expand_shape %[[Y]] {{\[}}[0, 1], [2]]
// CHECK-NEXT: return %[[EXPANDED]] : tensor<?x64x96xbf16>
func.func @linear(%x: tensor<?x64x48xbf16>, %w: tensor<48x96xbf16>, %b: tensor<96xf32>, %g: tensor<?x64xf32>) -> tensor<?x64x96xbf16> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x64x48xbf16>
  %e = tensor.empty(%d) : tensor<?x64x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64x96xf32>) -> tensor<?x64x96xf32>
  %s = linalg.generic {indexing_maps = [#rows, #weights, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x64x48xbf16>, tensor<48x96xbf16>) outs(%z : tensor<?x64x96xf32>) {
  ^bb0(%a: bf16, %c: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %cf = arith.extf %c : bf16 to f32
    %p = arith.mulf %af, %cf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x64x96xf32>
  %f = tensor.empty(%d) : tensor<?x64x96xbf16>
  %r = linalg.generic {indexing_maps = [#id, #bias, #scale, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %b, %g : tensor<?x64x96xf32>, tensor<96xf32>, tensor<?x64xf32>) outs(%f : tensor<?x64x96xbf16>) {
  ^bb0(%v: f32, %c: f32, %h: f32, %o: bf16):
    %u = arith.addf %v, %c : f32
    %w2 = arith.mulf %u, %h : f32
    %t = arith.truncf %w2 : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x64x96xbf16>
  return %r : tensor<?x64x96xbf16>
}

// -----

// Columns that are split into heads, and a sum over heads and what is in them.
// CHECK-LABEL: func @heads(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<10x48xf32>, tensor<48x96xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<10x96xf32>, tensor<96x48xf32>)
func.func @heads(%x: tensor<10x48xf32>, %w: tensor<48x6x16xf32>, %v: tensor<6x16x48xf32>, %y: tensor<10x6x16xf32>, %z: tensor<10x48xf32>) -> tensor<10x48xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(m, h, d, k) -> (m, k)>, affine_map<(m, h, d, k) -> (k, h, d)>, affine_map<(m, h, d, k) -> (m, h, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<10x48xf32>, tensor<48x6x16xf32>) outs(%y : tensor<10x6x16xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<10x6x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, h, d) -> (m, h, d)>, affine_map<(m, n, h, d) -> (h, d, n)>, affine_map<(m, n, h, d) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%s, %v : tensor<10x6x16xf32>, tensor<6x16x48xf32>) outs(%z : tensor<10x48xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<10x48xf32>
  return %r : tensor<10x48xf32>
}

// -----

// Axes that are not side by side in all operands, and batches, stay.
// CHECK-LABEL: func @apart(
// CHECK-NOT: collapse_shape
// CHECK-COUNT-2: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK-NOT: collapse_shape
func.func @apart(%x: tensor<8x10x48xf32>, %w: tensor<48x96xf32>, %y: tensor<10x8x96xf32>, %u: tensor<8x48x96xf32>, %v: tensor<8x10x96xf32>) -> (tensor<10x8x96xf32>, tensor<8x10x96xf32>) {
  %s = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (m, b, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x10x48xf32>, tensor<48x96xf32>) outs(%y : tensor<10x8x96xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<10x8x96xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %u : tensor<8x10x48xf32>, tensor<8x48x96xf32>) outs(%v : tensor<8x10x96xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<8x10x96xf32>
  return %s, %r : tensor<10x8x96xf32>, tensor<8x10x96xf32>
}

// -----

// Of a convolution, whose input is read at sums of loops, nothing is merged.
// CHECK-LABEL: func @convolution(
// CHECK-NOT: collapse_shape
func.func @convolution(%x: tensor<7x9x4x7xf32>, %w: tensor<4x3x7x9xf32>, %y: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(a, b, i, j, c, d) -> (a, b, i * 2 + c, j * 2 + d)>, affine_map<(a, b, i, j, c, d) -> (c, d, a, b)>,
                                        affine_map<(a, b, i, j, c, d) -> (i, j)>],
      iterator_types = ["reduction", "reduction", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<7x9x4x7xf32>, tensor<4x3x7x9xf32>) outs(%y : tensor<1x3xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x3xf32>
  return %s : tensor<1x3xf32>
}

// -----

// A norm with two axes of rows: what is elementwise before the sum and behind it has one, as the sum has.
#all = affine_map<(b, m, n) -> (b, m, n)>
#row = affine_map<(b, m, n) -> (b, m)>
// CHECK-LABEL: func @norm(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<?x48xbf16>) outs(%{{.*}} : tensor<?x48xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<?x48xf32>) outs(%{{.*}} : tensor<?xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%{{.*}}, %{{.*}} : tensor<?x48xf32>, tensor<?xf32>)
// CHECK-NEXT: ^bb0
// CHECK: %[[BACK:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2]]
// CHECK-NEXT: return %[[BACK]]
func.func @norm(%x: tensor<?x64x48xbf16>, %z: tensor<?x64xf32>, %e: tensor<?x64x48xf32>) -> tensor<?x64x48xf32> {
  %w = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x64x48xbf16>) outs(%e : tensor<?x64x48xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %u = arith.extf %a : bf16 to f32
    linalg.yield %u : f32
  } -> tensor<?x64x48xf32>
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w : tensor<?x64x48xf32>) outs(%z : tensor<?x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %u = arith.addf %a, %o : f32
    linalg.yield %u : f32
  } -> tensor<?x64xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<?x64x48xf32>, tensor<?x64xf32>) outs(%e : tensor<?x64x48xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %u = arith.divf %a, %t : f32
    linalg.yield %u : f32
  } -> tensor<?x64x48xf32>
  return %r : tensor<?x64x48xf32>
}

// -----

// What is reduced over does not lie in one piece, and neither do the rows: nothing changes.
#apart = affine_map<(b, m, n) -> (b, m, n)>
#between = affine_map<(b, m, n) -> (m)>
// CHECK-LABEL: func @apart(
// CHECK-NOT: collapse_shape
// CHECK: iterator_types = ["reduction", "parallel", "reduction"]
// CHECK-NOT: collapse_shape
func.func @apart(%x: tensor<4x64x48xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  %s = linalg.generic {indexing_maps = [#apart, #between], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : tensor<4x64x48xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %u = arith.addf %a, %o : f32
    linalg.yield %u : f32
  } -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// -----

#id = affine_map<(b, s, j) -> (b, s, j)>
#one = affine_map<(b, s, j) -> (b, s)>

// An arg-max asks for the index of what it reduces over, which is not merged. One that asks for its row's stays.
// CHECK-LABEL: func @places(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
// CHECK: linalg.index 1
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: linalg.index 1
func.func @places(%x: tensor<4x3x8xf32>, %top: tensor<4x3xf32>, %place: tensor<4x3xi64>) -> (tensor<4x3xi64>, tensor<4x3xi64>) {
  %t:2 = linalg.generic {indexing_maps = [#id, #one, #one], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x3x8xf32>) outs(%top, %place : tensor<4x3xf32>, tensor<4x3xi64>) {
  ^bb0(%l: f32, %acc: f32, %at: i64):
    %i = linalg.index 2 : index
    %n = arith.index_cast %i : index to i64
    %m = arith.maximumf %l, %acc : f32
    %is = arith.cmpf ogt, %l, %acc : f32
    %p = arith.select %is, %n, %at : i64
    linalg.yield %m, %p : f32, i64
  } -> (tensor<4x3xf32>, tensor<4x3xi64>)
  %u:2 = linalg.generic {indexing_maps = [#id, #one, #one], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x3x8xf32>) outs(%top, %place : tensor<4x3xf32>, tensor<4x3xi64>) {
  ^bb0(%l: f32, %acc: f32, %at: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %m = arith.maximumf %l, %acc : f32
    %is = arith.cmpf ogt, %l, %acc : f32
    %p = arith.select %is, %n, %at : i64
    linalg.yield %m, %p : f32, i64
  } -> (tensor<4x3xf32>, tensor<4x3xi64>)
  return %t#1, %u#1 : tensor<4x3xi64>, tensor<4x3xi64>
}

// RUN: pit-opt %s --pit-widen-sums --split-input-file | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @product(
// CHECK-SAME: %[[A:.*]]: tensor<?x48xbf16>, %[[B:.*]]: tensor<48x96xbf16>, %[[C:.*]]: tensor<?x96xbf16>)
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<?x96xf32>)
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<?x48xbf16>, tensor<48x96xbf16>) outs(%[[ZEROS]] : tensor<?x96xf32>) attrs = {some.note}
// CHECK: extf
// CHECK: extf
// CHECK: %[[PRODUCT:.*]] = arith.mulf {{.*}} : f32
// CHECK: arith.addf %{{.*}}, %[[PRODUCT]] : f32
// CHECK: %[[ROUNDED:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<?x96xf32>) outs(%{{.*}} : tensor<?x96xbf16>)
// CHECK: truncf {{.*}} : f32 to bf16
// CHECK: return %[[ROUNDED]]
func.func @product(%x: tensor<?x48xbf16>, %w: tensor<48x96xbf16>, %e: tensor<?x96xbf16>) -> tensor<?x96xbf16> {
  %zero = arith.constant 0.0 : bf16
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<?x96xbf16>) -> tensor<?x96xbf16>
  %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x48xbf16>, tensor<48x96xbf16>) outs(%z : tensor<?x96xbf16>) attrs = {some.note} {
  ^bb0(%l: bf16, %r: bf16, %o: bf16):
    %p = arith.mulf %l, %r : bf16
    %q = arith.addf %o, %p : bf16
    linalg.yield %q : bf16
  } -> tensor<?x96xbf16>
  return %s : tensor<?x96xbf16>
}

// -----

// What a sum starts from is widened.
// CHECK-LABEL: func @accumulates(
// CHECK-SAME: %[[C:[a-z0-9]*]]: tensor<4x6xf16>)
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<4x6xf16>) outs(%{{.*}} : tensor<4x6xf32>)
// CHECK: extf {{.*}} : f16 to f32
// CHECK: outs(%[[START]] : tensor<4x6xf32>)
func.func @accumulates(%x: tensor<4x8xf16>, %w: tensor<8x6xf16>, %c: tensor<4x6xf16>) -> tensor<4x6xf16> {
  %s = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xf16>, tensor<8x6xf16>) outs(%c : tensor<4x6xf16>) {
  ^bb0(%l: f16, %r: f16, %o: f16):
    %p = arith.mulf %l, %r : f16
    %q = arith.addf %p, %o : f16
    linalg.yield %q : f16
  } -> tensor<4x6xf16>
  return %s : tensor<4x6xf16>
}

// -----

// Sums of something else, of other types, and the greatest instead of a sum.
// CHECK-LABEL: func @others(
// CHECK-NOT: extf
func.func @others(%x: tensor<4x8xf16>, %w: tensor<8x6xf16>, %c: tensor<4x6xf16>, %r: tensor<4xf16>, %y: tensor<4x8xf32>, %v: tensor<8x6xf32>, %d: tensor<4x6xf32>)
    -> (tensor<4x6xf16>, tensor<4xf16>, tensor<4x6xf32>) {
  %s = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xf16>, tensor<8x6xf16>) outs(%c : tensor<4x6xf16>) {
  ^bb0(%l: f16, %h: f16, %o: f16):
    %p = arith.mulf %l, %h : f16
    %q = arith.maximumf %o, %p : f16
    linalg.yield %q : f16
  } -> tensor<4x6xf16>
  %t = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf16>) outs(%r : tensor<4xf16>) {
  ^bb0(%l: f16, %o: f16):
    %q = arith.addf %o, %l : f16
    linalg.yield %q : f16
  } -> tensor<4xf16>
  %u = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %v : tensor<4x8xf32>, tensor<8x6xf32>) outs(%d : tensor<4x6xf32>) {
  ^bb0(%l: f32, %h: f32, %o: f32):
    %p = arith.mulf %l, %h : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x6xf32>
  return %s, %t, %u : tensor<4x6xf16>, tensor<4xf16>, tensor<4x6xf32>
}

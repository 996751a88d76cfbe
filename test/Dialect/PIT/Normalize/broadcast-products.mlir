// A contraction that is written as a product of broadcast tensors and a sum over it.
// RUN: pit-opt %s --split-input-file --pit-normalize | FileCheck %s

// What a factor is computed of stays an op of its own, before the product of all its elements with all others.
// CHECK-LABEL: func.func @contraction
// CHECK:         linalg.generic
// CHECK:           arith.maximumf
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:           arith.mulf
// CHECK-NEXT:      arith.addf
// CHECK-NOT:     linalg.generic
func.func @contraction(%a: tensor<4x64xf32>, %b: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : tensor<4x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x64xf32>) outs(%re : tensor<4x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<4x64xf32>
  %pe = tensor.empty() : tensor<8x64x4xf32>
  %p = linalg.generic {
      indexing_maps = [affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (k, n)>, affine_map<(n, k, m) -> (n, k, m)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %b : tensor<4x64xf32>, tensor<64x8xf32>) outs(%pe : tensor<8x64x4xf32>) {
  ^bb0(%x: f32, %w: f32, %o: f32):
    %y = arith.mulf %x, %w : f32
    linalg.yield %y : f32
  } -> tensor<8x64x4xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (n, k, m)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p : tensor<8x64x4xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// -----

// Summed over an axis that one factor has not, or read by others, too: no contraction.
// CHECK-LABEL: func.func @no_contraction
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]
// CHECK:           arith.mulf
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:           arith.addf
func.func @no_contraction(%a: tensor<4x64xf32>, %b: tensor<64x8xf32>) -> (tensor<64x4xf32>, tensor<8x64x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<8x64x4xf32>
  %p = linalg.generic {
      indexing_maps = [affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (k, n)>, affine_map<(n, k, m) -> (n, k, m)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b : tensor<4x64xf32>, tensor<64x8xf32>) outs(%pe : tensor<8x64x4xf32>) {
  ^bb0(%x: f32, %w: f32, %o: f32):
    %y = arith.mulf %x, %w : f32
    linalg.yield %y : f32
  } -> tensor<8x64x4xf32>
  %e = tensor.empty() : tensor<64x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x4xf32>) -> tensor<64x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(k, m, n) -> (n, k, m)>, affine_map<(k, m, n) -> (k, m)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p : tensor<8x64x4xf32>) outs(%f : tensor<64x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<64x4xf32>
  return %s, %p : tensor<64x4xf32>, tensor<8x64x4xf32>
}

// RUN: pit-opt %s --pit-propagate-sparsity | FileCheck %s
// RUN: pit-opt %s --pit-propagate-sparsity="finite=false" | FileCheck %s --check-prefix=IEEE

#row = affine_map<(i, j) -> (i, j)>
#bias = affine_map<(i, j) -> (j)>
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>

// Zero rows stay zero through a product, become the bias behind it, and the pattern goes on.
// CHECK-LABEL: func @linear
// IEEE-LABEL: func @linear
func.func @linear(%x: tensor<4x8xf32>, %m: tensor<4xi1>, %w: tensor<8x6xf32>, %v: tensor<6xf32>) -> tensor<4x6xf32> {
  %s = pit.sparse %x by(%m : tensor<4xi1>) <kind = mask, axes = [0]> : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: pit.facts = ["pattern 0 on dims [0]: fixed(0.000000e+00)"], pit.restricted = "pattern 0 on axes [0]: dead-result"
  // IEEE: pit.facts = ["pattern 0 on dims [0]: fixed(invariant)"]
  %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %0 = arith.mulf %l, %r : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x6xf32>
  // CHECK: pit.facts = ["pattern 0 on dims [0]: fixed(invariant)"]
  %q = linalg.generic {indexing_maps = [#row, #bias, #row], iterator_types = ["parallel", "parallel"]}
      ins(%p, %v : tensor<4x6xf32>, tensor<6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %0 = arith.addf %l, %r : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  return %q : tensor<4x6xf32>
}

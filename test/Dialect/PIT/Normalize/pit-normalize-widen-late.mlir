// RUN: pit-opt %s --pit-normalize | FileCheck %s

// What readers can widen themselves is stored narrow; what is returned stays as wide as it was.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @widen
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK: %[[ADDED:.*]] = arith.addf
// CHECK: %[[NARROW:.*]] = arith.truncf %[[ADDED]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[NARROW]] : bf16
// CHECK: -> tensor<4x8xbf16>
// CHECK: linalg.generic {{.*}} ins(%[[SUM]] : tensor<4x8xbf16>) outs(%{{.*}} : tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: bf16, %{{.*}}: f32):
// CHECK-NEXT: arith.extf %[[IN]] : bf16 to f32
func.func @widen(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    %n = arith.truncf %t : f32 to bf16
    %w = arith.extf %n : bf16 to f32
    linalg.yield %w : f32
  } -> tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %r : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  return %r, %q : tensor<4xf32>, tensor<4x8xf32>
}

// What exporters write of a linear layer in 16 bits: both factors widened, a product of f32. The product widens them
// itself, also where the rows are read elsewhere.
// CHECK-LABEL: func @widened_factors
// CHECK-SAME: %[[X:.*]]: tensor<4x8xbf16>, %[[W:.*]]: tensor<16x8xbf16>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<4x8xbf16>, tensor<16x8xbf16>) outs(%{{.*}} : tensor<4x16xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %{{.*}}: f32):
// CHECK-DAG: arith.extf %[[A]] : bf16 to f32
// CHECK-DAG: arith.extf %[[B]] : bf16 to f32
func.func @widened_factors(%x: tensor<4x8xbf16>, %w: tensor<16x8xbf16>) -> (tensor<4x16xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xbf16>) outs(%e0 : tensor<4x8xf32>) {
  ^bb0(%in: bf16, %o: f32):
    %t = arith.extf %in : bf16 to f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<8x16xbf16>
  %wt = linalg.transpose ins(%w : tensor<16x8xbf16>) outs(%e1 : tensor<8x16xbf16>) permutation = [1, 0]
  %e2 = tensor.empty() : tensor<8x16xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%wt : tensor<8x16xbf16>) outs(%e2 : tensor<8x16xf32>) {
  ^bb0(%in: bf16, %o: f32):
    %t = arith.extf %in : bf16 to f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  %e3 = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %c, %a : tensor<4x16xf32>, tensor<4x8xf32>
}

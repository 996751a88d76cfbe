// A view of [batch, position] as tokens stays outside where a mark lies along tokens, and goes into ops where none does.
// RUN: pit-opt %s --pit-normalize | FileCheck %s

#row = affine_map<(m, n) -> (m)>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @marked
// CHECK: %[[V:.*]] = tensor.collapse_shape
// CHECK: linalg.generic {{.*}} ins(%[[V]]
// CHECK-NOT: tensor<4x128x64xf32>
// CHECK: return
func.func @marked(%x: tensor<4x128x64xf32>, %g: tensor<512xf32>, %w: tensor<64x64xf32>) -> tensor<512x64xf32> {
  %gate = pit.sparse %g <kind = values, axes = [0], at_most = 256> : tensor<512xf32>
  %r = call @experts(%x, %gate, %w) : (tensor<4x128x64xf32>, tensor<512xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %c0 = arith.constant 0.0 : f32
  %v = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x128x64xf32> into tensor<512x64xf32>
  %e = tensor.empty() : tensor<512x64xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %p = linalg.matmul ins(%v, %w : tensor<512x64xf32>, tensor<64x64xf32>) outs(%z : tensor<512x64xf32>) -> tensor<512x64xf32>
  %m = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%gate, %p : tensor<512xf32>, tensor<512x64xf32>) outs(%r : tensor<512x64xf32>) {
  ^bb0(%a: f32, %h: f32, %o: f32):
    %y = arith.mulf %a, %h : f32
    linalg.yield %y : f32
  } -> tensor<512x64xf32>
  return %m : tensor<512x64xf32>
}
func.func private @experts(tensor<4x128x64xf32>, tensor<512xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>

// CHECK-LABEL: func.func @unmarked
// CHECK-NOT: tensor.collapse_shape %arg0
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<4x128x64xf32>
func.func @unmarked(%x: tensor<4x128x64xf32>, %w: tensor<64x64xf32>) -> tensor<512x64xf32> {
  %c0 = arith.constant 0.0 : f32
  %v = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x128x64xf32> into tensor<512x64xf32>
  %e = tensor.empty() : tensor<512x64xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %p = linalg.matmul ins(%v, %w : tensor<512x64xf32>, tensor<64x64xf32>) outs(%z : tensor<512x64xf32>) -> tensor<512x64xf32>
  return %p : tensor<512x64xf32>
}

// The same computation in other forms has the same axes: named, generalised, as a category op;
// an interchange of the loops interchanges them.
// RUN: pit-opt %s --pit-annotate-axes 2>/dev/null | FileCheck %s
// RUN: pit-opt %s --linalg-generalize-named-ops --pit-annotate-axes 2>/dev/null | FileCheck %s
// RUN: pit-opt %s --linalg-morph-ops=named-to-category --pit-annotate-axes 2>/dev/null | FileCheck %s

// CHECK-LABEL: func @matmul
// CHECK: pit.axes = ["parallel", "parallel", "reduction"]
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// CHECK-LABEL: func @matmul_transposed
// CHECK: pit.axes = ["parallel", "parallel", "reduction"]
func.func @matmul_transposed(%a: tensor<4x8xf32>, %b: tensor<6x8xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<4x8xf32>, tensor<6x8xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// CHECK-LABEL: func @batch_matmul
// CHECK: pit.axes = ["parallel", "parallel", "parallel", "reduction"]
func.func @batch_matmul(%a: tensor<2x4x8xf32>, %b: tensor<2x8x6xf32>, %c: tensor<2x4x6xf32>) -> tensor<2x4x6xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x4x8xf32>, tensor<2x8x6xf32>) outs(%c : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %0 : tensor<2x4x6xf32>
}

// CHECK-LABEL: func @matvec
// CHECK: pit.axes = ["parallel", "reduction"]
func.func @matvec(%a: tensor<4x8xf32>, %x: tensor<8xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.matvec ins(%a, %x : tensor<4x8xf32>, tensor<8xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// n, c out, c in are free; the window and the positions are not.
// CHECK-LABEL: func @conv_nhwc
// CHECK: pit.axes = ["parallel", "refused: input #0 is indexed by 'd1 + d4', which is derived from the axis", "refused: input #0 is indexed by 'd2 + d5', which is derived from the axis", "parallel", "refused: input #0 is indexed by 'd1 + d4', which is derived from the axis", "refused: input #0 is indexed by 'd2 + d5', which is derived from the axis", "reduction"]
func.func @conv_nhwc(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x16xf32>, %y: tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) outs(%y : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  return %0 : tensor<1x6x6x16xf32>
}

// A channel of a depthwise convolution is a parallel axis of all operands.
// CHECK-LABEL: func @depthwise
// CHECK: pit.axes = ["parallel", "refused: {{[^"]*}}", "refused: {{[^"]*}}", "parallel", "refused: {{[^"]*}}", "refused: {{[^"]*}}"]
func.func @depthwise(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3xf32>, %y: tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x8x8x3xf32>, tensor<3x3x3xf32>) outs(%y : tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32>
  return %0 : tensor<1x6x6x3xf32>
}

// CHECK-LABEL: func @add
// CHECK: pit.axes = ["parallel", "parallel"]
func.func @add(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.add ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @transpose
// CHECK: pit.axes = ["parallel", "parallel"]
func.func @transpose(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%b : tensor<8x4xf32>) permutation = [1, 0]
  return %0 : tensor<8x4xf32>
}

// The loops of @matmul as k, n, m.
// CHECK-LABEL: func @matmul_interchanged
// CHECK: pit.axes = ["reduction", "parallel", "parallel"]
func.func @matmul_interchanged(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(k, n, m) -> (m, k)>, affine_map<(k, n, m) -> (k, n)>, affine_map<(k, n, m) -> (m, n)>],
      iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) attrs = {keep = "generic"} {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// The loops of @conv_nhwc in another order: window first, channels last.
// CHECK-LABEL: func @conv_interchanged
// CHECK: pit.axes = ["refused: input #0 is indexed by 'd0 + d5', which is derived from the axis", "refused: input #0 is indexed by 'd1 + d6', which is derived from the axis", "reduction", "parallel", "parallel", "refused: {{[^"]*}}", "refused: {{[^"]*}}"]
func.func @conv_interchanged(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x16xf32>, %y: tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, c, n, f, h, w) -> (n, h + i, w + j, c)>, affine_map<(i, j, c, n, f, h, w) -> (i, j, c, f)>,
                       affine_map<(i, j, c, n, f, h, w) -> (n, h, w, f)>],
      iterator_types = ["reduction", "reduction", "reduction", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %w : tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) outs(%y : tensor<1x6x6x16xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x6x6x16xf32>
  return %0 : tensor<1x6x6x16xf32>
}

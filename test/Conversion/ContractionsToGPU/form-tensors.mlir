// A contraction on tensors and what its kernel can compute besides are one op, found by uses of values.
// RUN: pit-opt %s --pit-form-kernels -split-input-file | FileCheck %s

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func @bias_relu(
// CHECK-SAME: %[[X:.*]]: tensor<512x256xbf16>, %[[W:.*]]: tensor<256x128xbf16>, %[[B:.*]]: tensor<128xf32>)
// CHECK: %[[C:.*]] = tensor.empty() : tensor<512x128xbf16>
// CHECK: %[[R:.*]] = pit.contract dense ins(%[[X]], %[[W]] : {{.*}}) with(%[[B]] : tensor<128xf32>) outs(%[[C]] : tensor<512x128xbf16>) {{.*}} epilogue {
// CHECK: ^bb0(%[[S:.*]]: f32, %[[B0:.*]]: f32):
// CHECK: %[[SUM:.*]] = arith.addf %[[S]], %[[B0]] {{.*}}: f32
// CHECK: %[[RELU:.*]] = arith.maximumf %[[SUM]], %{{.*}} : f32
// CHECK: pit.yield %[[RELU]] : f32
// CHECK-NOT: linalg
// CHECK: return %[[R]]
func.func @bias_relu(%x: tensor<512x256xbf16>, %w: tensor<256x128xbf16>, %b: tensor<128xf32>) -> tensor<512x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<512x128xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<512x128xf32>) -> tensor<512x128xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<512x256xbf16>, tensor<256x128xbf16>) outs(%1 : tensor<512x128xf32>) -> tensor<512x128xf32>
  %3 = tensor.empty() : tensor<512x128xbf16>
  %4 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%2, %b : tensor<512x128xf32>, tensor<128xf32>) outs(%3 : tensor<512x128xbf16>) {
  ^bb0(%s: f32, %c: f32, %o: bf16):
    %5 = arith.addf %s, %c : f32
    %6 = arith.maximumf %5, %zero : f32
    %7 = arith.truncf %6 : f32 to bf16
    linalg.yield %7 : bf16
  } -> tensor<512x128xbf16>
  return %4 : tensor<512x128xbf16>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// Two products with the same A, one elementwise op behind both: a gated activation.
// CHECK-LABEL: func @gated(
// CHECK-SAME: %[[X:.*]]: tensor<512x256xbf16>, %[[G:.*]]: tensor<256x128xbf16>, %[[U:.*]]: tensor<256x128xbf16>)
// CHECK: pit.contract dense ins(%[[X]], %[[G]] : {{.*}}) second(%[[U]] : tensor<256x128xbf16>) outs({{.*}}) {{.*}} epilogue {
// CHECK: ^bb0(%[[GATE:.*]]: f32, %[[UP:.*]]: f32):
// CHECK: %[[RELU:.*]] = arith.maximumf %[[GATE]], %{{.*}} : f32
// CHECK: arith.mulf %[[RELU]], %[[UP]] {{.*}}: f32
// CHECK-NOT: linalg.matmul
// CHECK: return
func.func @gated(%x: tensor<512x256xbf16>, %g: tensor<256x128xbf16>, %u: tensor<256x128xbf16>) -> tensor<512x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<512x128xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<512x128xf32>) -> tensor<512x128xf32>
  %gate = linalg.matmul ins(%x, %g : tensor<512x256xbf16>, tensor<256x128xbf16>) outs(%1 : tensor<512x128xf32>) -> tensor<512x128xf32>
  %up = linalg.matmul ins(%x, %u : tensor<512x256xbf16>, tensor<256x128xbf16>) outs(%1 : tensor<512x128xf32>) -> tensor<512x128xf32>
  %3 = tensor.empty() : tensor<512x128xbf16>
  %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%gate, %up : tensor<512x128xf32>, tensor<512x128xf32>) outs(%3 : tensor<512x128xbf16>) {
  ^bb0(%s: f32, %c: f32, %o: bf16):
    %5 = arith.maximumf %s, %zero : f32
    %6 = arith.mulf %5, %c : f32
    %7 = arith.truncf %6 : f32 to bf16
    linalg.yield %7 : bf16
  } -> tensor<512x128xbf16>
  return %4 : tensor<512x128xbf16>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// Whoever else reads the sums keeps them: elementwise work stays behind the kernel.
// CHECK-LABEL: func @read_twice(
// CHECK: %[[SUMS:.*]] = pit.contract dense ins({{.*}}) outs(%{{.*}} : tensor<512x128xf32>)
// CHECK-NOT: epilogue
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<512x128xf32>)
// CHECK: return %[[C]], %[[SUMS]]
func.func @read_twice(%x: tensor<512x256xbf16>, %w: tensor<256x128xbf16>) -> (tensor<512x128xbf16>, tensor<512x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<512x128xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<512x128xf32>) -> tensor<512x128xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<512x256xbf16>, tensor<256x128xbf16>) outs(%1 : tensor<512x128xf32>) -> tensor<512x128xf32>
  %3 = tensor.empty() : tensor<512x128xbf16>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<512x128xf32>) outs(%3 : tensor<512x128xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %7 = arith.truncf %s : f32 to bf16
    linalg.yield %7 : bf16
  } -> tensor<512x128xbf16>
  return %4, %2 : tensor<512x128xbf16>, tensor<512x128xf32>
}

// -----

// Sums that start from something else are no contraction of a kernel.
// CHECK-LABEL: func @accumulates(
// CHECK-NOT: pit.contract
// CHECK: linalg.matmul
func.func @accumulates(%x: tensor<512x256xbf16>, %w: tensor<256x128xbf16>, %c: tensor<512x128xf32>) -> tensor<512x128xf32> {
  %2 = linalg.matmul ins(%x, %w : tensor<512x256xbf16>, tensor<256x128xbf16>) outs(%c : tensor<512x128xf32>) -> tensor<512x128xf32>
  return %2 : tensor<512x128xf32>
}

// On tensors, a plan is kept, and nothing is planned or checked against the chip yet.
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_80 | FileCheck %s

// CHECK-LABEL: func.func @planned
// CHECK: plan <engine = mma_sync, tile = [128, 256], warps = 8, stages = 8>
func.func @planned(%q: tensor<64x2x128xbf16>, %offsets: tensor<5xi64>) -> tensor<64x2x128xbf16> {
  %r = pit.attend_sequences %q, %q, %q sequences(%offsets : tensor<5xi64>) outs(%q)
    plan <engine = mma_sync, tile = [128, 256], warps = 8, stages = 8> {extent = 16 : i64, scale = 0.25 : f32}
    : tensor<64x2x128xbf16>, tensor<64x2x128xbf16>, tensor<64x2x128xbf16>, tensor<64x2x128xbf16> -> tensor<64x2x128xbf16>
  return %r : tensor<64x2x128xbf16>
}

// CHECK-LABEL: func.func @unplanned
// CHECK: outs(%{{.*}}) {extent
func.func @unplanned(%q: tensor<64x2x128xbf16>, %offsets: tensor<5xi64>) -> tensor<64x2x128xbf16> {
  %r = pit.attend_sequences %q, %q, %q sequences(%offsets : tensor<5xi64>) outs(%q) {extent = 16 : i64, scale = 0.25 : f32}
    : tensor<64x2x128xbf16>, tensor<64x2x128xbf16>, tensor<64x2x128xbf16>, tensor<64x2x128xbf16> -> tensor<64x2x128xbf16>
  return %r : tensor<64x2x128xbf16>
}

// RUN: pit-opt %s | pit-opt | FileCheck %s
// RUN: pit-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: func @attend
// CHECK: pit.attend_sequences %arg0, %arg1, %arg2 sequences(%arg3 : tensor<5xi64>) outs(%arg4) {extent = 16 : i64, rounds_scores, scale = 2.500000e-01 : f32}
// BUFFERS-LABEL: func @attend
// BUFFERS: pit.attend_sequences %{{.*}} sequences(%{{.*}} : memref<5xi64>) outs(%[[OUT:.*]]) {extent = 16 : i64, rounds_scores, scale = 2.500000e-01 : f32} : memref<64x2x32xbf16>, memref<64x2x32xbf16>, memref<64x2x32xbf16>, memref<64x2x32xbf16>
// BUFFERS-NEXT: return %[[OUT]]
func.func @attend(%q: tensor<64x2x32xbf16>, %k: tensor<64x2x32xbf16>, %v: tensor<64x2x32xbf16>, %offsets: tensor<5xi64>,
                  %o: tensor<64x2x32xbf16>) -> tensor<64x2x32xbf16> {
  %r = pit.attend_sequences %q, %k, %v sequences(%offsets : tensor<5xi64>) outs(%o) {extent = 16 : i64, rounds_scores, scale = 0.25 : f32}
    : tensor<64x2x32xbf16>, tensor<64x2x32xbf16>, tensor<64x2x32xbf16>, tensor<64x2x32xbf16> -> tensor<64x2x32xbf16>
  return %r : tensor<64x2x32xbf16>
}

// CHECK-LABEL: func @causal
// CHECK: pit.attend_sequences %arg0, %arg1, %arg2 sequences(%arg3 : tensor<5xi64>) outs(%arg4) {causal, extent = 16 : i64, scale = 2.500000e-01 : f32}
// BUFFERS-LABEL: func @causal
// BUFFERS: pit.attend_sequences %{{.*}} {causal, extent = 16 : i64, scale = 2.500000e-01 : f32}
func.func @causal(%q: tensor<64x2x32xbf16>, %k: tensor<64x2x32xbf16>, %v: tensor<64x2x32xbf16>, %offsets: tensor<5xi64>,
                  %o: tensor<64x2x32xbf16>) -> tensor<64x2x32xbf16> {
  %r = pit.attend_sequences %q, %k, %v sequences(%offsets : tensor<5xi64>) outs(%o) {causal, extent = 16 : i64, scale = 0.25 : f32}
    : tensor<64x2x32xbf16>, tensor<64x2x32xbf16>, tensor<64x2x32xbf16>, tensor<64x2x32xbf16> -> tensor<64x2x32xbf16>
  return %r : tensor<64x2x32xbf16>
}

// CHECK-LABEL: func @planned
// CHECK: outs(%arg4) plan <engine = mma_sync, tile = [128, 64], warps = 8, stages = 3> {extent = 16 : i64
// BUFFERS-LABEL: func @planned
// BUFFERS: plan <engine = mma_sync, tile = [128, 64], warps = 8, stages = 3> {extent = 16 : i64
func.func @planned(%q: tensor<64x2x32xbf16>, %k: tensor<64x2x32xbf16>, %v: tensor<64x2x32xbf16>, %offsets: tensor<5xi64>,
                   %o: tensor<64x2x32xbf16>) -> tensor<64x2x32xbf16> {
  %r = pit.attend_sequences %q, %k, %v sequences(%offsets : tensor<5xi64>) outs(%o)
    plan <engine = mma_sync, tile = [128, 64], warps = 8, stages = 3> {extent = 16 : i64, scale = 0.25 : f32}
    : tensor<64x2x32xbf16>, tensor<64x2x32xbf16>, tensor<64x2x32xbf16>, tensor<64x2x32xbf16> -> tensor<64x2x32xbf16>
  return %r : tensor<64x2x32xbf16>
}

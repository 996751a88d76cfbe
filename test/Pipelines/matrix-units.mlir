// RUN: pit-opt %s --pit-to-ptx="chip=sm_75" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=NONE
// RUN: pit-opt %s --pit-to-ptx="chip=sm_80 f32-products=tf32x3" | pit-translate --pit-to-ptx | FileCheck %s --check-prefixes=MMA,SM80
// RUN: pit-opt %s --pit-to-ptx="chip=sm_86 f32-products=tf32x3" | pit-translate --pit-to-ptx | FileCheck %s --check-prefixes=MMA,SM86
// RUN: pit-opt %s --pit-to-ptx="chip=sm_100a f32-products=tf32x3" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=MMA
// RUN: pit-opt %s --pit-to-ptx="chip=sm_80" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=SIMT
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a f32-products=tf32x3" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=WGMMA

// Which matrix units a product goes to is the chip's matter; what the fastest
// cannot take (here columns that are not a multiple of 8, and f32) goes to the
// next.

// NONE-NOT: mma
// NONE: .target sm_75
// NONE: .visible .entry aligned
// NONE: mul.rn.f32
// NONE-NOT: mma

// SM80: .target sm_80
// SM86: .target sm_86
// MMA: .visible .entry aligned
// MMA: cp.async.cg.shared.global
// MMA: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// MMA: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// MMA: .visible .entry odd
// MMA: mma.sync
// MMA: .visible .entry single
// MMA: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// MMA: .visible .entry row
// MMA: mma.sync.aligned.m16n8k16

// Threads multiply f32 in tiles, too.
// SIMT: .visible .entry single_contraction
// SIMT-NOT: mma.sync
// SIMT: fma.rn.f32
// SIMT-NOT: mma.sync
// SIMT: .visible .entry

// WGMMA: .visible .entry aligned
// WGMMA: wgmma.mma_async
// WGMMA: .visible .entry row
// WGMMA: wgmma.mma_async
// WGMMA: .visible .entry odd
// WGMMA-NOT: wgmma
// WGMMA: mma.sync
// WGMMA: .visible .entry single
// WGMMA-NOT: wgmma
// WGMMA: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
func.func @aligned(%a: tensor<128x64xbf16>, %b: tensor<64x256xbf16>) -> tensor<128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x256xbf16>) outs(%z : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %c : tensor<128x256xf32>
}
func.func @odd(%a: tensor<128x61xbf16>, %b: tensor<61x251xbf16>) -> tensor<128x251xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x251xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x251xf32>) -> tensor<128x251xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x61xbf16>, tensor<61x251xbf16>) outs(%z : tensor<128x251xf32>) -> tensor<128x251xf32>
  return %c : tensor<128x251xf32>
}
func.func @single(%a: tensor<128x64xf32>, %b: tensor<64x256xf32>) -> tensor<128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x256xf32>) outs(%z : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %c : tensor<128x256xf32>
}
func.func @row(%a: tensor<1x64xbf16>, %b: tensor<64x256xbf16>) -> tensor<1x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x256xf32>) -> tensor<1x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<1x64xbf16>, tensor<64x256xbf16>) outs(%z : tensor<1x256xf32>) -> tensor<1x256xf32>
  return %c : tensor<1x256xf32>
}

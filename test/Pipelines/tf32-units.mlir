// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a f32-products=tf32" | pit-translate --pit-to-ptx | FileCheck %s
// RUN: pit-opt %s --pit-to-ptx="chip=sm_80 f32-products=tf32" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=OLDER
// RUN: pit-opt %s --pit-to-cuda="chip=sm_90a f32-products=tf32" | FileCheck %s --check-prefix=HOST

// A stored [m, k] and B [n, k] are multiplied as tf32 by the fastest units, what is stored otherwise by the next.

// CHECK-LABEL: .visible .entry along_k
// CHECK: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k8.f32.tf32.tf32
// CHECK-NOT: mma.sync
// CHECK: .visible .entry across_k
// CHECK-NOT: wgmma
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32

// OLDER-NOT: wgmma
// OLDER: .target sm_80
// OLDER: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// OLDER-NOT: wgmma

// The runtime's number of maps' elements is that of f32 that copies round.
// HOST: %[[TF32:.*]] = llvm.mlir.constant(32 : i32)
// HOST-COUNT-2: llvm.call @pit_rt_tensor_map(%{{[^,]*}}, %{{[^,]*}}, %[[TF32]],
func.func @along_k(%a: tensor<256x68xf32>, %b: tensor<264x68xf32>) -> tensor<256x264xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x264xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<256x264xf32>) -> tensor<256x264xf32>
  %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<256x68xf32>, tensor<264x68xf32>) outs(%z : tensor<256x264xf32>) -> tensor<256x264xf32>
  return %c : tensor<256x264xf32>
}
func.func @across_k(%a: tensor<256x68xf32>, %b: tensor<68x264xf32>) -> tensor<256x264xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x264xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<256x264xf32>) -> tensor<256x264xf32>
  %c = linalg.matmul ins(%a, %b : tensor<256x68xf32>, tensor<68x264xf32>) outs(%z : tensor<256x264xf32>) -> tensor<256x264xf32>
  return %c : tensor<256x264xf32>
}

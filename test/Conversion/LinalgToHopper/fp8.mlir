// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// A stage's rows of 128 bytes hold 128 k, and instructions multiply 32 of them.
// The instructions keep about 14 bits of a sum: each half of the columns is
// summed up by itself, over one stage, and threads add that to what they have.
// CHECK-LABEL: func.func @dense
// CHECK-NOT: linalg
// CHECK: nvgpu.tma.create.descriptor {{.*}} : memref<*xf8E4M3FN> -> <tensor = memref<128x128xf8E4M3FN, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// CHECK: nvgpu.tma.create.descriptor {{.*}} : memref<*xf8E4M3FN> -> <tensor = memref<256x128xf8E4M3FN, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// CHECK: gpu.launch_func @dense_kernels::@dense_contraction_0
// CHECK: llvm.func @dense_contraction_0
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 49152 : i32
// CHECK-DAG: %[[DEPTH:.*]] = arith.constant 128 : i32
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: %[[K:.*]] = arith.muli %{{.*}}, %[[DEPTH]] : i32
// CHECK: nvvm.mbarrier.arrive.expect_tx {{.*}}, %[[BYTES]] :
// CHECK: nvvm.setmaxregister increase 232
// CHECK: scf.for
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 128, k = 32>, D[<f32>, <zero>], A[<e4m3>, <one>, <row>], B[<e4m3>, <one>, <col>]
// CHECK-COUNT-3: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: %[[SUM:.*]] = llvm.inline_asm has_side_effects "", "=f,0"
// CHECK: %[[TOTAL:.*]] = arith.addf %[[SUM]], %{{.*}} : f32
// CHECK: llvm.inline_asm has_side_effects "", "=f,0" %[[TOTAL]]
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 128, k = 32>, D[<f32>, <zero>], A[<e4m3>, <one>, <row>], B[<e4m3>, <one>, <col>]
// CHECK-COUNT-3: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: scf.for
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 128, k = 32>, D[<f32>, <zero>], A[<e4m3>, <one>, <row>], B[<e4m3>, <one>, <col>]
// CHECK-COUNT-3: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: %[[SUM:.*]] = llvm.inline_asm has_side_effects "", "=f,0"
// CHECK: %[[TOTAL:.*]] = arith.addf %{{.*}}, %[[SUM]] : f32
// CHECK: llvm.inline_asm has_side_effects "", "=f,0" %[[TOTAL]]
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 128, k = 32>, D[<f32>, <zero>], A[<e4m3>, <one>, <row>], B[<e4m3>, <one>, <col>]
// CHECK-COUNT-3: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: nvvm.wgmma.mma_async
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @dense(%a: memref<?x464xf8E4M3FN>, %b: memref<1032x464xf8E4M3FN>, %c: memref<?x1032xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x1032xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x464xf8E4M3FN>, memref<1032x464xf8E4M3FN>) outs(%c : memref<?x1032xf32>) {
  ^bb0(%x: f8E4M3FN, %y: f8E4M3FN, %s: f32):
    %xf = arith.extf %x : f8E4M3FN to f32
    %yf = arith.extf %y : f8E4M3FN to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Few rows: columns of B are the rows of the instructions.
// CHECK-LABEL: func.func @few
// CHECK: llvm.func @few_contraction_0
// CHECK: scf.for
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 16, k = 32>, D[<f32>, <zero>], A[<e4m3>, <one>, <row>], B[<e4m3>, <one>, <col>]
// CHECK-COUNT-3: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: arith.addf
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @few(%a: memref<16x1040xf8E4M3FN>, %b: memref<328x1040xf8E4M3FN>, %c: memref<16x328xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<16x328xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<16x1040xf8E4M3FN>, memref<328x1040xf8E4M3FN>) outs(%c : memref<16x328xf32>) {
  ^bb0(%x: f8E4M3FN, %y: f8E4M3FN, %s: f32):
    %xf = arith.extf %x : f8E4M3FN to f32
    %yf = arith.extf %y : f8E4M3FN to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  return
}

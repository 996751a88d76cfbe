// RUN: pit-opt %s -convert-contractions-to-hopper=card=%S/Inputs/untuned.json -canonicalize -cse -split-input-file | FileCheck %s
// RUN: pit-opt %s -convert-contractions-to-hopper="card=%S/Inputs/untuned.json multiprocessors=2" -canonicalize -split-input-file | FileCheck %s --check-prefix=SMALL

// The sums are never stored: fill, product and rounding are one launch.
// CHECK-LABEL: module attributes {gpu.container_module}
// CHECK: func.func @matmul(%[[A:.*]]: memref<?x128xbf16>, %[[B:.*]]: memref<128x512xbf16>, %[[C:.*]]: memref<?x512xbf16>)
// CHECK-DAG: %[[BLOCKS:.*]] = arith.constant 132 : index
// CHECK-DAG: %[[THREADS:.*]] = arith.constant 384 : index
// CHECK-NOT: linalg
// CHECK: %[[MAPA:.*]] = nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<128x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// Columns of B come as panels of 64.
// CHECK: memref.reinterpret_cast %[[B]] to offset: [0], sizes: [8, 128, 64], strides: [64, 512, 1]
// CHECK: %[[MAPB:.*]] = nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<4x64x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = l2promo_128b
// Results are stored by the copy engine, 16 rows of a warp at a time.
// CHECK: memref.reinterpret_cast %[[C]] to offset: [0], sizes: [%{{.*}}, 512], strides: [512, 1]
// CHECK: %[[MAPC:.*]] = nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<16x64xbf16
// CHECK: arith.minui %{{.*}}, %[[BLOCKS]]
// CHECK: gpu.launch_func @matmul_kernels::@matmul_contraction_0
// CHECK-SAME: threads in (%[[THREADS]],
// CHECK-SAME: args(%[[MAPA]] : {{.*}}, %[[MAPB]] : {{.*}}, %[[MAPC]] : 

// CHECK: gpu.module @matmul_kernels
// CHECK: llvm.mlir.global external @pit_dynamic_shared() {addr_space = 3 : i32, alignment = 1024 : i64}
// CHECK: llvm.func @matmul_contraction_0(%[[TA:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
// CHECK-SAME: nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 384, 1, 1>
// CHECK: llvm.mlir.undef
// CHECK-COUNT-8: nvvm.mbarrier.init
// One thread loads both operands of a stage.
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: scf.for
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK-COUNT-2: nvvm.cp.async.bulk.tensor.shared.cluster.global
// The first step stands before the loop and overwrites the accumulators.
// CHECK: nvvm.setmaxregister increase 232
// CHECK: nvvm.wgmma.mma_async {{.*}} D[<f32>, <zero>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>]
// CHECK-COUNT-3: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK: scf.for
// CHECK-NOT: <zero>
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: nvvm.convert.f32x2.to.bf16x2
// CHECK: nvvm.stmatrix
// CHECK: nvvm.fence.proxy
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta

// SMALL-DAG: %[[BLOCKS:.*]] = arith.constant 2 : index
// SMALL: arith.minui %{{.*}}, %[[BLOCKS]]
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @matmul(%a: memref<?x128xbf16>, %b: memref<128x512xbf16>, %c: memref<?x512xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x128xbf16>
  %sum = memref.alloc(%m) : memref<?x512xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<?x512xf32>)
  linalg.matmul ins(%a, %b : memref<?x128xbf16>, memref<128x512xbf16>) outs(%sum : memref<?x512xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<?x512xf32>) outs(%c : memref<?x512xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %sum : memref<?x512xf32>
  return
}

// -----

// Names, operand order and layouts play no role: here the rows of the output
// come from the second operand, and both have k along the other axis.
// CHECK-LABEL: func.func @renamed
// CHECK-NOT: linalg
// CHECK: memref.reinterpret_cast %arg1 {{.*}} sizes: [64, 256], strides: [256, 1]
// CHECK: nvgpu.tma.create.descriptor {{.*}} memref<64x64xf16
// CHECK: memref.reinterpret_cast %arg0 {{.*}} sizes: [512, 64], strides: [64, 1]
// CHECK: nvgpu.tma.create.descriptor {{.*}} memref<128x64xf16
// CHECK: gpu.launch_func
// CHECK: A[<f16>, <one>, <col>], B[<f16>, <one>, <col>]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: stmatrix
// CHECK: llvm.store {{.*}} : vector<2xf32>, !llvm.ptr<1>
func.func @renamed(%b: memref<512x64xf16>, %a: memref<64x256xf16>, %c: memref<256x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%c : memref<256x512xf32>) {
  ^bb0(%o: f32):
    linalg.yield %zero : f32
  }
  linalg.generic {
      indexing_maps = [affine_map<(k, j, i) -> (j, k)>, affine_map<(k, j, i) -> (k, i)>,
                       affine_map<(k, j, i) -> (i, j)>],
      iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%b, %a : memref<512x64xf16>, memref<64x256xf16>) outs(%c : memref<256x512xf32>) {
  ^bb0(%y: f16, %x: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %p = arith.mulf %yf, %xf : f32
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Two products of one kind share a kernel. Views of buffers do.
// CHECK-LABEL: func.func @shared
// CHECK: gpu.launch_func @shared_kernels::@shared_contraction_0
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [128], sizes: [128, 64], strides: [256, 1]
// CHECK: gpu.launch_func @shared_kernels::@shared_contraction_0
// CHECK: llvm.func @shared_contraction_0
// CHECK-NOT: llvm.func
func.func @shared(%a: memref<128x256xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>,
                  %d: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %left = memref.subview %a[0, 0] [128, 64] [1, 1] : memref<128x256xbf16> to memref<128x64xbf16, strided<[256, 1]>>
  %right = memref.subview %a[0, 128] [128, 64] [1, 1]
    : memref<128x256xbf16> to memref<128x64xbf16, strided<[256, 1], offset: 128>>
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%left, %b : memref<128x64xbf16, strided<[256, 1]>>, memref<64x256xbf16>)
    outs(%c : memref<128x256xf32>)
  linalg.fill ins(%zero : f32) outs(%d : memref<128x256xf32>)
  linalg.matmul ins(%right, %b : memref<128x64xbf16, strided<[256, 1], offset: 128>>, memref<64x256xbf16>)
    outs(%d : memref<128x256xf32>)
  return
}

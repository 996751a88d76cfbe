// RUN: pit-opt %s -convert-contractions-to-mma -canonicalize -cse -split-input-file | FileCheck %s
// RUN: pit-opt %s -convert-contractions-to-mma="max-blocks=2" -canonicalize -split-input-file | FileCheck %s --check-prefix=FEW
// RUN: pit-opt %s -convert-contractions-to-mma="shared-memory=77824" -canonicalize -split-input-file | FileCheck %s --check-prefix=SMALL

// The sums are never stored: fill, product and rounding are one launch.
// CHECK-LABEL: module attributes {gpu.container_module}
// CHECK: func.func @matmul(%[[A:.*]]: memref<?x128xbf16>, %[[B:.*]]: memref<128x512xbf16>, %[[C:.*]]: memref<?x512xbf16>)
// CHECK-DAG: %[[STAGES:.*]] = arith.constant 98304 : i32
// CHECK-DAG: %[[THREADS:.*]] = arith.constant 256 : index
// CHECK-NOT: linalg
// CHECK: %[[M:.*]] = memref.dim %[[C]]
// CHECK: arith.ceildivui %[[M]], %c128
// CHECK: %[[PA:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [], strides: []
// CHECK: %[[PB:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [], strides: []
// CHECK: %[[PC:.*]] = memref.reinterpret_cast %[[C]] to offset: [0], sizes: [], strides: []
// CHECK: gpu.launch_func @matmul_kernels::@matmul_contraction_0
// CHECK-SAME: threads in (%[[THREADS]],
// CHECK-SAME: dynamic_shared_memory_size %[[STAGES]]
// CHECK-SAME: args(%[[PA]] : {{.*}}, %[[PB]] : {{.*}}, %[[PC]] :

// CHECK: gpu.module @matmul_kernels
// CHECK: llvm.mlir.global external @pit_dynamic_shared() {addr_space = 3 : i32, alignment = 1024 : i64}
// CHECK: llvm.func @matmul_contraction_0(
// CHECK-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>
// Three of four stages are under way before the first product: two chunks of A
// per thread, and four of B.
// CHECK: scf.for
// CHECK-COUNT-6: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-COUNT-12: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.wait.group 2
// CHECK-NEXT: nvvm.barrier
// Rows of A along k are what products take; columns of B are turned.
// CHECK-COUNT-4: nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<row>
// CHECK-COUNT-4: nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<col>
// CHECK: scf.for
// The words of the next products are read first.
// CHECK-COUNT-8: nvvm.ldmatrix
// CHECK-COUNT-6: nvvm.cp.async.shared.global
// CHECK-COUNT-32: nvvm.mma.sync {{.*}} multiplicandAPtxType = #nvvm.mma_type<bf16>, {{.*}} shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK-NOT: nvvm.mma.sync
// CHECK: nvvm.cp.async.wait.group 2
// CHECK-NEXT: nvvm.barrier
// CHECK-COUNT-8: nvvm.ldmatrix
// CHECK-COUNT-32: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.convert.f32x2.to.bf16x2
// Rows behind the last one are not stored; the columns end with a tile.
// CHECK: nvvm.bar.warp.sync
// CHECK: scf.if
// CHECK-NEXT: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<1>

// FEW-DAG: %[[BLOCKS:.*]] = arith.constant 2 : index
// FEW: arith.minui %{{.*}}, %[[BLOCKS]]

// Three stages fit.
// SMALL: arith.constant 73728 : i32
// SMALL: nvvm.cp.async.wait.group 1
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
// come from the second operand, and both have k along the other axis. Products
// of two kinds have two kernels, those of one kind share one.
// CHECK-LABEL: func.func @renamed
// CHECK-NOT: linalg
// CHECK: gpu.launch_func @renamed_kernels::@renamed_contraction_0
// CHECK: gpu.launch_func @renamed_kernels::@renamed_contraction_1
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [128], sizes: [], strides: []
// CHECK: gpu.launch_func @renamed_kernels::@renamed_contraction_1
// CHECK: llvm.func @renamed_contraction_0
// CHECK-COUNT-4: nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<col>
// CHECK-COUNT-4: nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<row>
// CHECK: nvvm.mma.sync {{.*}} vector<2xf16>
// CHECK: llvm.func @renamed_contraction_1
// A narrow output has half the tile, of half the threads.
// CHECK-SAME: nvvm.reqntid = array<i32: 128, 1, 1>
// CHECK-NOT: llvm.func
func.func @renamed(%b: memref<512x64xf16>, %a: memref<64x256xf16>, %c: memref<256x512xf32>,
                   %d: memref<128x256xbf16>, %e: memref<128x64xbf16>, %f: memref<128x64xf32>, %g: memref<128x64xf32>) {
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
  %left = memref.subview %d[0, 0] [128, 128] [1, 1] : memref<128x256xbf16> to memref<128x128xbf16, strided<[256, 1]>>
  %right = memref.subview %d[0, 128] [128, 128] [1, 1]
    : memref<128x256xbf16> to memref<128x128xbf16, strided<[256, 1], offset: 128>>
  linalg.fill ins(%zero : f32) outs(%f : memref<128x64xf32>)
  linalg.matmul ins(%left, %e : memref<128x128xbf16, strided<[256, 1]>>, memref<128x64xbf16>)
    outs(%f : memref<128x64xf32>)
  linalg.fill ins(%zero : f32) outs(%g : memref<128x64xf32>)
  linalg.matmul ins(%right, %e : memref<128x128xbf16, strided<[256, 1], offset: 128>>, memref<128x64xbf16>)
    outs(%g : memref<128x64xf32>)
  return
}

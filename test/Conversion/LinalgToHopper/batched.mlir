// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// A product for each batch. Boxes of A, of B (in panels) and of C are of one batch: rows behind its last one are zeros, and are not
// stored. Tiles are numbered batch after batch.
// CHECK-LABEL: func.func @batches
// CHECK-SAME: %[[A:.*]]: memref<?x?x456xbf16>
// CHECK-NOT: linalg
// CHECK: memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%{{.*}}, %{{.*}}, 456], strides: [%{{.*}}, 456, 1]
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<1x128x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<1x4x64x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<1x16x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// CHECK: gpu.launch_func @batches_kernels::@batches_contraction_0 blocks in
// CHECK: llvm.func @batches_contraction_0
// CHECK: %[[TILES:.*]] = arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: arith.muli %[[TILES]], %{{.*}} : i32
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: %[[BATCH:.*]] = arith.divui %{{.*}}, %[[TILES]] : i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} box[%{{[^,]*}}, %{{[^,]*}}, %[[BATCH]]] :
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} box[%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[BATCH]]] :
// CHECK: nvvm.setmaxregister increase
// CHECK: %[[BATCH:.*]] = arith.divui %{{.*}}, %[[TILES]] : i32
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 256, k = 16>
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta {{.*}} box[%{{[^,]*}}, %{{[^,]*}}, %[[BATCH]]] :
#id = affine_map<(b, m, n) -> (b, m, n)>
func.func @batches(%a: memref<?x?x456xbf16>, %b: memref<?x456x1024xbf16>, %c: memref<?x?x1024xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %batches = memref.dim %a, %c0 : memref<?x?x456xbf16>
  %rows = memref.dim %a, %c1 : memref<?x?x456xbf16>
  %sum = memref.alloc(%batches, %rows) : memref<?x?x1024xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<?x?x1024xf32>)
  linalg.batch_matmul ins(%a, %b : memref<?x?x456xbf16>, memref<?x456x1024xbf16>) outs(%sum : memref<?x?x1024xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : memref<?x?x1024xf32>) outs(%c : memref<?x?x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %sum : memref<?x?x1024xf32>
  return
}

// -----

// All batches read one A: its map has no axis of batches. Threads store f32, and know how far batches of C are apart. An operand of the
// epilogue has as many rows in each batch as the product, a number that is only known at run time; another one, one element.
// CHECK-LABEL: func.func @shared
// CHECK-SAME: %[[A:[a-z0-9]*]]: memref<?x72xbf16>, %[[B:.*]]: memref<3x264x72xbf16>
// CHECK-NOT: linalg
// CHECK: memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%{{.*}}, 72], strides: [72, 1]
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<128x64xbf16
// CHECK: memref.reinterpret_cast %[[B]] to offset: [0], sizes: [3, 264, 72], strides: [19008, 72, 1]
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<1x{{[0-9]+}}x64xbf16
// CHECK: gpu.launch_func @shared_kernels::@shared_contraction_0 blocks in
// CHECK: llvm.func @shared_contraction_0
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} box[%{{[^,]*}}, %{{[^,]*}}] :
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} box[%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}] :
// CHECK: nvvm.wgmma.mma_async
// CHECK: llvm.store {{.*}} : vector<2xf32>, !llvm.ptr
#mk = affine_map<(b, m, n, k) -> (m, k)>
#bnk = affine_map<(b, m, n, k) -> (b, n, k)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>
#id = affine_map<(b, m, n) -> (b, m, n)>
#batch = affine_map<(b, m, n) -> (b)>
func.func @shared(%a: memref<?x72xbf16>, %b: memref<3x264x72xbf16>, %other: memref<3x?x264xbf16>, %scale: memref<3xf32>, %c: memref<3x?x264xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x?x264xf32>)
  linalg.generic {indexing_maps = [#mk, #bnk, #bmn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x72xbf16>, memref<3x264x72xbf16>) outs(%c : memref<3x?x264xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #batch, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%other, %scale : memref<3x?x264xbf16>, memref<3xf32>) outs(%c : memref<3x?x264xf32>) {
  ^bb0(%w: bf16, %f: f32, %x: f32):
    %wf = arith.extf %w : bf16 to f32
    %t = arith.addf %x, %wf : f32
    %u = arith.mulf %t, %f : f32
    linalg.yield %u : f32
  }
  return
}

// -----

// Few rows in each batch: columns of B are the rows of the instructions.
// CHECK-LABEL: func.func @few
// CHECK-NOT: linalg
// CHECK: gpu.launch_func @few_kernels::@few_contraction_0 blocks in
// CHECK: llvm.func @few_contraction_0
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 16>
func.func @few(%a: memref<64x16x1024xf16>, %b: memref<64x1024x128xf16>, %c: memref<64x16x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x16x128xf32>)
  linalg.batch_matmul ins(%a, %b : memref<64x16x1024xf16>, memref<64x1024x128xf16>) outs(%c : memref<64x16x128xf32>)
  return
}

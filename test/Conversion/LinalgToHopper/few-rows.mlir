// RUN: pit-opt %s -convert-contractions-to-hopper=card=%S/Inputs/untuned.json -canonicalize -cse -split-input-file | FileCheck %s

// Few rows and few columns: columns of B are the rows of the instructions, 64 to
// a tile, and rows of A their columns. Pairs of blocks share a tile: each has
// half of k.
// CHECK-LABEL: func.func @pairs
// CHECK-DAG: %[[BLOCKS:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[THREADS:.*]] = arith.constant 256 : index
// CHECK-NOT: linalg
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<16x64xbf16
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<1x64x64xbf16
// CHECK: gpu.launch_func {{.*}} blocks in (%[[BLOCKS]],{{.*}} threads in (%[[THREADS]],
// CHECK: llvm.func @pairs_contraction_0
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK: %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctaid.x
// The thread that loads also meets the cluster.
// CHECK: nvvm.setmaxregister decrease
// CHECK: arith.muli %[[RANK]]
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK-COUNT-2: nvvm.cluster.wait
// CHECK: nvvm.setmaxregister increase 240
// CHECK-COUNT-2: nvvm.mapa {{.*}} -> !llvm.ptr<7>
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 16>
// CHECK: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.cluster.arrive
// CHECK: nvvm.cluster.wait
// CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<7> -> vector<4xf32>
// CHECK: nvvm.stmatrix
// CHECK: nvvm.cluster.arrive
// CHECK: nvvm.cluster.wait
#id = affine_map<(m, n) -> (m, n)>
func.func @pairs(%a: memref<64x8192xbf16>, %b: memref<8192x1024xbf16>, %c: memref<64x1024xbf16>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<64x1024xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<64x1024xf32>)
  linalg.matmul ins(%a, %b : memref<64x8192xbf16>, memref<8192x1024xbf16>) outs(%sum : memref<64x1024xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<64x1024xf32>) outs(%c : memref<64x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %sum : memref<64x1024xf32>
  return
}

// -----

// 80 tiles of 128 x 256 would be a round of their own, and mostly empty; 160 of 128 columns would leave 28 to a second round, in
// which few blocks do not use all of the memory's speed. 320 of 64 columns do better.
// CHECK-LABEL: func.func @last_round
// CHECK: gpu.launch_func {{.*}} threads in (%c256, %c1, %c1)
// CHECK: llvm.func @last_round_contraction_0
// CHECK-NOT: cluster_dim
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 32, k = 16>
#id = affine_map<(m, n) -> (m, n)>
func.func @last_round(%a: memref<32x5120xbf16>, %b: memref<5120x20480xbf16>, %c: memref<32x20480xbf16>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<32x20480xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<32x20480xf32>)
  linalg.matmul ins(%a, %b : memref<32x5120xbf16>, memref<5120x20480xbf16>) outs(%sum : memref<32x20480xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<32x20480xf32>) outs(%c : memref<32x20480xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %sum : memref<32x20480xf32>
  return
}

// -----

// No tile of a matrix without rows is better than another.
// CHECK-LABEL: func.func @no_rows
// CHECK-NOT: linalg.matmul
// CHECK: gpu.launch_func
#id = affine_map<(m, n) -> (m, n)>
func.func @no_rows(%a: memref<0x512xbf16>, %b: memref<512x1024xbf16>, %c: memref<0x1024xbf16>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<0x1024xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<0x1024xf32>)
  linalg.matmul ins(%a, %b : memref<0x512xbf16>, memref<512x1024xbf16>) outs(%sum : memref<0x1024xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<0x1024xf32>) outs(%c : memref<0x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %sum : memref<0x1024xf32>
  return
}

// -----

// Where tiles of one block occupy the chip, no cluster is made.
// CHECK-LABEL: func.func @alone
// CHECK: llvm.func @alone_contraction_0
// CHECK-NOT: cluster_dim
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 16>
#id = affine_map<(m, n) -> (m, n)>
func.func @alone(%a: memref<16x14336xbf16>, %b: memref<14336x14336xbf16>, %c: memref<16x14336xbf16>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<16x14336xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<16x14336xf32>)
  linalg.matmul ins(%a, %b : memref<16x14336xbf16>, memref<14336x14336xbf16>) outs(%sum : memref<16x14336xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<16x14336xf32>) outs(%c : memref<16x14336xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %sum : memref<16x14336xf32>
  return
}

// -----

// Rows stay rows where sums are stored as f32, and where there are many.
// CHECK-LABEL: func.func @f32
// CHECK: llvm.func @f32_contraction_0
// CHECK-NOT: cluster_dim
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 16>
func.func @f32(%a: memref<512x4096xbf16>, %b: memref<4096x4096xbf16>, %c: memref<512x4096xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<512x4096xf32>)
  linalg.matmul ins(%a, %b : memref<512x4096xbf16>, memref<4096x4096xbf16>) outs(%c : memref<512x4096xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @many
// CHECK: llvm.func @many_contraction_0
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 256, k = 16>
func.func @many(%a: memref<4096x4096xbf16>, %b: memref<4096x4096xbf16>, %c: memref<4096x4096xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4096x4096xf32>)
  linalg.matmul ins(%a, %b : memref<4096x4096xbf16>, memref<4096x4096xbf16>) outs(%c : memref<4096x4096xf32>)
  return
}

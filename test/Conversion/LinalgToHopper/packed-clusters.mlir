// RUN: pit-opt %s -convert-contractions-to-hopper=multiprocessors=132 -canonicalize -cse -split-input-file | FileCheck %s

// Few rows of packed micro-tiles: the blocks of a cluster share the parts of k. Tiles are numbered by clusters, not by blocks,
// and every thread waits for the others of its cluster equally often.
!index = !pit.index<[16, 4096], coordinate = 1, tile = [16, 1], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @clusters(
// Where a sample says that much is live, nothing is packed, ...
// CHECK: pit.detect_packed_into {{.*}} most_live 93
// Clusters of many blocks do not fill all multiprocessors. With at most half of the shared memory, and half of the registers,
// two blocks share one.
// CHECK: gpu.launch_func  @clusters_kernels::@clusters_contraction_0 blocks in (%c16,
// CHECK-SAME: threads in (%c384, %c1, %c1) dynamic_shared_memory_size %c{{9[0-9]|10[0-9]|11[0-4]}}{{[0-9][0-9][0-9]}}_i32
// CHECK: llvm.func @clusters_contraction_0(
// CHECK-SAME: nvvm.minctasm = 2 : i32
// CHECK: %[[IS_PACKED:.*]] = arith.cmpi ult, %{{.*}}, %c1048576_i32
// CHECK: scf.if %[[IS_PACKED]]
// CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK: %[[BLOCKS:.*]] = nvvm.read.ptx.sreg.nctaid.x
// CHECK: arith.divui %[[BLOCK]], %c4_i32
// CHECK: arith.divui %[[BLOCKS]], %c4_i32
// CHECK: nvvm.setmaxregister decrease 40
// CHECK-COUNT-2: nvvm.cluster.arrive
// CHECK: nvvm.setmaxregister increase 96
// CHECK: wgmma.mma_async
// CHECK-COUNT-2: nvvm.cluster.arrive
// CHECK-NOT: nvvm.cluster.arrive
// ... and the same clusters share the steps of the dense product, by boxes of both matrices. The cluster writes as above.
// CHECK: } else {
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: nvvm.cp.async.bulk.tensor
// CHECK: nvvm.cp.async.bulk.tensor
// CHECK-COUNT-2: nvvm.cluster.arrive
// CHECK: nvvm.setmaxregister increase 96
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 16>
// CHECK-COUNT-2: nvvm.cluster.arrive
// CHECK-NOT: nvvm.cluster.arrive
func.func @clusters(%a: memref<16x4096xbf16>, %b: memref<4096x512xbf16>, %c: memref<16x512xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<2xi64>
  %coords = memref.alloc() : memref<4096xi32>
  pit.detect_into values(%a : memref<16x4096xbf16>) outs(%offsets, %coords : memref<2xi64>, memref<4096xi32>)
    <kind = values, axes = [0, 1], tile = [16, 1]> : !index
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<4096xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<16x512xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<16x512xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<16x4096xbf16>, memref<4096x512xbf16>)
      outs(%sum : memref<16x512xf32>) {
  ^bb0(%ta: memref<16x?xbf16, #tile>, %tb: memref<?x512xbf16, #tile>, %tc: memref<16x512xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<16x?xbf16, #tile>, memref<?x512xbf16, #tile>)
      outs(%tc : memref<16x512xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<16x512xf32>) outs(%c : memref<16x512xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Wide tiles have more sums than leave registers for two. Of this width, fourteen clusters of eight find room at the same time.
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
!index = !pit.index<[32, 20480], coordinate = 1, tile = [32, 1], width = 32>
// CHECK-LABEL: func.func @wide(
// CHECK: pit.detect_packed_into {{.*}} most_live 166
// CHECK: gpu.launch_func  @wide_kernels::@wide_contraction_0 blocks in (%c112,
// CHECK-SAME: dynamic_shared_memory_size %c{{1[2-9]|2[0-3]}}{{[0-9][0-9][0-9][0-9]}}_i32
// CHECK: llvm.func @wide_contraction_0(
// CHECK-SAME: nvvm.minctasm = 1 : i32
// CHECK: nvvm.setmaxregister increase 232
func.func @wide(%a: memref<32x20480xbf16>, %b: memref<20480x5120xbf16>, %c: memref<32x5120xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<2xi64>
  %coords = memref.alloc() : memref<20480xi32>
  pit.detect_into values(%a : memref<32x20480xbf16>) outs(%offsets, %coords : memref<2xi64>, memref<20480xi32>)
    <kind = values, axes = [0, 1], tile = [32, 1]> : !index
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<20480xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<32x5120xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<32x5120xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<32x20480xbf16>, memref<20480x5120xbf16>)
      outs(%sum : memref<32x5120xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x5120xbf16, #tile>, %tc: memref<32x5120xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x5120xbf16, #tile>)
      outs(%tc : memref<32x5120xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<32x5120xf32>) outs(%c : memref<32x5120xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Of so much of B, the dense product would pay only with nearly all live.
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
!index = !pit.index<[32, 28672], coordinate = 1, tile = [32, 1], width = 32>
// CHECK-LABEL: func.func @large(
// CHECK-NOT: most_live
// CHECK: llvm.func @large_contraction_0(
// CHECK-NOT: arith.cmpi ult, %{{.*}}, %c1048576_i32
func.func @large(%a: memref<32x28672xbf16>, %b: memref<28672x7168xbf16>, %c: memref<32x7168xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<2xi64>
  %coords = memref.alloc() : memref<28672xi32>
  pit.detect_into values(%a : memref<32x28672xbf16>) outs(%offsets, %coords : memref<2xi64>, memref<28672xi32>)
    <kind = values, axes = [0, 1], tile = [32, 1]> : !index
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<28672xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<32x7168xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<32x7168xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<32x28672xbf16>, memref<28672x7168xbf16>)
      outs(%sum : memref<32x7168xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x7168xbf16, #tile>, %tc: memref<32x7168xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x7168xbf16, #tile>)
      outs(%tc : memref<32x7168xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<32x7168xf32>) outs(%c : memref<32x7168xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Beside what a cluster adds up, of so wide a tile less than three stages of the dense product find room.
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
!index = !pit.index<[16, 8192], coordinate = 1, tile = [16, 1], width = 32>
// CHECK-LABEL: func.func @few_stages(
// CHECK-NOT: most_live
// CHECK: llvm.func @few_stages_contraction_0(
// CHECK-NOT: arith.cmpi ult, %{{.*}}, %c1048576_i32
func.func @few_stages(%a: memref<16x8192xbf16>, %b: memref<8192x12288xbf16>, %c: memref<16x12288xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<2xi64>
  %coords = memref.alloc() : memref<8192xi32>
  pit.detect_into values(%a : memref<16x8192xbf16>) outs(%offsets, %coords : memref<2xi64>, memref<8192xi32>)
    <kind = values, axes = [0, 1], tile = [16, 1]> : !index
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<8192xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<16x12288xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<16x12288xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<16x8192xbf16>, memref<8192x12288xbf16>)
      outs(%sum : memref<16x12288xf32>) {
  ^bb0(%ta: memref<16x?xbf16, #tile>, %tb: memref<?x12288xbf16, #tile>, %tc: memref<16x12288xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<16x?xbf16, #tile>, memref<?x12288xbf16, #tile>)
      outs(%tc : memref<16x12288xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<16x12288xf32>) outs(%c : memref<16x12288xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

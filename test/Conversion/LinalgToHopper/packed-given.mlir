// RUN: pit-opt %s -convert-contractions-to-hopper=multiprocessors=16 -canonicalize -cse -split-input-file | FileCheck %s

// What a mask says is dead may hold anything. Where too little is, nothing is
// packed, and the dense product clears it in registers, by the same mask.
!index = !pit.index<[250, 2048], coordinate = 1, tile = [32, 1], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @given(
// CHECK-SAME: %[[A:[^:]*]]: memref<250x2048xbf16, strided<[2056, 1]>>, %[[LIVE:[^:]*]]: memref<8x2048xi1>
// CHECK: %[[VALUES:.*]] = memref.alloc() : memref<524288xbf16>
// CHECK: pit.detect_packed_into %[[A]] {{.*}}by(%[[LIVE]] : memref<8x2048xi1>) outs(%{{[^ ]*}}, %{{[^ ]*}}, %[[VALUES]] :
// CHECK-SAME: <kind = blocks, axes = [0, 1], tile = [32, 1]> most_live {{[1-9][0-9]}} :
// A is read where it is.
// CHECK: %[[WHOLE:.*]] = memref.cast %[[A]] : memref<250x2048xbf16, strided<[2056, 1]>> to memref<*xbf16>
// CHECK: nvgpu.tma.create.descriptor %[[WHOLE]] box[%c128, %c64]
// CHECK: %[[MASK:.*]] = memref.reinterpret_cast %[[LIVE]] to offset: [0], sizes: [], strides: []
// CHECK: gpu.launch_func
// CHECK-SAME: %[[MASK]] : memref<i1,
// CHECK: memref.dealloc %[[VALUES]]
// CHECK: llvm.func @given_contraction_0(
// Which of the two was made is known of any list: 1048576 is a length that none has.
// CHECK: %[[SKIPS:.*]] = arith.cmpi ult, %{{.*}}, %c1048576_i32
// CHECK: scf.if %[[SKIPS]]
// CHECK: nvvm.cp.async.bulk.shared.cluster.global
// CHECK: } else {
// Bytes of two neighbouring k, which become two halves of a word; rows from shared memory, and what is dead cleared.
// CHECK: %[[BYTES:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK: %[[WORD:.*]] = arith.extui %[[BYTES]] : i16 to i32
// CHECK: %[[FIRST:.*]] = arith.andi %[[WORD]], %c1_i32
// CHECK: arith.cmpi ne, %[[FIRST]]
// CHECK: nvvm.vote.sync ballot
// CHECK: %[[LOWER:.*]] = arith.shli
// CHECK: %[[UPPER:.*]] = arith.shli
// CHECK: %[[SECOND:.*]] = arith.andi %[[WORD]], %c256_i32
// CHECK: arith.cmpi ne, %[[SECOND]]
// CHECK: nvvm.vote.sync ballot
// CHECK: %[[LOWER2:.*]] = arith.shli
// CHECK: %[[UPPER2:.*]] = arith.shli
// Of the product of the first 16 k: bytes 0, with their signs.
// CHECK: nvvm.ldmatrix
// CHECK-DAG: nvvm.prmt <default> %c52360_i32, %[[LOWER]], %[[LOWER2]]
// CHECK-DAG: nvvm.prmt <default> %c52360_i32, %[[UPPER]], %[[UPPER2]]
// CHECK: arith.andi
// ... and of the others, the next bytes.
// CHECK-DAG: nvvm.prmt <default> %c56729_i32, %[[LOWER]], %[[LOWER2]]
// CHECK-DAG: nvvm.prmt <default> %c61098_i32, %[[LOWER]], %[[LOWER2]]
// CHECK-DAG: nvvm.prmt <default> %c65467_i32, %[[UPPER]], %[[UPPER2]]
// The first product of a tile overwrites.
// CHECK: setp.ne.b32 p, $133, 0;\0Awgmma.mma_async.sync.aligned.m64n256k16
// CHECK: setp.ne.b32 p, 1, 0;\0Awgmma.mma_async.sync.aligned.m64n256k16
// CHECK: nvvm.wgmma.commit
func.func @given(%a: memref<250x2048xbf16, strided<[2056, 1]>>, %live: memref<8x2048xi1>, %b: memref<2048x4096xbf16>,
                 %c: memref<250x4096xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<16384xi32>
  pit.detect_into by(%live : memref<8x2048xi1>) outs(%offsets, %coords : memref<9xi64>, memref<16384xi32>)
    <kind = blocks, axes = [0, 1], tile = [32, 1]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<16384xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<250x4096xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<250x4096xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<250x2048xbf16, strided<[2056, 1]>>, memref<2048x4096xbf16>)
      outs(%sum : memref<250x4096xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x4096xbf16, #tile>, %tc: memref<32x4096xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x4096xbf16, #tile>)
      outs(%tc : memref<32x4096xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<250x4096xf32>) outs(%c : memref<250x4096xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Micro-tiles of more k have one byte, of as many rows as A has, ...
!index = !pit.index<[?, 1048], coordinate = 1, tile = [64, 4], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[A:[^:]*]]: memref<?x1048xf16>
// CHECK: pit.detect_packed_into {{.*}} most_live
// CHECK: memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%{{.*}}, 1048], strides: [1048, 1]
// CHECK: llvm.func @dynamic_contraction_0(
// CHECK: } else {
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<1> -> i8
// CHECK: %[[WORD:.*]] = arith.extui %[[BYTE]] : i8 to i32
// CHECK: %[[LIVE:.*]] = arith.andi %[[WORD]], %c1_i32
// CHECK: arith.cmpi ne, %[[LIVE]]
// CHECK-COUNT-1: nvvm.vote.sync ballot
// CHECK: %[[LOWER:.*]] = arith.shli
// CHECK-NOT: nvvm.vote.sync
// CHECK: nvvm.prmt <default> %c52360_i32, %[[LOWER]], %[[LOWER]]
func.func @dynamic(%a: memref<?x1048xf16>, %m: index, %live: memref<?x262xi1>, %b: memref<1048x4096xf16>,
                   %c: memref<?x4096xf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc(%m) : memref<?xi64>
  %coords = memref.alloc(%m) : memref<?xi32>
  pit.detect_into by(%live : memref<?x262xi1>) extents(%m) outs(%offsets, %coords : memref<?xi64>, memref<?xi32>)
    <kind = blocks, axes = [0, 1], tile = [64, 4]> : !index
  %i = pit.assemble %offsets, %coords extents(%m) : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc(%m) : memref<?x4096xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<?x4096xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<?x1048xf16>, memref<1048x4096xf16>)
      outs(%sum : memref<?x4096xf32>) {
  ^bb0(%ta: memref<64x?xf16, #tile>, %tb: memref<?x4096xf16, #tile>, %tc: memref<64x4096xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<64x?xf16, #tile>, memref<?x4096xf16, #tile>)
      outs(%tc : memref<64x4096xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<?x4096xf32>) outs(%c : memref<?x4096xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  }
  return
}

// -----

// ... and none where the op says so.
!index = !pit.index<[256, 2048], coordinate = 1, tile = [32, 1], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @asked(
// CHECK: pit.detect_packed_into
// CHECK-NOT: most_live
// CHECK: llvm.func @asked_contraction_0(
// CHECK-NOT: c1048576_i32
func.func @asked(%a: memref<256x2048xbf16>, %live: memref<8x2048xi1>, %b: memref<2048x4096xbf16>,
                 %c: memref<256x4096xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<16384xi32>
  pit.detect_into by(%live : memref<8x2048xi1>) outs(%offsets, %coords : memref<9xi64>, memref<16384xi32>)
    <kind = blocks, axes = [0, 1], tile = [32, 1]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<16384xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<256x4096xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x4096xf32>)
  pit.tiled tile 64 {pit.dense_variant = false, dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x2048xbf16>, memref<2048x4096xbf16>)
      outs(%sum : memref<256x4096xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x4096xbf16, #tile>, %tc: memref<32x4096xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x4096xbf16, #tile>)
      outs(%tc : memref<32x4096xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<256x4096xf32>) outs(%c : memref<256x4096xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

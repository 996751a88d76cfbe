// RUN: pit-opt %s -convert-contractions-to-hopper=multiprocessors=16 -canonicalize -cse -split-input-file | FileCheck %s

// Micro-tiles of one k each are packed while they are found. The kernel brings
// packed values in one copy, and every row of B that the list names by itself.
!index = !pit.index<[256, 2048], coordinate = 1, tile = [32, 1], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[A:.*]]: memref<256x2048xbf16>, %[[B:.*]]: memref<2048x4096xbf16>, %[[BIAS:.*]]: memref<4096xf32>, %[[C:.*]]: memref<256x4096xbf16>)
// CHECK-NOT: pit.detect_into
// CHECK: %[[COUNTS:.*]] = memref.alloc() : memref<16xi32>
// CHECK: %[[COORDS:.*]] = memref.alloc() : memref<16384xi32>
// CHECK: %[[VALUES:.*]] = memref.alloc() : memref<524288xbf16>
// CHECK: pit.detect_packed_into %[[A]] : memref<256x2048xbf16> outs(%[[COUNTS]], %[[COORDS]], %[[VALUES]] :
// Where a sample says that little is dead, the dense product follows and nothing is packed.
// CHECK-SAME: <kind = values, axes = [0, 1], tile = [32, 1]> rule 3 most_live {{[1-9][0-9]}} :
// CHECK-NOT: pit.tiled
// A box of one row of B, and boxes of C.
// CHECK: nvgpu.tma.create.descriptor {{.*}} box[%c16, %c1, %c64]
// CHECK: nvgpu.tma.create.descriptor
// Boxes of A, B and C for the same product with nothing skipped.
// CHECK: memref.reinterpret_cast %[[A]]
// CHECK: nvgpu.tma.create.descriptor {{.*}} box[%c128, %c64]
// CHECK: nvgpu.tma.create.descriptor {{.*}} box[%c4, %c64, %c64]
// CHECK-NOT: linalg.
// CHECK: gpu.launch_func {{.*}} %c256_i32 : i32, %c4096_i32 : i32, %c2048_i32 : i32, %c2_i32 : i32, {{.*}} %c256_i32 : i32, %c4096_i32 : i32, %c2048_i32 : i32, {{.*}})
// CHECK: memref.dealloc %[[COUNTS]]
// CHECK: memref.dealloc %[[COORDS]]
// CHECK: memref.dealloc %[[VALUES]]
// CHECK: llvm.func @packed_contraction_0(
// All blocks count what the same lists hold, and choose.
// CHECK: scf.if
// CHECK: llvm.load {{.*}} -> i32
// CHECK: nvvm.barrier
// CHECK: nvvm.barrier
// CHECK: %[[SKIPS:.*]] = arith.cmpi ule
// CHECK: scf.if %[[SKIPS]]
// CHECK: nvvm.setmaxregister decrease
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK: nvvm.cp.async.bulk.shared.cluster.global
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// Rows that are not there are read as zeros: they may hold no numbers.
// CHECK: nvvm.setmaxregister increase
// CHECK: arith.cmpi slt
// CHECK: arith.select {{.*}} !llvm.ptr<3>
// CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>
// CHECK: wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {{.*}} p, 1, 1, 1;
// Every lane gives a stage back by itself.
// CHECK-NOT: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3> -> i64
// CHECK: arith.maximumf
// CHECK: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<col>
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
func.func @packed(%a: memref<256x2048xbf16>, %b: memref<2048x4096xbf16>, %bias: memref<4096xf32>,
                  %c: memref<256x4096xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<16384xi32>
  pit.detect_into values(%a : memref<256x2048xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<16384xi32>)
    <kind = values, axes = [0, 1], tile = [32, 1]> rule 3 : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<16384xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<256x4096xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x4096xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x2048xbf16>, memref<2048x4096xbf16>)
      outs(%sum : memref<256x4096xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x4096xbf16, #tile>, %tc: memref<32x4096xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x4096xbf16, #tile>)
      outs(%tc : memref<32x4096xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %bias : memref<256x4096xf32>, memref<4096xf32>) outs(%c : memref<256x4096xbf16>) {
  ^bb0(%x: f32, %v: f32, %o: bf16):
    %y = arith.addf %x, %v : f32
    %z = arith.maximumf %y, %zero : f32
    %t = arith.truncf %z : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Columns that are not a multiple of 64 stay for the generic path.
!index = !pit.index<[256, 2048], coordinate = 1, tile = [32, 1], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @columns(%a: memref<256x2048xbf16>, %b: memref<2048x264xbf16>, %c: memref<256x264xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<16384xi32>
  pit.detect_into values(%a : memref<256x2048xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<16384xi32>)
    <kind = values, axes = [0, 1], tile = [32, 1]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<16384xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<256x264xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x264xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x2048xbf16>, memref<2048x264xbf16>)
      outs(%sum : memref<256x264xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x264xbf16, #tile>, %tc: memref<32x264xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x264xbf16, #tile>)
      outs(%tc : memref<32x264xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<256x264xf32>) outs(%c : memref<256x264xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// So do rows of A that end inside of what is read at a time, ...
!index = !pit.index<[256, 2044], coordinate = 1, tile = [32, 1], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @rest(
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @rest(%a: memref<256x2044xbf16, strided<[2048, 1]>>, %b: memref<2044x256xbf16>, %c: memref<256x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<16352xi32>
  pit.detect_into values(%a : memref<256x2044xbf16, strided<[2048, 1]>>) outs(%offsets, %coords : memref<9xi64>, memref<16352xi32>)
    <kind = values, axes = [0, 1], tile = [32, 1]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<16352xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x2044xbf16, strided<[2048, 1]>>, memref<2044x256xbf16>)
      outs(%sum : memref<256x256xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<32x256xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x256xbf16, #tile>)
      outs(%tc : memref<32x256xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<256x256xf32>) outs(%c : memref<256x256xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// ... and few k, of which lists would have room for many times as many.
!index = !pit.index<[256, 504], coordinate = 1, tile = [32, 1], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @few(
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @few(%a: memref<256x504xbf16>, %b: memref<504x256xbf16>, %c: memref<256x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<4032xi32>
  pit.detect_into values(%a : memref<256x504xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<4032xi32>)
    <kind = values, axes = [0, 1], tile = [32, 1]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<4032xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x504xbf16>, memref<504x256xbf16>)
      outs(%sum : memref<256x256xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<32x256xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x256xbf16, #tile>)
      outs(%tc : memref<32x256xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<256x256xf32>) outs(%c : memref<256x256xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// A given mask says what is live; what is dead need not be zero, and is not
// read. It is packed when A is there. There is no dense variant of few tiles.
!index = !pit.index<[256, 2048], coordinate = 1, tile = [32, 1], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @given(
// CHECK-SAME: %[[A:[^:]*]]: memref<256x2048xbf16>, %[[LIVE:[^:]*]]: memref<8x2048xi1>
// CHECK-NOT: pit.detect_into
// CHECK: pit.detect_packed_into %[[A]] : memref<256x2048xbf16> by(%[[LIVE]] : memref<8x2048xi1>) outs(
// CHECK-SAME: <kind = blocks, axes = [0, 1], tile = [32, 1]> :
// CHECK-NOT: pit.tiled
// CHECK: gpu.launch_func
// CHECK: llvm.func @given_contraction_0(
// CHECK-NOT: arith.cmpi ule
func.func @given(%a: memref<256x2048xbf16>, %live: memref<8x2048xi1>, %b: memref<2048x256xbf16>, %c: memref<256x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<16384xi32>
  pit.detect_into by(%live : memref<8x2048xi1>) outs(%offsets, %coords : memref<9xi64>, memref<16384xi32>)
    <kind = blocks, axes = [0, 1], tile = [32, 1]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<16384xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x2048xbf16>, memref<2048x256xbf16>)
      outs(%sum : memref<256x256xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<32x256xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x256xbf16, #tile>)
      outs(%tc : memref<32x256xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<256x256xf32>) outs(%c : memref<256x256xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

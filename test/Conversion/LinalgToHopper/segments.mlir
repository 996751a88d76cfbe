// RUN: pit-opt %s -convert-contractions-to-hopper=card=%S/Inputs/untuned.json -canonicalize -cse -split-input-file | FileCheck %s

// Tokens per expert: rows of A are gathered, B is the expert's, and rows of C
// are packed in the order of the lists.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @experts(
// CHECK-SAME: %[[A:.*]]: memref<?x72xbf16>, %[[B:.*]]: memref<8x72x256xbf16>, %[[ROWS:.*]]: memref<?xi32>, %[[OFFSETS:.*]]: memref<9xi64>, %{{.*}}: index, %[[C:.*]]: memref<?x256xbf16>)
// CHECK-DAG: %[[S:.*]] = arith.constant 8 : i32
// Each segment may have a tile that is not full.
// CHECK: %[[M:.*]] = memref.dim %[[ROWS]]
// CHECK: %[[FULL:.*]] = arith.ceildivui %[[M]]
// CHECK: arith.addi %[[FULL]], %c8
// CHECK: %[[PA:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [], strides: []
// The copy engine picks the expert.
// CHECK: memref.reinterpret_cast %[[B]] to offset: [0], sizes: [8, 4, 72, 64], strides: [18432, 64, 256, 1]
// CHECK: %[[MAPB:.*]] = nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<1x4x64x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = l2promo_128b
// CHECK: %[[MAPC:.*]] = nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<16x64xbf16
// CHECK: %[[PC:.*]] = memref.reinterpret_cast %[[C]] to offset: [0], sizes: [], strides: []
// CHECK: %[[PROWS:.*]] = memref.reinterpret_cast %[[ROWS]] to offset: [0]
// CHECK: %[[POFFSETS:.*]] = memref.reinterpret_cast %[[OFFSETS]] to offset: [0]
// CHECK: gpu.launch_func {{.*}} args(%[[PA]] : {{.*}}, %[[MAPB]] : {{.*}}, %[[MAPC]] : {{.*}}, %[[PC]] : {{.*}}, %[[PROWS]] : {{.*}}, %[[POFFSETS]] : {{.*}}, %[[S]] : i32)
// CHECK-NOT: pit.tiled

// CHECK: llvm.func @experts_contraction_0
// A slot of the mailbox is given back by every thread that multiplies, and by those of three warps that load.
// CHECK: nvvm.mbarrier.init %{{.*}}, %c352_i32
// The first warp walks through the offsets, a segment per lane.
// CHECK: nvvm.setmaxregister decrease 72
// CHECK: llvm.load {{.*}} !llvm.ptr<1> -> i64
// CHECK: nvvm.shfl.sync up
// CHECK: scf.while
// CHECK: nvvm.vote.sync ballot
// CHECK: llvm.store volatile {{.*}} : vector<4xi32>, !llvm.ptr<3>
// Row numbers, read ahead, are spread over the lanes.
// CHECK: nvvm.shfl.sync idx
// All rows of a whole tile are read; of others, those that there are.
// CHECK: nvvm.cp.async.shared.global {{.*}}, %{{.*}}, 16, cache = cg, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK: scf.if
// CHECK: scf.if
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.setmaxregister increase 216
// CHECK: llvm.load volatile {{.*}} -> vector<4xi32>
// The tile, and the place in the ring, are known to be the same in a whole warp.
// CHECK-COUNT-4: nvvm.shfl.sync idx
// CHECK: scf.condition
// CHECK-COUNT-2: nvvm.shfl.sync idx
// Whole tiles go by the copy engine; of those that lack some rows, what is left of 16.
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 256, k = 16>
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK: nvvm.stmatrix {{.*}} layout = #nvvm.mma_layout<row>
// CHECK: llvm.store {{.*}} vector<4xi32>, !llvm.ptr<1>
// Tails have columns of B as rows, and take what their rows need.
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 16>
// CHECK: nvvm.stmatrix {{.*}} layout = #nvvm.mma_layout<col>
// CHECK: llvm.store {{.*}} vector<4xi32>, !llvm.ptr<1>
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 96, k = 16>
// CHECK-NOT: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 16>
// So do last tiles with more rows than others.
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 152, k = 16>
func.func @experts(%a: memref<?x72xbf16>, %b: memref<8x72x256xbf16>, %rows: memref<?xi32>, %offsets: memref<9xi64>,
                   %tokens: index, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>],
                      packed = array<i1: false, false, true>, pit.draw_tiles = false}
      over(%i : !index) ins(%a, %b : memref<?x72xbf16>, memref<8x72x256xbf16>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x72xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x256xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>) outs(%sum : memref<?x256xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x256xf32>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb0(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x256xf32>
    pit.yield
  }
  return
}

// -----

// Everything else that may vary: segments numbered by the last axis of B, an
// output of its own for each, of which rows are named, and packed rows of A.
!lists = !pit.index<[?, ?], coordinate = 1, tile = [1, 1], width = 64>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>

// CHECK-LABEL: func.func @outputs(
// CHECK: memref.reinterpret_cast %arg2 to offset: [0], sizes: [%{{.*}}, 4, 64, 64], strides: [256, 64, 4096, 1]
// CHECK: nvgpu.tma.create.descriptor {{.*}} memref<1x4x64x64xbf16
// CHECK: gpu.launch_func {{.*}} i64, %{{.*}} : i32)
// CHECK: nvvm.mbarrier.init %{{.*}}, %c256_i32
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: llvm.load volatile
// CHECK-NOT: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK: llvm.store {{.*}} vector<2xf32>, !llvm.ptr<1>
// A warpgroup without rows keeps up with the ring, its warps together.
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %c128_i32
func.func @outputs(%i: !index, %a: memref<?x64xbf16>, %b: memref<64x?x256xbf16, strided<[4096, 256, 1]>>,
                   %c: memref<?x?x256xf32, strided<[65536, 256, 1]>>) {
  %zero = arith.constant 0.0 : f32
  pit.tiled tile 128 {dims = [array<i64: -1, 0>, array<i64: 1, -1>, array<i64: 0, 1>],
                      packed = array<i1: true, false, false>}
      over(%i : !index) ins(%a, %b : memref<?x64xbf16>, memref<64x?x256xbf16, strided<[4096, 256, 1]>>)
      outs(%c : memref<?x?x256xf32, strided<[65536, 256, 1]>>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x256xbf16, #tile>)
      outs(%tc : memref<?x256xf32, #tile>)
    pit.yield
  }
  return
}

// -----

// Short segments: a tile holds 160 rows, loaded 16 at a time as far as there are
// some, and all of it has columns of B as rows.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @short(
// CHECK: nvgpu.tma.create.descriptor {{.*}} memref<16x64xbf16
// CHECK: nvgpu.tma.create.descriptor {{.*}} memref<1x128x64xbf16
// CHECK: llvm.func @short_contraction_0
// CHECK-NOT: n = 256
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 48, k = 16>
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 160, k = 16>
func.func @short(%i: !index, %a: memref<?x64xbf16>, %b: memref<8x256x64xbf16>, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>],
                      packed = array<i1: true, false, true>, pit.short_segments = true, pit.draw_tiles = false}
      over(%i : !index) ins(%a, %b : memref<?x64xbf16>, memref<8x256x64xbf16>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<256x64xbf16, #tile>, %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x64xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x256xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
    linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<256x64xbf16, #tile>) outs(%sum : memref<?x256xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x256xf32>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb0(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x256xf32>
    pit.yield
  }
  return
}

// -----

// Unless the op asks for something else, tiles are drawn from a word that is
// cleared before.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>

// CHECK-LABEL: func.func @drawn(
// CHECK: %[[COUNTER:.*]] = memref.alloc() : memref<1xi32>
// CHECK: linalg.fill {{.*}} outs(%[[COUNTER]] : memref<1xi32>)
// CHECK: gpu.launch_func
// CHECK: memref.dealloc %[[COUNTER]]
// CHECK: llvm.atomicrmw add {{.*}} syncscope("device") monotonic
func.func @drawn(%i: !index, %a: memref<?x64xbf16>, %b: memref<8x64x256xbf16>, %c: memref<?x256xf32>) {
  %zero = arith.constant 0.0 : f32
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>],
                      packed = array<i1: true, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x64xbf16>, memref<8x64x256xbf16>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x256xbf16, #tile>)
      outs(%tc : memref<?x256xf32, #tile>)
    pit.yield
  }
  return
}

// -----

// Nothing depends on the segment: all of them are one list, that ends where the
// last one does.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>

// CHECK-LABEL: func.func @flat(
// CHECK: %[[OFFSETS:.*]] = pit.offsets
// CHECK: memref.reinterpret_cast %[[OFFSETS]] to offset: [8], sizes: [], strides: []
// CHECK: gpu.launch_func
// CHECK-NOT: vote.sync
func.func @flat(%i: !index, %a: memref<?x64xbf16>, %b: memref<64x256xbf16>, %c: memref<?x256xf32>) {
  %zero = arith.constant 0.0 : f32
  pit.tiled flat tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, -1>, array<i64: 0, -1>],
                           packed = array<i1: false, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x64xbf16>, memref<64x256xbf16>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x256xbf16, #tile>)
      outs(%tc : memref<?x256xf32, #tile>)
    pit.yield
  }
  return
}

// -----

// Left alone: two experts may list the same row, and C is not theirs alone.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>

// CHECK-LABEL: func.func @shared_rows(
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @shared_rows(%i: !index, %a: memref<?x64xbf16>, %b: memref<8x64x256xbf16>, %c: memref<?x256xf32>) {
  %zero = arith.constant 0.0 : f32
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>],
                      packed = array<i1: true, false, false>}
      over(%i : !index) ins(%a, %b : memref<?x64xbf16>, memref<8x64x256xbf16>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x256xbf16, #tile>)
      outs(%tc : memref<?x256xf32, #tile>)
    pit.yield
  }
  return
}

// -----

// Left alone: sums that go on from segment to segment.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>

// CHECK-LABEL: func.func @accumulates(
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @accumulates(%i: !index, %a: memref<?x64xbf16>, %b: memref<8x64x256xbf16>, %c: memref<?x256xf32>) {
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>],
                      packed = array<i1: true, false, false>}
      over(%i : !index) ins(%a, %b : memref<?x64xbf16>, memref<8x64x256xbf16>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x256xbf16, #tile>)
      outs(%tc : memref<?x256xf32, #tile>)
    pit.yield
  }
  return
}

// -----

// Left alone: micro-tiles of more than one row.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [4, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>

// CHECK-LABEL: func.func @strips(
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @strips(%i: !index, %a: memref<?x64xbf16>, %b: memref<8x64x256xbf16>, %c: memref<?x256xf32>) {
  %zero = arith.constant 0.0 : f32
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>],
                      packed = array<i1: true, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x64xbf16>, memref<8x64x256xbf16>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x256xbf16, #tile>)
      outs(%tc : memref<?x256xf32, #tile>)
    pit.yield
  }
  return
}

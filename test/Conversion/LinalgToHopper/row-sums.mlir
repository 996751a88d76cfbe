// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// Of A, any 64 k of a row may be dead. Bits are found with words of 32 rows for
// each 64 k; lists that nobody else reads are not written. There are too few tiles
// for the dense product beside it.
!index = !pit.index<[1000, 512], coordinate = 0, tile = [1, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[A:.*]]: memref<1000x512xbf16>, %[[B:.*]]: memref<512x128xbf16>, %[[C:.*]]: memref<1000x128xbf16>)
// CHECK-NOT: pit.detect_into
// CHECK: %[[BITS:.*]] = memref.alloc() : memref<256xi32>
// CHECK-NEXT: pit.detect_bits_into values(%[[A]] : memref<1000x512xbf16>) outs(%[[BITS]] : memref<256xi32>) <kind = values, axes = [0, 1], tile = [1, 64]> : !pit.index<[1000, 512], coordinate = 0,
// CHECK-NOT: pit.tiled
// CHECK: %[[PA:.*]] = memref.reinterpret_cast %[[A]]
// CHECK: nvgpu.tma.create.descriptor
// CHECK: %[[PC:.*]] = memref.reinterpret_cast %[[C]]
// CHECK: %[[PBITS:.*]] = memref.reinterpret_cast %[[BITS]]
// CHECK-NOT: linalg.
// Two tiles of 512 rows by two of 64 columns.
// CHECK: gpu.launch_func @rows_kernels::@rows_contraction_0 blocks in (%c4, %c1, %c1) threads in (%c640, %c1, %c1)
// CHECK-SAME: args(%[[PA]] : memref<bf16, {{.*}}>, %{{.*}} : !nvgpu.tensormap.descriptor<{{.*}}>, %[[PC]] : memref<bf16, {{.*}}>, %[[PBITS]] : memref<i32, {{.*}}>, %c1000_i32 : i32, %c128_i32 : i32, %c512_i32 : i32, %c512_i32 : i32, %c128_i32 : i32, %c32_i32 : i32)
// CHECK: memref.dealloc %[[BITS]]
// CHECK: llvm.func @rows_contraction_0(
// By what a look at the words says: with up to 2.3 % of rows live, steps of two pieces.
// CHECK: llvm.intr.ctpop
// CHECK: arith.cmpi ule
// CHECK-COUNT-8: nvvm.wgmma.mma_async
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.cp.async.mbarrier.arrive
// Otherwise, a piece of k makes one product, which is added when the turn has come.
// CHECK-COUNT-4: nvvm.wgmma.mma_async
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: llvm.load volatile %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK: arith.addf
// CHECK: llvm.store volatile %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.mbarrier.arrive
// Which rows a step has is noted while its stage is still in use.
// CHECK: llvm.intr.cttz
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %{{.*}} :
// CHECK: nvvm.cp.async.mbarrier.arrive
func.func @rows(%a: memref<1000x512xbf16>, %b: memref<512x128xbf16>, %c: memref<1000x128xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<8000xi32>
  pit.detect_into values(%a : memref<1000x512xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<8000xi32>)
    <kind = values, axes = [0, 1], tile = [1, 64]> : !index
  %from = memref.cast %offsets : memref<9xi64> to memref<?xi64>
  %at = memref.cast %coords : memref<8000xi32> to memref<?xi32>
  %i = pit.assemble %from, %at : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1000x128xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1000x128xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1000x512xbf16>, memref<512x128xbf16>)
      outs(%sum : memref<1000x128xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x128xbf16, #tile>, %tc: memref<?x128xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x128xbf16, #tile>) outs(%tc : memref<?x128xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<1000x128xf32>) outs(%c : memref<1000x128xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Pairs of pieces, of which a row may be dead in one: it comes as zeros. Rows
// are dynamic.
!index = !pit.index<[?, 512], coordinate = 0, tile = [1, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @pairs(
// CHECK: pit.detect_bits_into values({{.*}}) extents({{.*}}) outs({{.*}} : memref<?xi32>)
// CHECK-NOT: pit.tiled
// CHECK: gpu.launch_func
// CHECK: llvm.func @pairs_contraction_0(
// CHECK-COUNT-8: nvvm.wgmma.mma_async
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: %[[BYTES:.*]] = arith.select %{{.*}}, %c16_i32, %c0_i32
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[BYTES]] :
func.func @pairs(%a: memref<?x512xbf16>, %b: memref<512x128xbf16>, %c: memref<?x128xbf16>, %m: index, %n: index) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc(%n) : memref<?xi32>
  pit.detect_into values(%a : memref<?x512xbf16>) extents(%m) outs(%offsets, %coords : memref<9xi64>, memref<?xi32>)
    <kind = values, axes = [0, 1], tile = [1, 64]> : !index
  %from = memref.cast %offsets : memref<9xi64> to memref<?xi64>
  %i = pit.assemble %from, %coords extents(%m) : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc(%m) : memref<?x128xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<?x128xf32>)
  pit.tiled tile 64 {pit.dense_variant = false, pit.pieces_of_group = 2 : i64, dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<?x512xbf16>, memref<512x128xbf16>)
      outs(%sum : memref<?x128xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x128xbf16, #tile>, %tc: memref<?x128xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x128xbf16, #tile>) outs(%tc : memref<?x128xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<?x128xf32>) outs(%c : memref<?x128xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

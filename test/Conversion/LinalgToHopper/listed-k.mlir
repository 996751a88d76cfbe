// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// A sum over listed k: rows of A, stored [k, m], and of B, stored [k, n], are
// gathered. The fill and the rounding are part of it.
!ks = !pit.index<[456], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!ks>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @listed(
// CHECK-SAME: %[[A:.*]]: memref<456x264xbf16>, %[[B:.*]]: memref<456x328xbf16>, %[[KS:.*]]: memref<456xi32>, %[[OFFSETS:.*]]: memref<2xi64>, %[[C:.*]]: memref<264x328xbf16>)
// CHECK-NOT: pit.
// CHECK-NOT: linalg.
// CHECK: %[[PA:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [], strides: []
// CHECK: %[[PB:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [], strides: []
// CHECK: %[[MAPC:.*]] = nvgpu.tma.create.descriptor
// CHECK: %[[PKS:.*]] = memref.reinterpret_cast %[[KS]] to offset: [0], sizes: [], strides: []
// CHECK: %[[PCOUNT:.*]] = memref.reinterpret_cast %[[OFFSETS]] to offset: [1], sizes: [], strides: []
// CHECK: gpu.launch_func {{.*}} args(%[[PA]] : {{.*}}, %[[PB]] : {{.*}}, %[[MAPC]] : {{.*}}, %[[PKS]] : {{.*}}, %[[PCOUNT]] : memref<i64, strided<[], offset: 1>>, %c264_i32 : i32, %c328_i32 : i32, %c456_i32 : i32, %c264_i32 : i32, %c328_i32 : i32)
// How many are listed is read on the device; nothing listed is one step.
// CHECK: llvm.func @listed_contraction_0
// CHECK: %[[COUNT:.*]] = llvm.load {{.*}} -> i64
// CHECK: %[[COUNT32:.*]] = arith.trunci %[[COUNT]]
// CHECK: %[[DEPTH:.*]] = arith.minui %[[COUNT32]]
// CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %[[DEPTH]], %c0_i32
// CHECK: arith.select %[[EMPTY]], %c1_i32
// Zeros stand in for what is behind the end.
// CHECK: nvvm.cp.async.shared.global {{.*}}, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK-NOT: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: nvvm.cp.async.mbarrier.arrive {{.*}} {noinc = true}
// CHECK: nvvm.fence.proxy
// CHECK: nvvm.wgmma.mma_async {{.*}}col{{.*}}row
func.func @listed(%a: memref<456x264xbf16>, %b: memref<456x328xbf16>, %ks: memref<456xi32>, %offsets: memref<2xi64>,
                  %c: memref<264x328xbf16>) {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %offsets, %ks : memref<2xi64>, memref<456xi32> -> !index
  %sum = memref.alloc() : memref<264x328xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<264x328xf32>)
  pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>, array<i64: -1>], packed = array<i1: false, false, false>}
      over(%i : !index) ins(%a, %b : memref<456x264xbf16>, memref<456x328xbf16>) outs(%sum : memref<264x328xf32>) {
  ^bb0(%ta: memref<?x264xbf16, #tile>, %tb: memref<?x328xbf16, #tile>, %tc: memref<264x328xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x264xbf16, #tile>, memref<?x328xbf16, #tile>) outs(%tc : memref<264x328xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<264x328xf32>) outs(%c : memref<264x328xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %sum : memref<264x328xf32>
  return
}

// -----

// One matrix with itself; sums that stay f32; numbers of 64 bits.
!ks = !pit.index<[?], coordinate = 0, tile = [1], width = 64>
!index = !pit.index_buffer<!ks>
#tile = strided<[?, ?], offset: ?>
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @gram
// CHECK-DAG: pit.offsets
// CHECK-DAG: pit.coords
// CHECK: gpu.launch_func
// CHECK-NOT: linalg.
// CHECK: llvm.func @gram_contraction_0
func.func @gram(%i: !index, %a: memref<512x256xbf16>, %c: memref<256x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<256x256xf32>)
  pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>, array<i64: -1>], packed = array<i1: false, false, false>}
      over(%i : !index) ins(%a, %a : memref<512x256xbf16>, memref<512x256xbf16>) outs(%c : memref<256x256xf32>) {
  ^bb0(%ta: memref<?x256xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<256x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x256xbf16, #tile>, memref<?x256xbf16, #tile>) outs(%tc : memref<256x256xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  return
}

// -----

// Left alone: what it adds to is not zero; A has k contiguous, so that single
// elements would have to be gathered.
!ks = !pit.index<[512], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!ks>
#tile = strided<[?, ?], offset: ?>
#a = affine_map<(m, n, k) -> (k, m)>
#at = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @added
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @added(%i: !index, %a: memref<512x256xbf16>, %b: memref<512x256xbf16>, %c: memref<256x256xf32>) {
  pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>, array<i64: -1>], packed = array<i1: false, false, false>}
      over(%i : !index) ins(%a, %b : memref<512x256xbf16>, memref<512x256xbf16>) outs(%c : memref<256x256xf32>) {
  ^bb0(%ta: memref<?x256xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<256x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x256xbf16, #tile>, memref<?x256xbf16, #tile>) outs(%tc : memref<256x256xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  return
}

// CHECK-LABEL: func.func @contiguous
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @contiguous(%i: !index, %a: memref<256x512xbf16>, %b: memref<512x256xbf16>, %c: memref<256x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<256x256xf32>)
  pit.tiled flat tile 64 {dims = [array<i64: 1>, array<i64: 0>, array<i64: -1>], packed = array<i1: false, false, false>}
      over(%i : !index) ins(%a, %b : memref<256x512xbf16>, memref<512x256xbf16>) outs(%c : memref<256x256xf32>) {
  ^bb0(%ta: memref<256x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<256x256xf32, #tile>):
    linalg.generic {indexing_maps = [#at, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<256x?xbf16, #tile>, memref<?x256xbf16, #tile>) outs(%tc : memref<256x256xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  return
}

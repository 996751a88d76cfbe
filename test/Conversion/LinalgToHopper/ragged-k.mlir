// RUN: pit-opt %s -pit-form-kernels=chip=sm_90a -pit-plan-kernels=chip=sm_90a -split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// A product of ragged k for each segment: rows of A, stored [k, m], are
// gathered, those of B lie packed. The fill and the rounding are part of it.
!ks = !pit.index<[456, 4], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!ks>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(s, m, n) -> (s, m, n)>
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// PLAN-LABEL: func.func @listed(
// PLAN-NOT: linalg.
// PLAN: pit.contract segment_depth over(%{{.*}}) ins(%arg0, %arg1 : memref<456x264xbf16>, memref<912x328xbf16>) outs(%arg4 : memref<4x264x328xbf16>)
// PLAN-SAME: plan <family = ragged_k_gemm, tile = [128, 256], stages = 4, consumers = 2, tma_store = true>
// PLAN-SAME: listed = array<i1: true, false, false>
// CHECK-LABEL: func.func @listed(
// CHECK-SAME: %[[A:.*]]: memref<456x264xbf16>, %[[B:.*]]: memref<912x328xbf16>, %[[KS:.*]]: memref<912xi32>, %[[OFFSETS:.*]]: memref<5xi64>, %[[C:.*]]: memref<4x264x328xbf16>)
// CHECK-NOT: pit.
// CHECK-NOT: linalg.
// CHECK: %[[PA:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [], strides: []
// CHECK: %[[MAPB:.*]] = nvgpu.tma.create.descriptor
// CHECK: %[[MAPC:.*]] = nvgpu.tma.create.descriptor
// CHECK: gpu.launch_func {{.*}} args(%[[PA]] : {{.*}}, %[[MAPB]] : {{.*}}, %[[MAPC]] : {{.*}}, %c264_i32 : i32, %c328_i32 : i32, %c912_i32 : i32, %c264_i32 : i32, %c328_i32 : i32, %c4_i32 : i32)
// CHECK: llvm.func @listed_contraction_0
// Where the segment begins and ends; nothing listed is one step.
// CHECK: %[[BEGIN:.*]] = llvm.load {{.*}} -> i64
// CHECK: %[[END:.*]] = llvm.load {{.*}} -> i64
// CHECK: arith.select %{{.*}}, %c1_i32
// Whole steps of what is packed are boxes.
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.mbarrier.arrive {{.*}} {noinc = true}
// CHECK: nvvm.wgmma.mma_async {{.*}}col{{.*}}row
func.func @listed(%a: memref<456x264xbf16>, %b: memref<912x328xbf16>, %ks: memref<912xi32>, %offsets: memref<5xi64>,
                  %c: memref<4x264x328xbf16>) {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %offsets, %ks : memref<5xi64>, memref<912xi32> -> !index
  %sum = memref.alloc() : memref<4x264x328xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<4x264x328xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: false, true, false>}
      over(%i : !index) ins(%a, %b : memref<456x264xbf16>, memref<912x328xbf16>) outs(%sum : memref<4x264x328xf32>) {
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
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : memref<4x264x328xf32>) outs(%c : memref<4x264x328xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %sum : memref<4x264x328xf32>
  return
}

// -----

// Left alone: what it adds to is not zero.
!ks = !pit.index<[512, 4], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!ks>
#tile = strided<[?, ?], offset: ?>
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// PLAN-LABEL: func.func @added
// PLAN: pit.tiled
// CHECK-LABEL: func.func @added
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @added(%i: !index, %a: memref<512x256xbf16>, %b: memref<512x256xbf16>, %c: memref<4x256x256xf32>) {
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: false, false, false>}
      over(%i : !index) ins(%a, %b : memref<512x256xbf16>, memref<512x256xbf16>) outs(%c : memref<4x256x256xf32>) {
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

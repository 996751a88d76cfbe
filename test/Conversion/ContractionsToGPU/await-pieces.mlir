// A grouped GEMM that gathers rows which other ranks push waits tile by tile, if nothing else reads them.
// RUN: pit-opt %s -convert-contractions-to-hopper=plan=false -split-input-file --remarks-filter=pit-kernels 2>&1 | FileCheck %s

#mk = affine_map<(s, m, n, k) -> (m, k)>
#kn = affine_map<(s, m, n, k) -> (s, k, n)>
#mn = affine_map<(s, m, n, k) -> (m, n)>
!index = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// CHECK: StartsBefore="all rows of other ranks have come"
// CHECK-LABEL: func.func @alone(
// CHECK-NOT: pit.await_pieces
// CHECK: gpu.launch_func
// CHECK: nvvm.redux.sync umin
// CHECK: llvm.load %{{.*}} atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
func.func @alone(%x: memref<?x512xbf16>, %w: memref<8x512x256xbf16>, %offsets: memref<9xi64>, %coords: memref<?xi32>, %rows: index,
                 %packed: memref<?x256xbf16>, %words: memref<2xi32>, %rank: index) {
  pit.await_pieces %x arrived(%words) own(%rank) : memref<?x512xbf16>, memref<2xi32>
  %index = pit.assemble %offsets, %coords extents(%rows) : memref<9xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  pit.contract segments over(%index : !pit.index_buffer<!index>) ins(%x, %w : memref<?x512xbf16>, memref<8x512x256xbf16>)
    outs(%packed : memref<?x256xbf16>) plan <family = grouped_gemm, tile = [128, 256], stages = 4, consumers = 2, swap_tails = true,
      extra_rows = 24, tma_store = true, dynamic = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, false>}
  return
}

// -----

#mk = affine_map<(s, m, n, k) -> (m, k)>
#kn = affine_map<(s, m, n, k) -> (s, k, n)>
#mn = affine_map<(s, m, n, k) -> (m, n)>
!index = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// Somebody else reads them behind the wait, which stays.
// CHECK-NOT: StartsBefore
// CHECK-LABEL: func.func @shared(
// CHECK: pit.await_pieces
// CHECK: memref.load
// CHECK: gpu.launch_func
func.func @shared(%x: memref<?x512xbf16>, %w: memref<8x512x256xbf16>, %offsets: memref<9xi64>, %coords: memref<?xi32>, %rows: index,
                  %packed: memref<?x256xbf16>, %words: memref<2xi32>, %rank: index) -> bf16 {
  pit.await_pieces %x arrived(%words) own(%rank) : memref<?x512xbf16>, memref<2xi32>
  %e = memref.load %x[%rank, %rank] : memref<?x512xbf16>
  %index = pit.assemble %offsets, %coords extents(%rows) : memref<9xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  pit.contract segments over(%index : !pit.index_buffer<!index>) ins(%x, %w : memref<?x512xbf16>, memref<8x512x256xbf16>)
    outs(%packed : memref<?x256xbf16>) plan <family = grouped_gemm, tile = [128, 256], stages = 4, consumers = 2, swap_tails = true,
      extra_rows = 24, tma_store = true, dynamic = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, false>}
  return %e : bf16
}

// -----

#mk = affine_map<(s, m, n, k) -> (m, k)>
#kn = affine_map<(s, m, n, k) -> (s, k, n)>
#mn = affine_map<(s, m, n, k) -> (m, n)>
!index = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// Packed rows come by the copy engine, one thread of which asks nobody.
// CHECK-LABEL: func.func @packed(
// CHECK: pit.await_pieces
// CHECK: gpu.launch_func
func.func @packed(%x: memref<?x512xbf16>, %w: memref<8x512x256xbf16>, %offsets: memref<9xi64>, %coords: memref<?xi32>, %rows: index,
                  %packed: memref<?x256xbf16>, %words: memref<2xi32>, %rank: index) {
  pit.await_pieces %x arrived(%words) own(%rank) : memref<?x512xbf16>, memref<2xi32>
  %index = pit.assemble %offsets, %coords extents(%rows) : memref<9xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  pit.contract segments over(%index : !pit.index_buffer<!index>) ins(%x, %w : memref<?x512xbf16>, memref<8x512x256xbf16>)
    outs(%packed : memref<?x256xbf16>) plan <family = grouped_gemm, tile = [128, 256], stages = 4, consumers = 2, swap_tails = true,
      extra_rows = 24, tma_store = true, dynamic = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file | FileCheck %s

// What a block cannot hold, and products of matrices, are left for other passes.
!i = !pit.index<[64], coordinate = 0, tile = [1], width = 32>
!b = !pit.index_buffer<!i>
#row = affine_map<(r, j) -> (r, j)>
!tile = memref<?x524288xf32, strided<[?, ?], offset: ?>>
// CHECK-LABEL: func @wide
// CHECK: pit.tiled
func.func @wide(%offsets: memref<2xi64>, %coords: memref<64xi32>, %x: memref<64x524288xf32>, %y: memref<64x524288xf32>) {
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<64xi32> -> !b
  pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, true>}
      over(%i : !b) ins(%x : memref<64x524288xf32>) outs(%y : memref<64x524288xf32>) {
  ^bb0(%a: !tile, %o: !tile):
    linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%a : !tile) outs(%o : !tile) {
    ^bb0(%l: f32, %acc: f32):
      %n = arith.negf %l : f32
      linalg.yield %n : f32
    }
    pit.yield
  }
  return
}

// -----

!i = !pit.index<[64], coordinate = 0, tile = [1], width = 32>
!b = !pit.index_buffer<!i>
#row = affine_map<(r, j) -> (r, j)>
!tile = memref<?x64xf32, strided<[?, ?], offset: ?>>
// Rows are written that others are computed from: the i-th of x is not the one with the i-th listed number.
// CHECK-LABEL: func @in_place
// CHECK: pit.tiled
func.func @in_place(%offsets: memref<2xi64>, %coords: memref<64xi32>, %x: memref<64x64xf32>) {
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<64xi32> -> !b
  pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, false>}
      over(%i : !b) ins(%x : memref<64x64xf32>) outs(%x : memref<64x64xf32>) {
  ^bb0(%a: !tile, %o: !tile):
    linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%a : !tile) outs(%o : !tile) {
    ^bb0(%l: f32, %acc: f32):
      %n = arith.negf %l : f32
      linalg.yield %n : f32
    }
    pit.yield
  }
  return
}

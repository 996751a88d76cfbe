// RUN: pit-opt %s --pit-expand-tiles=blocks=264 --canonicalize --cse | FileCheck %s

!rows = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
!experts = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!tile = memref<?x16xf32, strided<[?, ?], offset: ?>>
!matrix = memref<16x16xf32, strided<[?, ?], offset: ?>>

// A block begins with its own tile of the list.
// CHECK-LABEL: func @flat
// CHECK: scf.forall (%[[BLOCK:.*]]) in (%[[BLOCKS:.*]]) {
// CHECK: %[[STEP:.*]] = arith.muli %[[BLOCKS]], %c64 : index
// CHECK: %[[MINE:.*]] = arith.muli %[[BLOCK]], %c64 : index
// CHECK: scf.for %{{.*}} = %[[MINE]] to %{{.*}} step %[[STEP]]
func.func @flat(%x: memref<?x16xf32>, %y: memref<?x16xf32>, %i: !pit.index_buffer<!rows>) {
  pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, false>}
      over(%i : !pit.index_buffer<!rows>) ins(%x : memref<?x16xf32>) outs(%y : memref<?x16xf32>) {
  ^bb0(%a: !tile, %b: !tile):
    linalg.exp ins(%a : !tile) outs(%b : !tile)
    pit.yield
  }
  return
}

// Segments of a part of a longer list: its first position is the first segment's.
// CHECK-LABEL: func @flat_segments
// CHECK: %[[OFFSETS:.*]] = pit.offsets
// CHECK: scf.forall (%[[BLOCK:.*]]) in
// CHECK: %[[BEGIN:.*]] = memref.load %[[OFFSETS]][%c0]
// CHECK: %[[FROM:.*]] = arith.index_cast %[[BEGIN]] : i64 to index
// CHECK: %[[MINE:.*]] = arith.muli %[[BLOCK]], %c64 : index
// CHECK: %[[FIRST:.*]] = arith.addi %[[FROM]], %[[MINE]] : index
// CHECK: scf.for %{{.*}} = %[[FIRST]] to
func.func @flat_segments(%x: memref<?x16xf32>, %y: memref<?x16xf32>, %i: !pit.index_buffer<!experts>) {
  pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: false, true>}
      over(%i : !pit.index_buffer<!experts>) ins(%x : memref<?x16xf32>) outs(%y : memref<?x16xf32>) {
  ^bb0(%a: !tile, %b: !tile):
    linalg.exp ins(%a : !tile) outs(%b : !tile)
    pit.yield
  }
  return
}

// All segments, from the first on; the tile with the block's number in the first one.
// CHECK-LABEL: func @segments
// CHECK: scf.forall (%[[BLOCK:.*]]) in
// CHECK: scf.for %[[SEGMENT:.*]] = %c0 to %c8 step %c1 iter_args(%[[NEXT:.*]] = %[[BLOCK]])
// CHECK: %[[DISTANCE:.*]] = arith.muli %[[NEXT]], %c64 : index
// CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %[[DISTANCE]] : index
// CHECK: scf.for %{{.*}} = %[[FIRST]] to
func.func @segments(%x: memref<?x16xf32>, %w: memref<8x16x16xf32>, %y: memref<?x16xf32>, %i: !pit.index_buffer<!experts>) {
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, true>}
      over(%i : !pit.index_buffer<!experts>) ins(%x, %w : memref<?x16xf32>, memref<8x16x16xf32>) outs(%y : memref<?x16xf32>) {
  ^bb0(%a: !tile, %b: !matrix, %c: !tile):
    linalg.matmul ins(%a, %b : !tile, !matrix) outs(%c : !tile)
    pit.yield
  }
  return
}

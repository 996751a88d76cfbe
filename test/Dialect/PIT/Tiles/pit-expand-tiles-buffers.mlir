// RUN: pit-opt %s --pit-expand-tiles | FileCheck %s --check-prefixes=CHECK,SERIAL
// RUN: pit-opt %s --pit-expand-tiles=blocks=264 | FileCheck %s --check-prefixes=CHECK,BLOCKS

#row = affine_map<(d0, d1) -> (d0, d1)>
!rows = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
!experts = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!tile = memref<?x16xf32, strided<[?, ?], offset: ?>>

// Listed rows are copied into a tile and back; one that is set before it is read needs no copy.
// CHECK-LABEL: func @listed
// CHECK-SAME: %[[X:.*]]: memref<?x16xf32>, %[[Y:.*]]: memref<?x16xf32>
// SERIAL-NOT: scf.forall
// BLOCKS: %[[ROOM:.*]] = memref.dim %{{.*}} : memref<?xi32>
// BLOCKS: %[[TILES:.*]] = arith.ceildivui %[[ROOM]], %{{.*}}
// BLOCKS: scf.forall (%[[BLOCK:.*]]) in (%[[BLOCKS:.*]]) {
// BLOCKS: %[[STEP:.*]] = arith.muli %[[BLOCKS]], %c64
// BLOCKS: %[[MINE:.*]] = arith.muli %[[BLOCK]], %c64
// BLOCKS: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[STEP]]
// SERIAL: scf.for
// CHECK: %[[IN:.*]] = memref.alloc(%{{.*}}) : memref<?x16xf32>
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = memref.subview %[[X]][%{{.*}}, 0] [1, 16] [1, 1]
// CHECK: memref.copy %[[ROW]], %{{.*}}
// CHECK: %[[OUT:.*]] = memref.alloc(%{{.*}}) : memref<?x16xf32>
// CHECK-NOT: memref.subview %[[Y]]
// CHECK: linalg.fill
// CHECK: linalg.generic
// CHECK: scf.for
// CHECK: %[[TO:.*]] = memref.subview %[[Y]][%{{.*}}, 0] [1, 16] [1, 1]
// CHECK: memref.copy %{{.*}}, %[[TO]]
// BLOCKS: mapping = [#gpu.block<linear_dim_0>]
func.func @listed(%x: memref<?x16xf32>, %y: memref<?x16xf32>, %i: !pit.index_buffer<!rows>) {
  %zero = arith.constant 0.0 : f32
  pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, false>}
      over(%i : !pit.index_buffer<!rows>) ins(%x : memref<?x16xf32>) outs(%y : memref<?x16xf32>) {
  ^bb0(%a: !tile, %b: !tile):
    linalg.fill ins(%zero : f32) outs(%b : !tile)
    linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
        ins(%a : !tile) outs(%b : !tile) {
    ^bb1(%v: f32, %o: f32):
      %s = arith.addf %v, %o : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  return
}

// Rows occur in several segments, which add up in order: one block has them all.
// CHECK-LABEL: func @accumulates
// CHECK-NOT: scf.forall
// CHECK: scf.for
// CHECK: return
func.func @accumulates(%x: memref<?x16xf32>, %y: memref<?x16xf32>, %i: !pit.index_buffer<!experts>) {
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false>}
      over(%i : !pit.index_buffer<!experts>) ins(%x : memref<?x16xf32>) outs(%y : memref<?x16xf32>) {
  ^bb0(%a: !tile, %b: !tile):
    linalg.add ins(%a, %b : !tile, !tile) outs(%b : !tile)
    pit.yield
  }
  return
}

// Packed rows of different segments lie apart: blocks take tiles in turn, and the matrix of the segment.
// CHECK-LABEL: func @segments
// CHECK-SAME: %{{.*}}: memref<?x16xf32>, %[[W:.*]]: memref<8x16xf32>
// BLOCKS: scf.forall (%[[BLOCK:.*]]) in
// BLOCKS: scf.for %[[S:.*]] = %{{.*}} to %c8{{.*}} step %{{.*}} iter_args(%[[NEXT:.*]] = %[[BLOCK]])
// SERIAL: scf.for %[[S:.*]] = %{{.*}} to %c8
// CHECK: memref.subview %[[W]][%[[S]], 0] [1, 16] [1, 1] : memref<8x16xf32> to memref<16xf32
func.func @segments(%x: memref<?x16xf32>, %w: memref<8x16xf32>, %i: !pit.index_buffer<!experts>) {
  pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, true>}
      over(%i : !pit.index_buffer<!experts>) ins(%w : memref<8x16xf32>) outs(%x : memref<?x16xf32>) {
  ^bb0(%a: memref<16xf32, strided<[?], offset: ?>>, %b: !tile):
    linalg.broadcast ins(%a : memref<16xf32, strided<[?], offset: ?>>) outs(%b : !tile) dimensions = [0]
    pit.yield
  }
  return
}

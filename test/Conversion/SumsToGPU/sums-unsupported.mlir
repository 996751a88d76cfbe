// What does not fit stays for the loops, as it is.
// RUN: pit-opt %s --convert-sums-to-gpu --split-input-file | FileCheck %s
// CHECK-NOT: gpu.launch_func

#rows = affine_map<(p, d) -> (p, d)>
#row = affine_map<(p, d) -> (d)>
!i = !pit.index<[64, 256], coordinate = 1, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
!tr = memref<?x16xf32, strided<[?, ?], offset: ?>>
!ty = memref<16xf32, strided<[?], offset: ?>>

// The payload reads a buffer besides.
// CHECK-LABEL: func @reads
// CHECK: pit.tiled
func.func @reads(%rows: memref<256x16xf32>, %s: memref<f32>, %o: memref<65xi64>, %c: memref<256xi32>, %y: memref<64x16xf32>) {
  %i = pit.assemble %o, %c : memref<65xi64>, memref<256xi32> -> !b
  pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>}
      over(%i : !b) ins(%rows : memref<256x16xf32>) outs(%y : memref<64x16xf32>) {
  ^bb0(%tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["reduction", "parallel"]} ins(%tr : !tr) outs(%ty : !ty) {
    ^bb1(%r: f32, %acc: f32):
      %f = memref.load %s[] : memref<f32>
      %m = arith.mulf %r, %f : f32
      %a = arith.addf %acc, %m : f32
      linalg.yield %a : f32
    }
    pit.yield
  }
  return
}

// -----

#rows = affine_map<(p, d) -> (p, d)>
#row = affine_map<(p, d) -> (d)>
!i = !pit.index<[64, 64], coordinate = 1, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
!tr = memref<?x16xf32, strided<[?, ?], offset: ?>>
!ty = memref<16xf32, strided<[?], offset: ?>>

// Rows are read that others write.
// CHECK-LABEL: func @in_place
// CHECK: pit.tiled
func.func @in_place(%o: memref<65xi64>, %c: memref<256xi32>, %y: memref<64x16xf32>) {
  %i = pit.assemble %o, %c : memref<65xi64>, memref<256xi32> -> !b
  pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>}
      over(%i : !b) ins(%y : memref<64x16xf32>) outs(%y : memref<64x16xf32>) {
  ^bb0(%tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["reduction", "parallel"]} ins(%tr : !tr) outs(%ty : !ty) {
    ^bb1(%r: f32, %acc: f32):
      %a = arith.addf %acc, %r : f32
      linalg.yield %a : f32
    }
    pit.yield
  }
  return
}

// -----

#rows = affine_map<(p, d) -> (p, d)>
#row = affine_map<(p, d) -> (d)>
!i = !pit.index<[64, 256], coordinate = 1, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
!tr = memref<?x16xf32, strided<[?, ?], offset: ?>>
!ty = memref<16xf32, strided<[?], offset: ?>>

// A scalar of the device is needed on both sides.
// CHECK-LABEL: func @crossed
// CHECK: pit.tiled
func.func @crossed(%rows: memref<256x16xf32>, %s: memref<f32>, %o: memref<65xi64>, %c: memref<256xi32>, %y: memref<64x16xf32>) {
  %f = memref.load %s[] : memref<f32>
  %i = pit.assemble %o, %c : memref<65xi64>, memref<256xi32> -> !b
  pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>}
      over(%i : !b) ins(%rows : memref<256x16xf32>) outs(%y : memref<64x16xf32>) {
  ^bb0(%tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["reduction", "parallel"]} ins(%tr : !tr) outs(%ty : !ty) {
    ^bb1(%r: f32, %acc: f32):
      %a = arith.addf %acc, %r : f32
      linalg.yield %a : f32
    }
    pit.yield
  }
  memref.store %f, %s[] : memref<f32>
  return
}

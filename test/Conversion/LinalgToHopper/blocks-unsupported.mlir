// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file | FileCheck %s

// Products of live micro-tiles that stay for the generic path.

// Micro-tiles of 12 rows, for which no instruction has as many columns.
!rows12 = !pit.index<[240, 512], coordinate = 1, tile = [12, 64], width = 32>
#id = affine_map<(m, n) -> (m, n)>
#tile = strided<[?, ?], offset: ?>
// CHECK-LABEL: @rows
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @rows(%a: memref<240x512xbf16>, %b: memref<512x256xbf16>, %c: memref<240x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<21xi64>
  %coords = memref.alloc() : memref<160xi32>
  pit.detect_into values(%a : memref<240x512xbf16>) outs(%offsets, %coords : memref<21xi64>, memref<160xi32>)
    <kind = values, axes = [0, 1], tile = [12, 64]> : !rows12
  %i = pit.assemble %offsets, %coords : memref<21xi64>, memref<160xi32> -> !pit.index_buffer<!rows12>
  %sum = memref.alloc() : memref<240x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<240x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!rows12>) ins(%a, %b : memref<240x512xbf16>, memref<512x256xbf16>)
      outs(%sum : memref<240x256xf32>) {
  ^bb0(%ta: memref<12x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<12x256xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<12x?xbf16, #tile>, memref<?x256xbf16, #tile>)
      outs(%tc : memref<12x256xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<240x256xf32>) outs(%c : memref<240x256xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Lists that something else writes may name more than the detection found.
!index = !pit.index<[256, 512], coordinate = 1, tile = [32, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: @changed
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @changed(%a: memref<256x512xbf16>, %b: memref<512x256xbf16>, %c: memref<256x256xbf16>, %v: i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<64xi32>
  pit.detect_into values(%a : memref<256x512xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<64xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> : !index
  memref.store %v, %coords[%c0] : memref<64xi32>
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<64xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x512xbf16>, memref<512x256xbf16>)
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

// Rows dead of a mask need not be zero where a step covers several micro-tiles.
!given = !pit.index<[256, 512], coordinate = 1, tile = [32, 32], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: @halves
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @halves(%a: memref<256x512xbf16>, %live: memref<8x16xi1>, %b: memref<512x256xbf16>, %c: memref<256x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<128xi32>
  pit.detect_into by(%live : memref<8x16xi1>) outs(%offsets, %coords : memref<9xi64>, memref<128xi32>)
    <kind = blocks, axes = [0, 1], tile = [32, 32]> : !given
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<128xi32> -> !pit.index_buffer<!given>
  %sum = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!given>) ins(%a, %b : memref<256x512xbf16>, memref<512x256xbf16>)
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

// One strip of 72 rows fits, and results are written 16 rows at a time.
!rows72 = !pit.index<[720, 512], coordinate = 1, tile = [72, 64], width = 32>
#id = affine_map<(m, n) -> (m, n)>
#tile = strided<[?, ?], offset: ?>
// CHECK-LABEL: @odd
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @odd(%a: memref<720x512xbf16>, %b: memref<512x256xbf16>, %c: memref<720x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<11xi64>
  %coords = memref.alloc() : memref<80xi32>
  pit.detect_into values(%a : memref<720x512xbf16>) outs(%offsets, %coords : memref<11xi64>, memref<80xi32>)
    <kind = values, axes = [0, 1], tile = [72, 64]> : !rows72
  %i = pit.assemble %offsets, %coords : memref<11xi64>, memref<80xi32> -> !pit.index_buffer<!rows72>
  %sum = memref.alloc() : memref<720x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<720x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!rows72>) ins(%a, %b : memref<720x512xbf16>, memref<512x256xbf16>)
      outs(%sum : memref<720x256xf32>) {
  ^bb0(%ta: memref<72x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<72x256xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<72x?xbf16, #tile>, memref<?x256xbf16, #tile>)
      outs(%tc : memref<72x256xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<720x256xf32>) outs(%c : memref<720x256xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

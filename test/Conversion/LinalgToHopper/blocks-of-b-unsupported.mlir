// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file | FileCheck %s

// Products of live micro-tiles of B that stay for the generic path.

// Where words go across strips, several micro-tiles of a step lie in different
// ones.
!index = !pit.index<[512, 256], coordinate = 1, tile = [32, 32], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: @halves
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @halves(%a: memref<1024x512xbf16>, %b: memref<512x256xbf16>, %c: memref<1024x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<17xi64>
  %coords = memref.alloc() : memref<128xi32>
  pit.detect_into values(%b : memref<512x256xbf16>) outs(%offsets, %coords : memref<17xi64>, memref<128xi32>)
    <kind = values, axes = [0, 1], tile = [32, 32]> : !index
  %i = pit.assemble %offsets, %coords : memref<17xi64>, memref<128xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1024x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1024x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 1, -1>, array<i64: 0, 1>, array<i64: -1, 1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1024x512xbf16>, memref<512x256xbf16>)
      outs(%sum : memref<1024x256xf32>) {
  ^bb0(%ta: memref<1024x32xbf16, #tile>, %tb: memref<32x?xbf16, #tile>, %tc: memref<1024x?xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<1024x32xbf16, #tile>, memref<32x?xbf16, #tile>)
      outs(%tc : memref<1024x?xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<1024x256xf32>) outs(%c : memref<1024x256xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// 8 columns of one k are narrower than any swizzle, ...
!index = !pit.index<[512, 256], coordinate = 1, tile = [64, 8], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: @narrow
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @narrow(%a: memref<1024x512xbf16>, %b: memref<512x256xbf16>, %c: memref<1024x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<256xi32>
  pit.detect_into values(%b : memref<512x256xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<256xi32>)
    <kind = values, axes = [0, 1], tile = [64, 8]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<256xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1024x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1024x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 1, -1>, array<i64: 0, 1>, array<i64: -1, 1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1024x512xbf16>, memref<512x256xbf16>)
      outs(%sum : memref<1024x256xf32>) {
  ^bb0(%ta: memref<1024x64xbf16, #tile>, %tb: memref<64x?xbf16, #tile>, %tc: memref<1024x?xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<1024x64xbf16, #tile>, memref<64x?xbf16, #tile>)
      outs(%tc : memref<1024x?xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<1024x256xf32>) outs(%c : memref<1024x256xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// ... and 48 are as wide as none.
!index = !pit.index<[512, 240], coordinate = 1, tile = [64, 48], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: @odd
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @odd(%a: memref<1024x512xbf16>, %b: memref<512x240xbf16>, %c: memref<1024x240xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<40xi32>
  pit.detect_into values(%b : memref<512x240xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<40xi32>)
    <kind = values, axes = [0, 1], tile = [64, 48]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<40xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1024x240xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1024x240xf32>)
  pit.tiled tile 64 {dims = [array<i64: 1, -1>, array<i64: 0, 1>, array<i64: -1, 1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1024x512xbf16>, memref<512x240xbf16>)
      outs(%sum : memref<1024x240xf32>) {
  ^bb0(%ta: memref<1024x64xbf16, #tile>, %tb: memref<64x?xbf16, #tile>, %tc: memref<1024x?xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<1024x64xbf16, #tile>, memref<64x?xbf16, #tile>)
      outs(%tc : memref<1024x?xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<1024x240xf32>) outs(%c : memref<1024x240xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

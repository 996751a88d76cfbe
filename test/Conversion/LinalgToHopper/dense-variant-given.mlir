// RUN: pit-opt %s -convert-contractions-to-hopper=multiprocessors=4 -canonicalize -cse -split-input-file | FileCheck %s

// What a mask says is dead may hold anything. Where little is, all blocks
// multiply everything, with zeros in its place.
!index = !pit.index<[256, 512], coordinate = 1, tile = [32, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @given(
// Boxes of A are micro-tiles in both variants.
// CHECK-COUNT-2: nvgpu.tma.create.descriptor {{.*}}tensor = memref<32x64xbf16
// CHECK: gpu.launch_func
// CHECK: llvm.func @given_contraction_0(
// CHECK: llvm.intr.ctpop
// CHECK: arith.cmpi ule
// CHECK: nvvm.wgmma.commit
// Where little is live, tiles have fewer strips.
// CHECK: nvvm.wgmma.commit
// Of four strips, dead ones are asked for outside of the matrix.
// CHECK-COUNT-4: arith.select %{{.*}}, %{{.*}}, %c1073741824_i32
// CHECK: nvvm.wgmma.commit
func.func @given(%a: memref<256x512xbf16>, %b: memref<512x256xbf16>, %bias: memref<256xf32>, %live: memref<8x8xi1>,
                  %c: memref<256x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<64xi32>
  pit.detect_into by(%live : memref<8x8xi1>) outs(%offsets, %coords : memref<9xi64>, memref<64xi32>)
    <kind = blocks, axes = [0, 1], tile = [32, 64]> rule 3 : !index
  %from = memref.cast %offsets : memref<9xi64> to memref<?xi64>
  %at = memref.cast %coords : memref<64xi32> to memref<?xi32>
  %i = pit.assemble %from, %at : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x512xbf16>, memref<512x256xbf16>)
      outs(%sum : memref<256x256xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<32x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x256xbf16, #tile>) outs(%tc : memref<32x256xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %bias : memref<256x256xf32>, memref<256xf32>) outs(%c : memref<256x256xbf16>) {
  ^bb0(%x: f32, %v: f32, %o: bf16):
    %y = arith.addf %x, %v : f32
    %z = arith.maximumf %y, %zero : f32
    %t = arith.truncf %z : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// The same of B, whose panels of 64 columns are as wide as micro-tiles.
!index = !pit.index<[512, 256], coordinate = 1, tile = [64, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @whole_panels(
// CHECK: llvm.func @whole_panels_contraction_0(
// CHECK: nvvm.wgmma.commit
// CHECK-COUNT-4: arith.select %{{.*}}, %{{.*}}, %c1073741824_i32
// CHECK: nvvm.wgmma.commit
func.func @whole_panels(%a: memref<1024x512xbf16>, %b: memref<512x256xbf16>, %bias: memref<256xf32>, %live: memref<8x4xi1>, %c: memref<1024x256xbf16>,
                  %m: index) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<32xi32>
  pit.detect_into by(%live : memref<8x4xi1>) outs(%offsets, %coords : memref<9xi64>, memref<32xi32>)
    <kind = blocks, axes = [0, 1], tile = [64, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<32xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1024x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1024x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 1, -1>, array<i64: 0, 1>, array<i64: -1, 1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1024x512xbf16>, memref<512x256xbf16>)
      outs(%sum : memref<1024x256xf32>) {
  ^bb0(%ta: memref<1024x64xbf16, #tile>, %tb: memref<64x1024xbf16, #tile>, %tc: memref<1024x1024xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<1024x64xbf16, #tile>, memref<64x1024xbf16, #tile>) outs(%tc : memref<1024x1024xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %bias : memref<1024x256xf32>, memref<256xf32>) outs(%c : memref<1024x256xbf16>) {
  ^bb0(%x: f32, %v: f32, %o: bf16):
    %y = arith.addf %x, %v : f32
    %z = arith.maximumf %y, %zero : f32
    %t = arith.truncf %z : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Where a panel holds two micro-tiles, they do not come alone.
!index = !pit.index<[512, 256], coordinate = 1, tile = [64, 32], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @half_panels(
// CHECK: llvm.func @half_panels_contraction_0(
// Three heights of tiles, and no dense product.
// CHECK-COUNT-3: nvvm.wgmma.commit
// CHECK-NOT: nvvm.wgmma.commit
func.func @half_panels(%a: memref<1024x512xbf16>, %b: memref<512x256xbf16>, %bias: memref<256xf32>, %live: memref<8x8xi1>, %c: memref<1024x256xbf16>,
                  %m: index) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<64xi32>
  pit.detect_into by(%live : memref<8x8xi1>) outs(%offsets, %coords : memref<9xi64>, memref<64xi32>)
    <kind = blocks, axes = [0, 1], tile = [64, 32]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<64xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1024x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1024x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 1, -1>, array<i64: 0, 1>, array<i64: -1, 1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1024x512xbf16>, memref<512x256xbf16>)
      outs(%sum : memref<1024x256xf32>) {
  ^bb0(%ta: memref<1024x64xbf16, #tile>, %tb: memref<64x1024xbf16, #tile>, %tc: memref<1024x1024xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<1024x64xbf16, #tile>, memref<64x1024xbf16, #tile>) outs(%tc : memref<1024x1024xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %bias : memref<1024x256xf32>, memref<256xf32>) outs(%c : memref<1024x256xbf16>) {
  ^bb0(%x: f32, %v: f32, %o: bf16):
    %y = arith.addf %x, %v : f32
    %z = arith.maximumf %y, %zero : f32
    %t = arith.truncf %z : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

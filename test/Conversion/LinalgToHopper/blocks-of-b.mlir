// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// It is B, stored [k, n], that has dead micro-tiles, of 64 k and 32 columns:
// the kernel exchanges A and B, and writes rows of the output as they are. Words
// of bits go across strips of columns. The elementwise op is part of it.
!index = !pit.index<[512, 256], coordinate = 1, tile = [64, 32], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @across(
// CHECK-SAME: %[[A:.*]]: memref<?x512xbf16>, %[[B:.*]]: memref<512x256xbf16>, %[[BIAS:.*]]: memref<256xf32>, %[[C:.*]]: memref<?x256xbf16>, %[[M:.*]]: index)
// CHECK-NOT: pit.detect_into
// CHECK: %[[BITS:.*]] = memref.alloc() : memref<9xi32>
// CHECK-NEXT: pit.detect_bits_into values(%[[B]] : memref<512x256xbf16>) outs(%[[BITS]] : memref<9xi32>) <kind = values, axes = [0, 1], tile = [64, 32]> :
// CHECK-NOT: pit.tiled
// A strip of B is as wide as its swizzle; then come rows of A, and C.
// CHECK: memref.cast %{{.*}} : memref<512x256xbf16{{.*}} to memref<*xbf16>
// CHECK: nvgpu.tma.create.descriptor {{.*}}tensor = memref<64x32xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_64b
// CHECK: nvgpu.tma.create.descriptor {{.*}}tensor = memref<128x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// CHECK: nvgpu.tma.create.descriptor {{.*}}tensor = memref<16x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// What it calls m is how many columns there are.
// CHECK: %[[ROWS:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK-NOT: linalg.
// CHECK: gpu.launch_func {{.*}} %c256_i32 : i32, %[[ROWS]] : i32, %c512_i32 : i32, %c1_i32 : i32, {{.*}})
// CHECK: llvm.func @across_contraction_0(
// CHECK: nvvm.vote.sync
// CHECK: wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {{.*}}, p, 1, 1, 1;
// CHECK: arith.maximumf
// CHECK: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<row>
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
func.func @across(%a: memref<?x512xbf16>, %b: memref<512x256xbf16>, %bias: memref<256xf32>, %c: memref<?x256xbf16>,
                  %m: index) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<64xi32>
  pit.detect_into values(%b : memref<512x256xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<64xi32>)
    <kind = values, axes = [0, 1], tile = [64, 32]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<64xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc(%m) : memref<?x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 1, -1>, array<i64: 0, 1>, array<i64: -1, 1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<?x512xbf16>, memref<512x256xbf16>)
      outs(%sum : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x?xbf16, #tile>, %tc: memref<?x?xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x?xbf16, #tile>) outs(%tc : memref<?x?xf32, #tile>) {
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
      ins(%sum, %bias : memref<?x256xf32>, memref<256xf32>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%x: f32, %v: f32, %o: bf16):
    %y = arith.addf %x, %v : f32
    %z = arith.maximumf %y, %zero : f32
    %t = arith.truncf %z : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// B is stored [n, k], and which are live is given: words go along k.
!index = !pit.index<[256, 512], coordinate = 1, tile = [32, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @along(
// CHECK: pit.detect_bits_into by(%{{.*}} : memref<8x8xi1>) outs(%{{.*}} : memref<9xi32>)
// CHECK-NOT: pit.tiled
// CHECK: nvgpu.tma.create.descriptor {{.*}}tensor = memref<32x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// CHECK: gpu.launch_func {{.*}} %c256_i32 : i32, %c1024_i32 : i32, %c512_i32 : i32, %c1_i32 : i32)
// CHECK: llvm.func @along_contraction_0(
// CHECK-NOT: nvvm.vote.sync
// CHECK: wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {{.*}}, p, 1, 1, 0;
// CHECK: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<row>
func.func @along(%a: memref<1024x512xbf16>, %b: memref<256x512xbf16>, %live: memref<8x8xi1>, %c: memref<1024x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<64xi32>
  pit.detect_into by(%live : memref<8x8xi1>) outs(%offsets, %coords : memref<9xi64>, memref<64xi32>)
    <kind = blocks, axes = [0, 1], tile = [32, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<64xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1024x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1024x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: -1, 1>, array<i64: 0, 1>, array<i64: 1, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1024x512xbf16>, memref<256x512xbf16>)
      outs(%sum : memref<1024x256xf32>) {
  ^bb0(%ta: memref<1024x?xbf16, #tile>, %tb: memref<32x?xbf16, #tile>, %tc: memref<1024x32xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<1024x?xbf16, #tile>, memref<32x?xbf16, #tile>) outs(%tc : memref<1024x32xf32, #tile>) {
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
      ins(%sum : memref<1024x256xf32>) outs(%c : memref<1024x256xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// A is stored [k, m]: its strips are panels, and nothing is exchanged.
!index = !pit.index<[512, 256], coordinate = 0, tile = [64, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @turned(
// CHECK: pit.detect_bits_into values(%{{.*}} : memref<512x256xbf16>) outs(%{{.*}} : memref<9xi32>) {{.*}}coordinate = 1
// CHECK-NOT: pit.tiled
// CHECK: gpu.launch_func {{.*}} %c256_i32 : i32, %c1024_i32 : i32, %c512_i32 : i32, %c1_i32 : i32
// CHECK: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<col>
func.func @turned(%a: memref<512x256xbf16>, %b: memref<512x1024xbf16>, %c: memref<256x1024xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<5xi64>
  %coords = memref.alloc() : memref<32xi32>
  pit.detect_into values(%a : memref<512x256xbf16>) outs(%offsets, %coords : memref<5xi64>, memref<32xi32>)
    <kind = values, axes = [0, 1], tile = [64, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<5xi64>, memref<32xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<256x1024xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x1024xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<512x256xbf16>, memref<512x1024xbf16>)
      outs(%sum : memref<256x1024xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<?x1024xbf16, #tile>, %tc: memref<64x1024xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<?x1024xbf16, #tile>) outs(%tc : memref<64x1024xf32, #tile>) {
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
      ins(%sum : memref<256x1024xf32>) outs(%c : memref<256x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

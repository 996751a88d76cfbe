// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file | FileCheck %s

// Products of sampled blocks that stay for the generic path.

// No tile of 64 columns fits into blocks of 96.
!index = !pit.index<[1024, 512], coordinate = 0, tile = [128, 96], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#one = affine_map<(m, n) -> (n)>
// CHECK-LABEL: @odd
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @odd(%a: memref<1024x256xbf16>, %b: memref<256x512xbf16>, %live: memref<8x6xi1>, %bias: memref<512xf32>,
                 %c: memref<1024x512xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %offsets = memref.alloc() : memref<7xi64>
  %coords = memref.alloc() : memref<48xi32>
  pit.detect_into by(%live : memref<8x6xi1>) outs(%offsets, %coords : memref<7xi64>, memref<48xi32>)
    <kind = blocks, axes = [0, 1], tile = [128, 96]> : !index
  %i = pit.assemble %offsets, %coords : memref<7xi64>, memref<48xi32> -> !pit.index_buffer<!index>
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 1>, array<i64: -1, 0>, array<i64: 0, 1>],
                      packed = array<i1: false, false, false, false>}
      over(%i : !pit.index_buffer<!index>)
      ins(%a, %b, %bias : memref<1024x256xbf16>, memref<256x512xbf16>, memref<512xf32>) outs(%c : memref<1024x512xbf16>) {
  ^bb0(%ta: memref<?x256xbf16, #tile>, %tb: memref<256x96xbf16, #tile>, %tv: memref<96xf32, strided<[?], offset: ?>>,
       %tc: memref<?x96xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x96xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x96xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x96xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x256xbf16, #tile>, memref<256x96xbf16, #tile>) outs(%sum : memref<?x96xf32>)
    linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tv : memref<?x96xf32>, memref<96xf32, strided<[?], offset: ?>>) outs(%tc : memref<?x96xbf16, #tile>) {
    ^bb0(%x: f32, %v: f32, %o: bf16):
      %y = arith.addf %x, %v : f32
      %t = arith.truncf %y : f32 to bf16
      linalg.yield %t : bf16
    }
    pit.yield
  }
  return
}

// -----

// Nor one of 64 rows into blocks of 32.
!index = !pit.index<[1024, 512], coordinate = 0, tile = [32, 128], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#one = affine_map<(m, n) -> (n)>
// CHECK-LABEL: @low
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @low(%a: memref<1024x256xbf16>, %b: memref<256x512xbf16>, %live: memref<32x4xi1>, %bias: memref<512xf32>,
                 %c: memref<1024x512xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %offsets = memref.alloc() : memref<5xi64>
  %coords = memref.alloc() : memref<128xi32>
  pit.detect_into by(%live : memref<32x4xi1>) outs(%offsets, %coords : memref<5xi64>, memref<128xi32>)
    <kind = blocks, axes = [0, 1], tile = [32, 128]> : !index
  %i = pit.assemble %offsets, %coords : memref<5xi64>, memref<128xi32> -> !pit.index_buffer<!index>
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 1>, array<i64: -1, 0>, array<i64: 0, 1>],
                      packed = array<i1: false, false, false, false>}
      over(%i : !pit.index_buffer<!index>)
      ins(%a, %b, %bias : memref<1024x256xbf16>, memref<256x512xbf16>, memref<512xf32>) outs(%c : memref<1024x512xbf16>) {
  ^bb0(%ta: memref<?x256xbf16, #tile>, %tb: memref<256x128xbf16, #tile>, %tv: memref<128xf32, strided<[?], offset: ?>>,
       %tc: memref<?x128xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x128xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x128xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x128xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x256xbf16, #tile>, memref<256x128xbf16, #tile>) outs(%sum : memref<?x128xf32>)
    linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tv : memref<?x128xf32>, memref<128xf32, strided<[?], offset: ?>>) outs(%tc : memref<?x128xbf16, #tile>) {
    ^bb0(%x: f32, %v: f32, %o: bf16):
      %y = arith.addf %x, %v : f32
      %t = arith.truncf %y : f32 to bf16
      linalg.yield %t : bf16
    }
    pit.yield
  }
  return
}

// -----

// What is added does not lie where the block does: it is the same for all
// of them.
!index = !pit.index<[1024, 512], coordinate = 0, tile = [128, 128], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#one = affine_map<(m, n) -> (m)>
// CHECK-LABEL: @elsewhere
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @elsewhere(%a: memref<1024x256xbf16>, %b: memref<256x512xbf16>, %live: memref<8x4xi1>, %bias: memref<512xf32>,
                 %c: memref<1024x512xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %offsets = memref.alloc() : memref<5xi64>
  %coords = memref.alloc() : memref<32xi32>
  pit.detect_into by(%live : memref<8x4xi1>) outs(%offsets, %coords : memref<5xi64>, memref<32xi32>)
    <kind = blocks, axes = [0, 1], tile = [128, 128]> : !index
  %i = pit.assemble %offsets, %coords : memref<5xi64>, memref<32xi32> -> !pit.index_buffer<!index>
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 1>, array<i64: -1, -1>, array<i64: 0, 1>],
                      packed = array<i1: false, false, false, false>}
      over(%i : !pit.index_buffer<!index>)
      ins(%a, %b, %bias : memref<1024x256xbf16>, memref<256x512xbf16>, memref<512xf32>) outs(%c : memref<1024x512xbf16>) {
  ^bb0(%ta: memref<?x256xbf16, #tile>, %tb: memref<256x128xbf16, #tile>, %tv: memref<512xf32, strided<[?], offset: ?>>,
       %tc: memref<?x128xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x128xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x128xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x128xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x256xbf16, #tile>, memref<256x128xbf16, #tile>) outs(%sum : memref<?x128xf32>)
    linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tv : memref<?x128xf32>, memref<512xf32, strided<[?], offset: ?>>) outs(%tc : memref<?x128xbf16, #tile>) {
    ^bb0(%x: f32, %v: f32, %o: bf16):
      %y = arith.addf %x, %v : f32
      %t = arith.truncf %y : f32 to bf16
      linalg.yield %t : bf16
    }
    pit.yield
  }
  return
}

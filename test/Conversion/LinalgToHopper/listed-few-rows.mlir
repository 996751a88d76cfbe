// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// How many rows there are is known on the device. With few, a kernel takes smaller tiles: code for each size, in the order
// of the sizes, and arguments of its own, as boxes of the copy engine are as large as tiles.
!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#vector = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @few
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<128x64xbf16
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<4x64x64xbf16
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<2x64x64xbf16
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<64x64xbf16
// CHECK: gpu.launch_func
// CHECK: llvm.func @few_contraction_0
// The number of rows is read once.
// CHECK: %[[COUNT:.*]] = llvm.load {{.*}} -> i64
// CHECK-NOT: llvm.load {{.*}} -> i64
// CHECK: arith.cmpi ugt, %{{.*}}, %c2816_i32
// CHECK: <m = 64, n = 256, k = 16>
// CHECK: } else {
// CHECK: arith.cmpi ugt, %{{.*}}, %c1408_i32
// CHECK: <m = 64, n = 128, k = 16>
// CHECK: } else {
// CHECK: <m = 64, n = 64, k = 16>
func.func @few(%i: !index, %a: memref<4096x3072xbf16>, %b: memref<3072x768xbf16>, %bias: memref<768xf32>,
               %c: memref<4096x768xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b, %bias : memref<4096x3072xbf16>, memref<3072x768xbf16>, memref<768xf32>)
      outs(%c : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x3072xbf16, #tile>, %tb: memref<3072x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x3072xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x3072xbf16, #tile>, memref<3072x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  return
}

// -----

// Of many columns there are enough tiles at once.
!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#vector = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @wide
// CHECK-COUNT-2: nvgpu.tma.create.descriptor
// CHECK-NOT: nvgpu.tma.create.descriptor
// CHECK: llvm.func @wide_contraction_0
// CHECK: <m = 64, n = 256, k = 16>
// CHECK-NOT: n = 128, k = 16
// CHECK-NOT: n = 64, k = 16
func.func @wide(%i: !index, %a: memref<4096x1024xbf16>, %b: memref<1024x16384xbf16>, %bias: memref<16384xf32>,
                %c: memref<4096x16384xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b, %bias : memref<4096x1024xbf16>, memref<1024x16384xbf16>, memref<16384xf32>)
      outs(%c : memref<4096x16384xbf16>) {
  ^bb0(%ta: memref<?x1024xbf16, #tile>, %tb: memref<1024x16384xbf16, #tile>, %tbias: memref<16384xf32, #vector>,
       %tc: memref<?x16384xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x1024xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x16384xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x16384xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x1024xbf16, #tile>, memref<1024x16384xbf16, #tile>)
      outs(%sum : memref<?x16384xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x16384xf32>, memref<16384xf32, #vector>) outs(%tc : memref<?x16384xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x16384xf32>
    pit.yield
  }
  return
}

// -----

// Tiles with operands swapped round to 16 bits.
!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#vector = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @single
// CHECK: llvm.func @single_contraction_0
// CHECK: <m = 64, n = 256, k = 16>
// CHECK-NOT: n = 128, k = 16
func.func @single(%i: !index, %a: memref<4096x3072xbf16>, %b: memref<3072x768xbf16>, %bias: memref<768xf32>,
                  %c: memref<4096x768xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b, %bias : memref<4096x3072xbf16>, memref<3072x768xbf16>, memref<768xf32>)
      outs(%c : memref<4096x768xf32>) {
  ^bb0(%ta: memref<?x3072xbf16, #tile>, %tb: memref<3072x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xf32, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x3072xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x3072xbf16, #tile>, memref<3072x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xf32, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: f32):
      %s = arith.addf %x, %w : f32
      linalg.yield %s : f32
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  return
}

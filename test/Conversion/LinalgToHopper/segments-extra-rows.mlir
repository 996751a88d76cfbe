// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file | FileCheck %s

// The last tiles of a segment may have up to 24 more rows than 128, where what
// happens to the sums leaves registers for larger accumulators.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: llvm.func @small_contraction_0
// What is behind whole tiles takes two of them at most.
// CHECK: arith.minui %{{.*}}, %c2_i32
// From 97 to 128 rows, a tile is multiplied as if it had all of them.
// CHECK: %[[LACKED:.*]] = arith.subi %{{.*}}, %c97_i32
// CHECK: arith.cmpi ule, %[[LACKED]], %c31_i32
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 256, k = 16>
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 144, k = 16>
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 152, k = 16>
func.func @small(%a: memref<?x72xbf16>, %b: memref<8x72x256xbf16>, %rows: memref<?xi32>, %offsets: memref<9xi64>,
                %tokens: index, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>],
                      packed = array<i1: false, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x72xbf16>, memref<8x72x256xbf16>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x72xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x256xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>) outs(%sum : memref<?x256xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x256xf32>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb0(%x: f32, %o: bf16):
      %y = arith.maximumf %x, %zero : f32
      %t = arith.truncf %y : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x256xf32>
    pit.yield
  }
  return
}

// -----

!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: llvm.func @large_contraction_0
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 256, k = 16>
// CHECK-NOT: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 144, k = 16>
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 16>
// CHECK-NOT: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 152, k = 16>
func.func @large(%a: memref<?x72xbf16>, %b: memref<8x72x256xbf16>, %rows: memref<?xi32>, %offsets: memref<9xi64>,
                %tokens: index, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>],
                      packed = array<i1: false, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x72xbf16>, memref<8x72x256xbf16>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x72xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x256xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>) outs(%sum : memref<?x256xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x256xf32>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb0(%x: f32, %o: bf16):
      %y = math.erf %x : f32
      %t = arith.truncf %y : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x256xf32>
    pit.yield
  }
  return
}

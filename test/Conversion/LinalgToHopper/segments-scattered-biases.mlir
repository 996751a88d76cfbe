// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse | FileCheck %s
// RUN: pit-opt %s -convert-contractions-to-hopper=short-segments=true -canonicalize -cse | FileCheck %s --check-prefix=SHORT

// Each expert's bias is added to the sums as they are, before they are rounded, and what follows the rounding, with a
// number of the row, is computed where a thread has a row again: in tiles that are whole, and in those that are not.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#line = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>

// CHECK: llvm.func @biases_contraction_0(
// A whole tile: rows of it, then what belongs to them.
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 256, k = 16>
// CHECK: %[[BIAS:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> vector<2xf32>
// CHECK: arith.addf
// CHECK-NOT: arith.mulf
// CHECK: nvvm.stmatrix
// CHECK: %[[CHUNK:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> vector<4xi32>
// CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<8xbf16>
// CHECK: arith.mulf
// CHECK: llvm.store %{{.*}} vector<4xi32>, !llvm.ptr<1>
// The narrowest of others.
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 16>
// CHECK: arith.addf
// CHECK-NOT: arith.mulf
// CHECK: nvvm.stmatrix
// CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<8xbf16>
// CHECK: arith.mulf

// SHORT: llvm.func @biases_contraction_0(
// SHORT: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 48, k = 16>
// SHORT: arith.addf
// SHORT-NOT: arith.mulf
// SHORT: nvvm.stmatrix
// SHORT: llvm.bitcast %{{.*}} : vector<4xi32> to vector<8xbf16>
// SHORT: arith.mulf
func.func @biases(%gate: memref<?x8xf32>, %a: memref<?x72xbf16>, %b: memref<8x72x256xbf16>, %biases: memref<8x256xf32>,
                  %numbers: memref<?xf32>, %offsets: memref<9xi64>, %rows: memref<?xi32>, %tokens: index,
                  %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.detect_into values(%gate : memref<?x8xf32>) extents(%tokens) outs(%offsets, %rows : memref<9xi64>, memref<?xi32>)
    <kind = values, axes = [0, 1], at_most = 1> : !lists
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: -1, 0>, array<i64: 0, -1>, array<i64: 0, -1>],
                     packed = array<i1: true, false, false, true, false>}
      over(%i : !index) ins(%a, %b, %biases, %numbers : memref<?x72xbf16>, memref<8x72x256xbf16>, memref<8x256xf32>, memref<?xf32>)
      outs(%c : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %bias: memref<256xf32, #line>, %tn: memref<?xf32, #line>,
       %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x256xbf16, #tile>
    %acc = memref.alloc(%m) : memref<?x256xf32>
    %rounded = memref.alloc(%m) : memref<?x256xbf16>
    linalg.fill ins(%zero : f32) outs(%acc : memref<?x256xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>) outs(%acc : memref<?x256xf32>)
    linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
        ins(%acc, %bias : memref<?x256xf32>, memref<256xf32, #line>) outs(%rounded : memref<?x256xbf16>) {
    ^bb1(%x: f32, %y: f32, %o: bf16):
      %s = arith.addf %x, %y : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%tn, %rounded : memref<?xf32, #line>, memref<?x256xbf16>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb1(%n: f32, %x: bf16, %o: bf16):
      %f = arith.extf %x : bf16 to f32
      %p = arith.mulf %f, %n : f32
      %t = arith.truncf %p : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}

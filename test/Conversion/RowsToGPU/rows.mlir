// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file | FileCheck %s

!i = !pit.index<[64], coordinate = 0, tile = [1], width = 32>
!b = !pit.index_buffer<!i>
#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>
#vec = affine_map<(r, j) -> (j)>
!tile = memref<?x512xbf16, strided<[?, ?], offset: ?>>

// g * (x - sum(x)), from packed rows to listed ones: two vectors of 8 elements per lane, a sum over 32 lanes, and zeros
// for rows that are not listed.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: linalg.fill
// CHECK: gpu.launch_func @rows_kernels::@rows_rows_0
// CHECK-NOT: pit.tiled
// CHECK: llvm.func @rows_rows_0({{.*}}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>}
// CHECK: llvm.load {{.*}} invariant {{.*}} -> vector<8xbf16>
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.store {{.*}} : vector<8xbf16>
// CHECK: scf.while
// CHECK: llvm.store {{.*}} : vector<8xbf16>
func.func @rows(%offsets: memref<2xi64>, %coords: memref<64xi32>, %x: memref<64x512xbf16>, %g: memref<512xbf16>)
    -> memref<4x16x512xbf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  %c0 = arith.constant 0 : index
  %out = memref.alloc() : memref<4x16x512xbf16>
  linalg.fill ins(%none : bf16) outs(%out : memref<4x16x512xbf16>)
  %y = memref.collapse_shape %out [[0, 1], [2]] : memref<4x16x512xbf16> into memref<64x512xbf16>
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<64xi32> -> !b
  pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: true, false, false>}
      over(%i : !b) ins(%x, %g : memref<64x512xbf16>, memref<512xbf16>) outs(%y : memref<64x512xbf16>) {
  ^bb0(%a: !tile, %v: memref<512xbf16, strided<[?], offset: ?>>, %o: !tile):
    %d = memref.dim %o, %c0 : !tile
    %s = memref.alloc(%d) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%s : memref<?xf32>)
    linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
        ins(%a : !tile) outs(%s : memref<?xf32>) {
    ^bb0(%l: bf16, %acc: f32):
      %w = arith.extf %l : bf16 to f32
      %n = arith.addf %acc, %w : f32
      linalg.yield %n : f32
    }
    linalg.generic {indexing_maps = [#row, #one, #vec, #row], iterator_types = ["parallel", "parallel"]}
        ins(%a, %s, %v : !tile, memref<?xf32>, memref<512xbf16, strided<[?], offset: ?>>) outs(%o : !tile) {
    ^bb0(%l: bf16, %t: f32, %u: bf16, %acc: bf16):
      %w = arith.extf %l : bf16 to f32
      %m = arith.subf %w, %t : f32
      %f = arith.extf %u : bf16 to f32
      %p = arith.mulf %m, %f : f32
      %n = arith.truncf %p : f32 to bf16
      linalg.yield %n : bf16
    }
    pit.yield
  }
  return %out : memref<4x16x512xbf16>
}

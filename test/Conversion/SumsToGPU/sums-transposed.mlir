// RUN: pit-opt %s --convert-sums-to-gpu --canonicalize --cse | FileCheck %s

// What stores sums elsewhere than where they are computed is an op of its own.
#rows = affine_map<(p, d) -> (p, d)>
#row = affine_map<(p, d) -> (d)>
#id = affine_map<(t, d) -> (t, d)>
#transposed = affine_map<(t, d) -> (d, t)>
!i = !pit.index<[64, 256], coordinate = 1, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
!tr = memref<?x64xbf16, strided<[?, ?], offset: ?>>
!ty = memref<64xf32, strided<[?], offset: ?>>
// CHECK-LABEL: func @transposed
// CHECK: linalg.generic {indexing_maps = [#[[ID:.*]], #[[T:.*]]], iterator_types = ["parallel", "parallel"]}
func.func @transposed(%rows: memref<256x64xbf16>, %o: memref<65xi64>, %c: memref<256xi32>, %z: memref<64x64xbf16>) {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %o, %c : memref<65xi64>, memref<256xi32> -> !b
  %y = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<64x64xf32>)
  pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>}
      over(%i : !b) ins(%rows : memref<256x64xbf16>) outs(%y : memref<64x64xf32>) {
  ^bb0(%tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["reduction", "parallel"]} ins(%tr : !tr) outs(%ty : !ty) {
    ^bb1(%r: bf16, %acc: f32):
      %f = arith.extf %r : bf16 to f32
      %s = arith.addf %acc, %f : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #transposed], iterator_types = ["parallel", "parallel"]}
      ins(%y : memref<64x64xf32>) outs(%z : memref<64x64xbf16>) {
  ^bb1(%x: f32, %out: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

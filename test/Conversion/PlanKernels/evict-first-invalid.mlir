// Loads that leave the L2 cache first are planned where there are any.
// RUN: pit-opt %s --convert-sums-to-gpu="chip=sm_75 plan=false" --verify-diagnostics

#rows = affine_map<(p, d) -> (p, d)>
#row = affine_map<(p, d) -> (d)>
!b = !pit.index_buffer<!pit.index<[64, 256], coordinate = 1, tile = [1, 1], width = 32>>
!tr = memref<?x64xbf16, strided<[?, ?], offset: ?>>
!ty = memref<64xf32, strided<[?], offset: ?>>

func.func @loads(%rows: memref<256x64xbf16>, %o: memref<65xi64>, %c: memref<256xi32>, %y: memref<64x64xf32>) {
  %i = pit.assemble %o, %c : memref<65xi64>, memref<256xi32> -> !b
  // expected-error @below {{is planned with 'evict_first', for which sm_75 has no loads}}
  pit.tiled tile 64 plan <family = segment_sum, tile = [32, 64], vector = 8, evict_first = true>
      {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>}
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
  return
}

// A plan that cannot be emitted is an error, and says why.
// RUN: pit-opt %s -convert-contractions-to-hopper=plan=false -convert-contractions-to-mma=plan=false -split-input-file -verify-diagnostics

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @memory(%a: memref<512x256xbf16>, %b: memref<256x256xbf16>, %c: memref<512x256xbf16>) {
  // expected-error @below {{its plan needs}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x256xbf16>) outs(%c : memref<512x256xbf16>)
    plan <family = gemm, tile = [128, 256], stages = 12, consumers = 2>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @warp_memory(%a: memref<512x256xbf16>, %b: memref<256x256xbf16>, %c: memref<512x256xbf16>) {
  // expected-error @below {{its plan needs}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x256xbf16>) outs(%c : memref<512x256xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [128, 128, 32], warp_tile = [64, 32], stages = 40>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The copy engine cannot read rows of 250 elements.
func.func @rows(%a: memref<512x250xbf16>, %b: memref<250x256xbf16>, %c: memref<512x256xbf16>) {
  // expected-error @below {{no kernel of the family 'gemm' can take it}}
  pit.contract dense ins(%a, %b : memref<512x250xbf16>, memref<250x256xbf16>) outs(%c : memref<512x256xbf16>)
    plan <family = gemm, tile = [128, 128], stages = 4, consumers = 2>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#smk = affine_map<(s, m, n, k) -> (m, k)>
#skn = affine_map<(s, m, n, k) -> (s, k, n)>
#smn = affine_map<(s, m, n, k) -> (m, n)>
!lists = !pit.index_buffer<!pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>>

// There is no group 7.
func.func @overlap(%rows: memref<?xi32>, %offsets: memref<9xi64>, %m: index, %a: memref<?x256xbf16>, %b: memref<8x256x256xbf16>,
                     %c: memref<?x256xbf16>) {
  %i = pit.assemble %offsets, %rows extents(%m) : memref<9xi64>, memref<?xi32> -> !lists
  // expected-error @below {{cannot take rows from group 7, which has to write them}}
  pit.contract segments over(%i : !lists) ins(%a, %b : memref<?x256xbf16>, memref<8x256x256xbf16>) outs(%c : memref<?x256xbf16>)
    plan <family = grouped_gemm, tile = [128, 128], stages = 4, consumers = 2, rows_from = 7>
    {indexing_maps = [#smk, #skn, #smn], listed = array<i1: false, false, true>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// One launch cannot compute two products of different A.
func.func @group(%a: memref<512x256xbf16>, %a2: memref<512x256xbf16>, %b: memref<256x256xbf16>, %c: memref<512x256xbf16>,
                 %d: memref<512x256xbf16>) {
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x256xbf16>) outs(%c : memref<512x256xbf16>)
    plan <family = gemm, tile = [128, 128], stages = 4, consumers = 2, group = 1>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  // expected-error @below {{cannot be a part of group 1: parts have equal plans, A, lists and extents}}
  pit.contract dense ins(%a2, %b : memref<512x256xbf16>, memref<256x256xbf16>) outs(%d : memref<512x256xbf16>)
    plan <family = gemm, tile = [128, 128], stages = 4, consumers = 2, group = 1>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// What plans of batches may not say.
// RUN: pit-opt %s -convert-contractions-to-hopper=plan=false -convert-contractions-to-mma=plan=false -split-input-file -verify-diagnostics

#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bkn = affine_map<(b, m, n, k) -> (b, k, n)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>

// Only listed rows are shared by several products of a launch.
func.func @group(%a: memref<4x512x256xbf16>, %b: memref<4x256x128xbf16>, %c: memref<4x512x128xbf16>, %d: memref<4x512x128xbf16>) {
  pit.contract batches ins(%a, %b : memref<4x512x256xbf16>, memref<4x256x128xbf16>) outs(%c : memref<4x512x128xbf16>)
    plan <family = batched_gemm, tile = [128, 128], stages = 4, consumers = 2, group = 1>
    {indexing_maps = [#bmk, #bkn, #bmn], listed = array<i1: false, false, false>}
  // expected-error @below {{cannot be a part of group 1: parts have equal plans, A, lists and extents}}
  pit.contract batches ins(%a, %b : memref<4x512x256xbf16>, memref<4x256x128xbf16>) outs(%d : memref<4x512x128xbf16>)
    plan <family = batched_gemm, tile = [128, 128], stages = 4, consumers = 2, group = 1, part = 1>
    {indexing_maps = [#bmk, #bkn, #bmn], listed = array<i1: false, false, false>}
  return
}

// -----

#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bkn = affine_map<(b, m, n, k) -> (b, k, n)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>

func.func @variant(%a: memref<4x?x256xbf16>, %b: memref<4x256x128xbf16>, %c: memref<4x?x128xbf16>) {
  // expected-error @below {{its plan has a variant of the guard 'rows', by which such a product has no variants}}
  pit.contract batches ins(%a, %b : memref<4x?x256xbf16>, memref<4x256x128xbf16>) outs(%c : memref<4x?x128xbf16>)
    plan <family = batched_gemm, tile = [128, 128], stages = 4, consumers = 2,
          variants = [#pit.variant<guard = rows, limit = 64, plan = <family = batched_gemm, tile = [64, 128], stages = 4, consumers = 2, swap_ab = true>>]>
    {indexing_maps = [#bmk, #bkn, #bmn], listed = array<i1: false, false, false>}
  return
}

// -----

#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bkn = affine_map<(b, m, n, k) -> (b, k, n)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>

// Batches that lie apart by what the copy engine cannot step.
func.func @strides(%a: memref<4x512x256xbf16, strided<[131076, 256, 1]>>, %b: memref<4x256x128xbf16>, %c: memref<4x512x128xbf16>) {
  // expected-error @below {{no kernel of the family 'batched_gemm' can take it; without its plan, --pit-explain says why}}
  pit.contract batches ins(%a, %b : memref<4x512x256xbf16, strided<[131076, 256, 1]>>, memref<4x256x128xbf16>) outs(%c : memref<4x512x128xbf16>)
    plan <family = batched_gemm, tile = [128, 128], stages = 4, consumers = 2>
    {indexing_maps = [#bmk, #bkn, #bmn], listed = array<i1: false, false, false>}
  return
}

// Plans that verify, but do not fit their product: one error that says what is allowed, and nothing is emitted.
// RUN: pit-opt %s -convert-contractions-to-hopper=plan=false -split-input-file -verify-diagnostics

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Three warpgroups would multiply rows that a tile has not.
func.func @consumers(%a: memref<512x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<512x1024xbf16>) {
  // expected-error @below {{its plan has tiles of 128 x 128, whose rows are not 64 for each of 3 consumers}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<512x1024xbf16>)
    plan <family = gemm, tile = [128, 128], stages = 4, consumers = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// No instruction has 512 columns.
func.func @columns(%a: memref<512x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<512x1024xbf16>) {
  // expected-error @below {{its plan has tiles of 64 x 512, of which 512 columns are multiplied at a time; these must be a multiple of 64 and at most 256}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<512x1024xbf16>)
    plan <family = gemm, tile = [64, 512], stages = 2>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// With A and B swapped, columns are what warpgroups share.
func.func @swapped_consumers(%a: memref<512x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<512x1024xbf16>) {
  // expected-error @below {{its plan has tiles of 32 x 128, whose columns are not 64, or a multiple, for each of 3 consumers}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<512x1024xbf16>)
    plan <family = gemm, tile = [32, 128], stages = 4, consumers = 3, swap_ab = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// ... and rows are those of an instruction.
func.func @swapped_rows(%a: memref<512x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<512x1024xbf16>) {
  // expected-error @below {{its plan has tiles of 512 x 64; with swap_ab, they have up to 256 rows}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<512x1024xbf16>)
    plan <family = gemm, tile = [512, 64], stages = 2, swap_ab = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#km = affine_map<(m, n, k) -> (k, m)>

// Rows of A are read along k then.
func.func @swapped_layout(%a: memref<256x512xbf16>, %b: memref<256x1024xbf16>, %c: memref<512x1024xbf16>) {
  // expected-error @below {{its plan swaps A and B, for which k must be contiguous in A}}
  pit.contract dense ins(%a, %b : memref<256x512xbf16>, memref<256x1024xbf16>) outs(%c : memref<512x1024xbf16>)
    plan <family = gemm, tile = [32, 128], stages = 4, consumers = 2, swap_ab = true>
    {indexing_maps = [#km, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The copy engine stores 16 bits.
func.func @store(%a: memref<512x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<512x1024xf32>) {
  // expected-error @below {{its plan has tma_store, which is for results of 16 bits whose rows are not listed}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<512x1024xf32>)
    plan <family = gemm, tile = [128, 128], stages = 4, consumers = 2, tma_store = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Swapped tiles are stored by threads.
func.func @swapped_store(%a: memref<512x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<512x1024xbf16>) {
  // expected-error @below {{its plan has tma_store and swap_ab, which exclude each other}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<512x1024xbf16>)
    plan <family = gemm, tile = [32, 128], stages = 4, consumers = 2, swap_ab = true, tma_store = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Clusters share sums by whole groups of rows.
func.func @splits(%a: memref<512x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<512x1024xbf16>) {
  // expected-error @below {{its plan has split_k = 2; clusters have up to 8 blocks, which share tiles of whole 16 rows}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<512x1024xbf16>)
    plan <family = gemm, tile = [24, 128], stages = 4, consumers = 2, swap_ab = true, split_k = 2>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A box is a part of a tile.
func.func @boxes(%a: memref<512x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<512x1024xbf16>) {
  // expected-error @below {{its plan has tiles of 128 x 128, of which boxes of 192 columns make no whole}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<512x1024xbf16>)
    plan <family = gemm, tile = [128, 128], stages = 4, consumers = 2, box_columns = 192>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Nothing is skipped that a variant would not skip.
func.func @variant(%a: memref<512x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<512x1024xbf16>) {
  // expected-error @below {{its plan has a variant of the guard 'live', by which such a product has no variants}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<512x1024xbf16>)
    plan <family = gemm, tile = [128, 128], stages = 4, consumers = 2, variants = [
      #pit.variant<guard = live, limit = 3, plan = <family = gemm, tile = [128, 128], stages = 4, consumers = 2>>]>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Nor is anything dead.
func.func @mask(%a: memref<512x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<512x1024xbf16>) {
  // expected-error @below {{its plan masks 'bytes', which is for variants with nothing skipped}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<512x1024xbf16>)
    plan <family = gemm, tile = [128, 128], stages = 4, consumers = 2, mask = bytes>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
!rows = !pit.index_buffer<!pit.index<[?], coordinate = 0, tile = [1], width = 32>>

// Variants run in the blocks of the kernel.
func.func @threads(%i: !rows, %a: memref<?x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<?x1024xbf16>) {
  // expected-error @below {{its plan has a variant with 256 threads, of which its blocks have 384}}
  pit.contract rows over(%i : !rows) ins(%a, %b : memref<?x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<?x1024xbf16>)
    plan <family = gather_gemm, tile = [128, 128], stages = 4, consumers = 2, variants = [
      #pit.variant<guard = rows, limit = 512, plan = <family = gather_gemm, tile = [64, 128], stages = 4>>]>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
!rows = !pit.index_buffer<!pit.index<[?], coordinate = 0, tile = [1], width = 32>>

// Rows behind the last listed one stay as they are.
func.func @counted(%i: !rows, %a: memref<?x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<?x1024xbf16>) {
  // expected-error @below {{its plan has tma_store, which is for results of 16 bits whose rows are not listed}}
  pit.contract rows over(%i : !rows) ins(%a, %b : memref<?x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<?x1024xbf16>)
    plan <family = gather_gemm, tile = [128, 128], stages = 4, consumers = 2, tma_store = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
!rows = !pit.index_buffer<!pit.index<[?], coordinate = 0, tile = [1], width = 32>>

// Row by row is only loaded by a warpgroup of its own.
func.func @producer(%i: !rows, %a: memref<?x256xbf16>, %b: memref<256x1024xbf16>, %c: memref<?x1024xbf16>) {
  // expected-error @below {{its plan has no producer, without which only products of whole matrices are loaded}}
  pit.contract rows over(%i : !rows) ins(%a, %b : memref<?x256xbf16>, memref<256x1024xbf16>) outs(%c : memref<?x1024xbf16>)
    plan <family = gather_gemm, tile = [128, 128], stages = 4, consumers = 2, producer = false>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, false>}
  return
}

// -----

#smk = affine_map<(s, m, n, k) -> (m, k)>
#skn = affine_map<(s, m, n, k) -> (s, k, n)>
#smn = affine_map<(s, m, n, k) -> (m, n)>
!lists = !pit.index_buffer<!pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>>

// Tiles of segments have code for some numbers of rows.
func.func @rows_of_segments(%i: !lists, %a: memref<?x256xbf16>, %b: memref<8x256x256xbf16>, %c: memref<?x256xbf16>) {
  // expected-error @below {{its plan has tiles of 64 x 128; with swap_ab, those of segments have 48, 80, 112, 128, 136, 144, 152 or 160 rows}}
  pit.contract segments over(%i : !lists) ins(%a, %b : memref<?x256xbf16>, memref<8x256x256xbf16>) outs(%c : memref<?x256xbf16>)
    plan <family = grouped_gemm, tile = [64, 128], stages = 4, consumers = 2, swap_ab = true>
    {indexing_maps = [#smk, #skn, #smn], listed = array<i1: false, false, false>}
  return
}

// -----

#smk = affine_map<(s, m, n, k) -> (m, k)>
#skn = affine_map<(s, m, n, k) -> (s, k, n)>
#smn = affine_map<(s, m, n, k) -> (m, n)>
!lists = !pit.index_buffer<!pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>>

// The same of their tails.
func.func @extra_rows(%i: !lists, %a: memref<?x256xbf16>, %b: memref<8x256x256xbf16>, %c: memref<?x256xbf16>) {
  // expected-error @below {{its plan has tiles of 64 x 128 and extra_rows = 24; with swap_tails, they have up to 128 rows, or 128 and 24 extra ones}}
  pit.contract segments over(%i : !lists) ins(%a, %b : memref<?x256xbf16>, memref<8x256x256xbf16>) outs(%c : memref<?x256xbf16>)
    plan <family = grouped_gemm, tile = [64, 128], stages = 4, swap_tails = true, extra_rows = 24>
    {indexing_maps = [#smk, #skn, #smn], listed = array<i1: false, false, false>}
  return
}

// -----

#smk = affine_map<(s, m, n, k) -> (m, k)>
#skn = affine_map<(s, m, n, k) -> (s, k, n)>
#smn = affine_map<(s, m, n, k) -> (m, n)>
!lists = !pit.index_buffer<!pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>>

// Sums of segments that are swapped have 16 bits.
func.func @bits(%i: !lists, %a: memref<?x256xbf16>, %b: memref<8x256x256xbf16>, %c: memref<?x256xf32>) {
  // expected-error @below {{its plan swaps A and B of segments, for which the result must have 16 bits}}
  pit.contract segments over(%i : !lists) ins(%a, %b : memref<?x256xbf16>, memref<8x256x256xbf16>) outs(%c : memref<?x256xf32>)
    plan <family = grouped_gemm, tile = [128, 128], stages = 4, consumers = 2, swap_tails = true>
    {indexing_maps = [#smk, #skn, #smn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
!index = !pit.index<[256, 512], coordinate = 1, tile = [32, 64], width = 32>

// A tile holds whole strips.
func.func @strips(%a: memref<256x512xbf16>, %b: memref<512x256xbf16>, %c: memref<256x256xbf16>) {
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<64xi32>
  pit.detect_into values(%a : memref<256x512xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<64xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<64xi32> -> !pit.index_buffer<!index>
  // expected-error @below {{its plan has tiles of 48 x 256, which do not hold 1, 2, 4 or 8 strips of 32 rows}}
  pit.contract micro_tiles over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x512xbf16>, memref<512x256xbf16>)
    outs(%c : memref<256x256xbf16>)
    plan <family = block_spmm, tile = [48, 256], stages = 4, consumers = 2, swap_ab = true, tma_store = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
!index = !pit.index<[256, 512], coordinate = 1, tile = [32, 64], width = 32>

// Strips are columns of instructions.
func.func @turned(%a: memref<256x512xbf16>, %b: memref<512x256xbf16>, %c: memref<256x256xbf16>) {
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<64xi32>
  pit.detect_into values(%a : memref<256x512xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<64xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<64xi32> -> !pit.index_buffer<!index>
  // expected-error @below {{its plan needs swap_ab: micro-tiles are columns of instructions}}
  pit.contract micro_tiles over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x512xbf16>, memref<512x256xbf16>)
    outs(%c : memref<256x256xbf16>)
    plan <family = block_spmm, tile = [128, 256], stages = 4, consumers = 2, tma_store = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
!index = !pit.index<[256, 512], coordinate = 1, tile = [32, 64], width = 32>

// What is dead in A may be anything, and would be multiplied.
func.func @unmasked(%a: memref<256x512xbf16>, %b: memref<512x256xbf16>, %c: memref<256x256xbf16>, %live: memref<8x8xi1>) {
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<64xi32>
  pit.detect_into by(%live : memref<8x8xi1>) outs(%offsets, %coords : memref<9xi64>, memref<64xi32>)
    <kind = blocks, axes = [0, 1], tile = [32, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<64xi32> -> !pit.index_buffer<!index>
  // expected-error @below {{its variant of the guard 'live' masks 'none' instead of 'blocks', what is dead and not zero}}
  pit.contract micro_tiles over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x512xbf16>, memref<512x256xbf16>)
    outs(%c : memref<256x256xbf16>)
    plan <family = block_spmm, tile = [128, 256], stages = 4, consumers = 2, swap_ab = true, tma_store = true, variants = [
      #pit.variant<guard = live, limit = 3, plan = <family = gemm, tile = [128, 256], stages = 4, consumers = 2, tma_store = true>>]>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
!index = !pit.index<[256, 512], coordinate = 1, tile = [32, 1], width = 32>

// Packed micro-tiles are a strip each.
func.func @packed(%a: memref<256x512xbf16>, %b: memref<512x256xbf16>, %c: memref<256x256xbf16>) {
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<4096xi32>
  pit.detect_into values(%a : memref<256x512xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<4096xi32>)
    <kind = values, axes = [0, 1], tile = [32, 1]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<4096xi32> -> !pit.index_buffer<!index>
  // expected-error @below {{its plan has tiles of 64 x 256, which are not one strip of 32 rows}}
  pit.contract micro_tiles over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x512xbf16>, memref<512x256xbf16>)
    outs(%c : memref<256x256xbf16>)
    plan <family = packed_spmm, tile = [64, 256], stages = 3, consumers = 2, swap_ab = true, tma_store = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
!index = !pit.index<[256, 512], coordinate = 0, tile = [1, 64], width = 32>

// The kernel of pieces is made for one tile.
func.func @pieces(%a: memref<256x512xbf16>, %b: memref<512x256xbf16>, %c: memref<256x256xbf16>) {
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<2048xi32>
  pit.detect_into values(%a : memref<256x512xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<2048xi32>)
    <kind = values, axes = [0, 1], tile = [1, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<2048xi32> -> !pit.index_buffer<!index>
  // expected-error @below {{its plan does not say what pieces of rows are made for: tile = [512, 64], stages = 6, consumers = 3, and pieces up to 2}}
  pit.contract micro_tiles over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x512xbf16>, memref<512x256xbf16>)
    outs(%c : memref<256x256xbf16>)
    plan <family = row_piece_spmm, tile = [256, 64], stages = 6, consumers = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
!index = !pit.index<[256, 512], coordinate = 0, tile = [128, 256], width = 32>

// A block has a whole number of tiles.
func.func @masked(%a: memref<256x512xbf16>, %b: memref<512x512xbf16>, %c: memref<256x512xbf16>, %live: memref<2x2xi1>) {
  %offsets = memref.alloc() : memref<3xi64>
  %coords = memref.alloc() : memref<4xi32>
  pit.detect_into by(%live : memref<2x2xi1>) outs(%offsets, %coords : memref<3xi64>, memref<4xi32>)
    <kind = blocks, axes = [0, 1], tile = [128, 256]> : !index
  %i = pit.assemble %offsets, %coords : memref<3xi64>, memref<4xi32> -> !pit.index_buffer<!index>
  // expected-error @below {{its plan needs tma_store, and tiles of which a block of 128 x 256 has a whole number}}
  pit.contract blocks over(%i : !pit.index_buffer<!index>) mask(%live : memref<2x2xi1>)
    ins(%a, %b : memref<256x512xbf16>, memref<512x512xbf16>) outs(%c : memref<256x512xbf16>)
    plan <family = sddmm_or_fill, tile = [192, 256], stages = 2, consumers = 3, tma_store = true>
    {fill = 0.0 : f32, indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// Plans with mma.sync that verify, but do not fit their product: one error that says what is allowed.
// RUN: pit-opt %s -convert-contractions-to-mma=plan=false -split-input-file -verify-diagnostics

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Rows of shared memory are found by their bits.
func.func @powers(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  // expected-error @below {{its plan has 48 rows of a warp, which must be a power of two}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [64, 64, 32], warp_tile = [48, 32], stages = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A warp has a whole instruction.
func.func @small_warp(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  // expected-error @below {{its plan has warps of 8 x 32, which must have 16 rows and columns of each product at least}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [64, 64, 32], warp_tile = [8, 32], stages = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// ... and a part of a tile.
func.func @large_warp(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  // expected-error @below {{its plan has warps of 128 x 32, which must have 16 rows and columns of each product at least, and at most the tile's 64 x 64}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [64, 64, 32], warp_tile = [128, 32], stages = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// An instruction multiplies 16 k.
func.func @depth(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  // expected-error @below {{its plan has 8 k of a tile; products take 16}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [64, 64, 8], warp_tile = [32, 32], stages = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A block has 32 warps.
func.func @warps(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  // expected-error @below {{its plan has 64 warps; a block has up to 32}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [128, 128, 32], warp_tile = [16, 16], stages = 2>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// All threads load the same number of chunks.
func.func @uneven(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  // expected-error @below {{its plan has tiles with 64 chunks of 16 bytes of A, which 128 threads do not share evenly}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [16, 128, 32], warp_tile = [16, 32], stages = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// One stage is read while another one is filled.
func.func @stages(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  // expected-error @below {{its plan has stages = 1; two are the least}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [64, 64, 32], warp_tile = [32, 32], stages = 1>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// That is what wgmma has.
func.func @swap(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  // expected-error @below {{its plan has 'swap_ab', which kernels of 'mma_sync' have not}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [64, 64, 32], warp_tile = [32, 32], stages = 3, swap_ab = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// So are variants.
func.func @variants(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  // expected-error @below {{its plan has 'variants', which kernels of 'mma_sync' have not}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [64, 64, 32], warp_tile = [32, 32], stages = 3, variants = [
      #pit.variant<guard = rows, limit = 5, plan = <family = gemm, tile = [64, 64], stages = 2>>]>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// tf32 is f32.
func.func @type(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  // expected-error @below {{its plan multiplies f32, and inputs are}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [64, 64, 32], warp_tile = [32, 32], stages = 3, tf32 = 1>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// There are one or three products.
func.func @tf32(%a: memref<512x256xf32>, %b: memref<256x128xf32>, %c: memref<512x128xf32>) {
  // expected-error @below {{its plan has tf32 = 2; inputs of f32 are multiplied as 1 or 3 products of tf32}}
  pit.contract dense ins(%a, %b : memref<512x256xf32>, memref<256x128xf32>) outs(%c : memref<512x128xf32>)
    plan <family = gemm, engine = mma_sync, tile = [64, 64, 16], warp_tile = [32, 32], stages = 3, tf32 = 2>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Threads do not round.
func.func @simt(%a: memref<512x256xf32>, %b: memref<256x128xf32>, %c: memref<512x128xf32>) {
  // expected-error @below {{its plan has tf32 = 1; inputs of f32}}
  pit.contract dense ins(%a, %b : memref<512x256xf32>, memref<256x128xf32>) outs(%c : memref<512x128xf32>)
    plan <family = gemm, engine = simt, tile = [64, 64, 16], warp_tile = [32, 32], stages = 3, tf32 = 1>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Rows that a thread loads one after the other have their chunks in the same order.
func.func @rows_at_once(%a: memref<512x256xbf16>, %b: memref<256x512xbf16>, %c: memref<512x512xbf16>) {
  // expected-error @below {{its plan has 128 threads, which load 4 rows of B at a time; it must be a multiple of 8}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x512xbf16>) outs(%c : memref<512x512xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [64, 256, 32], warp_tile = [64, 64], stages = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Of f64, instructions multiply 8 k.
func.func @depth_of_f64(%a: memref<512x256xf64>, %b: memref<256x128xf64>, %c: memref<512x128xf64>) {
  // expected-error @below {{its plan has 4 k of a tile; products take 8}}
  pit.contract dense ins(%a, %b : memref<512x256xf64>, memref<256x128xf64>) outs(%c : memref<512x128xf64>)
    plan <family = gemm, engine = mma_sync, tile = [64, 64, 4], warp_tile = [32, 32], stages = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// f32 alone is multiplied by threads.
func.func @threads(%a: memref<512x256xi8>, %b: memref<256x128xi8>, %c: memref<512x128xi32>) {
  // expected-error @below {{its plan multiplies f32, and inputs are 'i8'}}
  pit.contract dense ins(%a, %b : memref<512x256xi8>, memref<256x128xi8>) outs(%c : memref<512x128xi32>)
    plan <family = gemm, engine = simt, tile = [64, 64, 64], warp_tile = [32, 32], stages = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// For a part of 8 x 16 sums, operands along k are transposed by several warps.
func.func @transposing(%a: memref<512x256xf32>, %b: memref<256x128xf32>, %c: memref<512x128xf32>) {
  // expected-error @below {{its plan has 1 warps, which do not transpose tiles of A; they take 2 to 32}}
  pit.contract dense ins(%a, %b : memref<512x256xf32>, memref<256x128xf32>) outs(%c : memref<512x128xf32>)
    plan <family = gemm, engine = simt, tile = [64, 64, 16], warp_tile = [64, 64], stages = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

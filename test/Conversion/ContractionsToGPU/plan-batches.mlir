// Batches are planned for wgmma, and for warps elsewhere.
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_90a | FileCheck %s
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_90a --convert-contractions-to-hopper=plan=false --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_80 | FileCheck %s --check-prefix=WARPS

#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bkn = affine_map<(b, m, n, k) -> (b, k, n)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>

// CHECK-LABEL: func.func @square(
// CHECK: pit.contract batches {{.*}} plan <family = batched_gemm, tile = [128, 256], stages = 4, consumers = 2, tma_store = true>
// REMARK: [Passed] kernel | {{.*}}Function=square | {{.*}}Family="batched GEMM", Instructions=wgmma, {{.*}}Tile=128x256x64
// WARPS-LABEL: func.func @square(
// WARPS: pit.contract batches {{.*}} plan <family = batched_gemm, engine = mma_sync, tile = [128, 256, 32], warp_tile = [64, 64], stages = 4>
func.func @square(%a: memref<32x512x512xbf16>, %b: memref<32x512x512xbf16>, %c: memref<32x512x512xbf16>) {
  pit.contract batches ins(%a, %b : memref<32x512x512xbf16>, memref<32x512x512xbf16>) outs(%c : memref<32x512x512xbf16>)
    {indexing_maps = [#bmk, #bkn, #bmn], listed = array<i1: false, false, false>}
  return
}

// Few columns have narrow tiles, of which there are enough.
// CHECK-LABEL: func.func @narrow(
// CHECK: plan <family = batched_gemm, tile = [128, 64], {{.*}}>
func.func @narrow(%a: memref<64x1024x1024xbf16>, %b: memref<64x1024x64xbf16>, %c: memref<64x1024x64xbf16>) {
  pit.contract batches ins(%a, %b : memref<64x1024x1024xbf16>, memref<64x1024x64xbf16>) outs(%c : memref<64x1024x64xbf16>)
    {indexing_maps = [#bmk, #bkn, #bmn], listed = array<i1: false, false, false>}
  return
}

// Few rows are columns of instructions.
// CHECK-LABEL: func.func @few(
// CHECK: plan <family = batched_gemm, tile = [16, {{.*}}swap_ab = true>
func.func @few(%a: memref<64x16x1024xbf16>, %b: memref<64x1024x128xbf16>, %c: memref<64x16x128xbf16>) {
  pit.contract batches ins(%a, %b : memref<64x16x1024xbf16>, memref<64x1024x128xbf16>) outs(%c : memref<64x16x128xbf16>)
    {indexing_maps = [#bmk, #bkn, #bmn], listed = array<i1: false, false, false>}
  return
}

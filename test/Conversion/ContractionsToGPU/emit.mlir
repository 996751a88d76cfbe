// Conversions emit what is planned, no more and no less.
// RUN: pit-opt %s -convert-contractions-to-hopper=plan=false -convert-contractions-to-mma=plan=false -split-input-file | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Two consumers with 64 rows each and a producer.
// CHECK-LABEL: func.func @two(
// CHECK: gpu.launch_func {{.*}} threads in (%c384
// CHECK: nvvm.wgmma.mma_async {{.*}}m = 64, n = 128
func.func @two(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, tile = [128, 128], stages = 6, consumers = 2>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The same op with one consumer of another tile.
// CHECK-LABEL: func.func @one(
// CHECK: gpu.launch_func {{.*}} threads in (%c256
// CHECK: nvvm.wgmma.mma_async {{.*}}m = 64, n = 64
func.func @one(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, tile = [64, 64], stages = 4>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// And with mma.sync, on the same chip: four warps.
// CHECK-LABEL: func.func @warps(
// CHECK: gpu.launch_func {{.*}} threads in (%c128
// CHECK-NOT: wgmma
// CHECK: nvvm.mma.sync
func.func @warps(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [64, 64, 32], warp_tile = [32, 32], stages = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// What has no plan stays.
// CHECK-LABEL: func.func @unplanned(
// CHECK: pit.contract dense
func.func @unplanned(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// A product of extents that only its caller knows stands once for each size and alignment whose kernels differ.
// RUN: pit-opt %s --pit-plan-kernels="chip=sm_90a card=%S/../LinalgToHopper/Inputs/untuned.json" | FileCheck %s
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_80 | FileCheck %s --check-prefix=WARPS
// RUN: pit-opt %s --pit-plan-kernels="chip=sm_90a card=%S/../LinalgToHopper/Inputs/untuned.json" --convert-contractions-to-hopper=plan=false --convert-contractions-to-mma=plan=false | FileCheck %s --check-prefix=LAUNCHES

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @all
// CHECK: plan <family = gemm, tile = [16, 64], {{.*}} pit.version = {alignment = "aligned", expected = array<i64: 256, 256, 256, {{[0-9]+}}>, least = 0 : i64, most = 131072 : i64}
// CHECK: plan <family = gemm, tile = [128, 256], stages = 4, consumers = 2, tma_store = true> {{.*}} pit.version = {alignment = "aligned", {{.*}} least = 2097152 : i64, most = 0 : i64}
// CHECK: plan <family = gemm, engine = mma_sync, tile = [32, 64, 32], {{.*}} pit.version = {alignment = "unaligned", expected = array<i64: 256, 256, 256, {{[0-9]+}}>, least = 0 : i64, most = 524288 : i64}
// CHECK: plan <family = gemm, engine = mma_sync, tile = [128, 256, 32], {{.*}} pit.version = {alignment = "unaligned", {{.*}} least = 2097152 : i64, most = 0 : i64}
// Without wgmma, aligned rows are copied faster.
// WARPS-LABEL: func.func @all
// WARPS: engine = mma_sync, {{.*}}alignment = "aligned"
// WARPS: engine = mma_sync, {{.*}}alignment = "unaligned"
// The host tells rows of whole 16 bytes, and few elements, before it launches one of them.
// LAUNCHES-LABEL: func.func @all
// LAUNCHES: arith.remui
// LAUNCHES: arith.cmpi eq, %{{.*}}, %c0
// LAUNCHES: arith.cmpi ne, %{{.*}}, %c0
// LAUNCHES: %[[HOLDS:.*]] = arith.andi
// LAUNCHES: %[[BLOCKS:.*]] = arith.select %{{.*}}, %{{.*}}, %c0
// LAUNCHES: %[[ROWS:.*]] = arith.select %{{.*}}, %c1{{.*}}, %c0
// LAUNCHES: gpu.launch_func @all_kernels::@all_contraction_0 blocks in (%[[BLOCKS]], %[[ROWS]],
func.func @all(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>, %c: memref<?x?xbf16>) {
  pit.contract dense ins(%a, %b : memref<?x?xbf16>, memref<?x?xbf16>) outs(%c : memref<?x?xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// Only how long sums are is unknown: rows of A are as far apart.
// CHECK-LABEL: func.func @depth
// CHECK: plan <family = gemm, tile = {{.*}} pit.version = {alignment = "aligned", expected = array<i64: 512, 128, 256, {{[0-9]+}}>, least = 0 : i64, most = 0 : i64}
// CHECK: plan <family = gemm, engine = mma_sync, {{.*}} pit.version = {alignment = "unaligned", expected = array<i64: 512, 128, 256, {{[0-9]+}}>, least = 0 : i64, most = 0 : i64}
// CHECK-NOT: pit.version
func.func @depth(%a: memref<512x?xbf16>, %b: memref<128x?xbf16>, %c: memref<512x128xbf16>) {
  pit.contract dense ins(%a, %b : memref<512x?xbf16>, memref<128x?xbf16>) outs(%c : memref<512x128xbf16>)
    {indexing_maps = [#mk, #nk, #mn], listed = array<i1: false, false, false>}
  return
}

// What is known of it is not aligned: sizes alone.
// CHECK-LABEL: func.func @odd
// CHECK: pit.version = {alignment = "any", expected = array<i64: {{[0-9]+}}, 33, 64, {{[0-9]+}}>
// CHECK-NOT: aligned
// CHECK-LABEL: func.func @rows(
func.func @odd(%whole: memref<?x?xbf16>, %b: memref<64x33xbf16>, %c: memref<?x33xbf16>, %m: index) {
  %part = memref.subview %whole[0, 0] [%m, 64] [1, 1] : memref<?x?xbf16> to memref<?x64xbf16, strided<[?, 1]>>
  pit.contract dense ins(%part, %b : memref<?x64xbf16, strided<[?, 1]>>, memref<64x33xbf16>) outs(%c : memref<?x33xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// Rows alone: one kernel takes any number, but few have tiles of their own.
// CHECK: plan <family = gemm, tile = [16, 64], {{.*}} pit.version = {alignment = "any", expected = array<i64: 128, 512, 256, {{[0-9]+}}>, least = 0 : i64, most = 131072 : i64}
// CHECK: plan <family = gemm, tile = [128, 256], {{.*}} pit.version = {alignment = "any", {{.*}} least = 2097152 : i64, most = 0 : i64}
// WARPS-LABEL: func.func @rows(
// WARPS: plan <family = gemm, engine = mma_sync, {{.*}} pit.version = {alignment = "any", {{.*}} least = 0 : i64
func.func @rows(%a: memref<?x256xbf16>, %b: memref<256x512xbf16>, %c: memref<?x512xbf16>) {
  pit.contract dense ins(%a, %b : memref<?x256xbf16>, memref<256x512xbf16>) outs(%c : memref<?x512xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// One kernel notes zeros of what it computes.
// CHECK-LABEL: func.func @noted
// CHECK-NOT: pit.version
func.func @noted(%a: memref<?x256xbf16>, %b: memref<256x512xbf16>, %c: memref<?x512xbf16>, %m: index, %offsets: memref<?xi64>, %coords: memref<?xi32>) {
  pit.contract dense ins(%a, %b : memref<?x256xbf16>, memref<256x512xbf16>) outs(%c : memref<?x512xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  pit.detect_into values(%c : memref<?x512xbf16>) extents(%m) outs(%offsets, %coords : memref<?xi64>, memref<?xi32>)
    <kind = values, axes = [0, 1]> : !pit.index<[?, 512], coordinate = 1, tile = [1, 1], width = 32>
  return
}

// Batches alone: of a size follows how many there are.
// CHECK-LABEL: func.func @batches
// CHECK: pit.version = {alignment = "any", expected = array<i64: 128, 128, 64, 4>, least = 0 : i64
// CHECK: pit.version = {alignment = "any", expected = array<i64: 128, 128, 64, {{[0-9]+}}>, least = {{[0-9]+}} : i64, most = 0 : i64
#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bkn = affine_map<(b, m, n, k) -> (b, k, n)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @batches(%a: memref<?x128x64xbf16>, %b: memref<?x64x128xbf16>, %c: memref<?x128x128xbf16>) {
  pit.contract batches ins(%a, %b : memref<?x128x64xbf16>, memref<?x64x128xbf16>) outs(%c : memref<?x128x128xbf16>)
    {indexing_maps = [#bmk, #bkn, #bmn], listed = array<i1: false, false, false>}
  return
}

// Heads of an unknown number and length are as large as they are, whatever their number.
// CHECK-LABEL: func.func @heads
// CHECK: pit.contract batches {{.*}} plan <family = batched_gemm, tile = {{.*}}alignment = "aligned", expected = array<i64: {{[0-9]+, [0-9]+}}, 64, {{[0-9]+}}>
// CHECK: pit.contract batches {{.*}} engine = mma_sync{{.*}}alignment = "unaligned"
func.func @heads(%a: memref<?x?x64xbf16>, %b: memref<?x64x?xbf16>, %c: memref<?x?x?xbf16>) {
  pit.contract batches ins(%a, %b : memref<?x?x64xbf16>, memref<?x64x?xbf16>) outs(%c : memref<?x?x?xbf16>)
    {indexing_maps = [#bmk, #bkn, #bmn], listed = array<i1: false, false, false>}
  return
}

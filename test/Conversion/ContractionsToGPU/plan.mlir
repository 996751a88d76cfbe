// Each contract op on buffers gets a plan, and one that has a plan keeps it.
// RUN: pit-opt %s --pit-plan-kernels | FileCheck %s --check-prefixes=CHECK,HOPPER
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_80 | FileCheck %s --check-prefixes=CHECK,AMPERE
// RUN: pit-opt %s --pit-plan-kernels=f32-products=tf32 | FileCheck %s --check-prefix=TF32
// What is printed is read, and planning again changes nothing.
// RUN: pit-opt %s --pit-plan-kernels -o %t.mlir
// RUN: pit-opt %t.mlir --pit-plan-kernels | diff %t.mlir -

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
!list = !pit.index_buffer<!pit.index<[?], coordinate = 0, tile = [1], width = 32>>

// CHECK-LABEL: func.func @bf16(
// HOPPER: plan <family = gemm, tile = [
// AMPERE: plan <family = gemm, engine = mma_sync, tile = [
func.func @bf16(%a: memref<4096x4096xbf16>, %b: memref<4096x4096xbf16>, %c: memref<4096x4096xbf16>) {
  pit.contract dense ins(%a, %b : memref<4096x4096xbf16>, memref<4096x4096xbf16>) outs(%c : memref<4096x4096xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// Threads multiply f32 as they are; matrix units, rounded ones.
// CHECK-LABEL: func.func @f32(
// CHECK: plan <family = gemm, engine = simt, tile = [
// TF32-LABEL: func.func @f32(
// TF32: plan <family = gemm, tile = [
func.func @f32(%a: memref<512x256xf32>, %b: memref<256x128xf32>, %c: memref<512x128xf32>) {
  pit.contract dense ins(%a, %b : memref<512x256xf32>, memref<256x128xf32>) outs(%c : memref<512x128xf32>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// Few rows have clusters that share the steps along k.
// CHECK-LABEL: func.func @few_rows(
// HOPPER: plan <family = gemm, {{.*}}split_k = {{[0-9]+}}, swap_ab = true>
func.func @few_rows(%a: memref<32x4096xbf16>, %b: memref<4096x1024xbf16>, %c: memref<32x1024xbf16>) {
  pit.contract dense ins(%a, %b : memref<32x4096xbf16>, memref<4096x1024xbf16>) outs(%c : memref<32x1024xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// How many rows are listed is known at run time: a variant for each.
// CHECK-LABEL: func.func @rows(
// HOPPER: plan <family = gather_gemm, tile = [{{.*}}variants = [#pit.variant<guard = rows, limit = {{[0-9]+}}
// AMPERE: plan <family = gather_gemm, engine = mma_sync
func.func @rows(%rows: memref<?xi32>, %offsets: memref<2xi64>, %m: index, %a: memref<?x1024xbf16>, %b: memref<1024x1024xbf16>,
                %c: memref<?x1024xbf16>) {
  %i = pit.assemble %offsets, %rows extents(%m) : memref<2xi64>, memref<?xi32> -> !list
  pit.contract rows over(%i : !list) ins(%a, %b : memref<?x1024xbf16>, memref<1024x1024xbf16>) outs(%c : memref<?x1024xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, true>}
  return
}

// Of at most 1024 rows that threads multiply, no more are in a tile than where all are known: few columns have the smallest tiles.
// CHECK-LABEL: func.func @few_listed(
// CHECK: plan <family = gather_gemm, engine = simt, tile = [32, 32, 16], warp_tile = [16, 16]
// CHECK: plan <family = gather_gemm, engine = simt, tile = [64, 64, 16], warp_tile = [32, 32]
// CHECK: plan <family = gather_gemm, engine = simt, tile = [64, 128, 16], warp_tile = [64, 32]
func.func @few_listed(%rows: memref<?xi32>, %offsets: memref<2xi64>, %m: index, %a: memref<1024x256xf32>, %b: memref<256x256xf32>,
                      %c: memref<1024x256xf32>, %wide: memref<256x1024xf32>, %d: memref<1024x1024xf32>, %widest: memref<256x4096xf32>, %e: memref<1024x4096xf32>) {
  %i = pit.assemble %offsets, %rows extents(%m) : memref<2xi64>, memref<?xi32> -> !list
  pit.contract rows over(%i : !list) ins(%a, %b : memref<1024x256xf32>, memref<256x256xf32>) outs(%c : memref<1024x256xf32>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, true>}
  pit.contract rows over(%i : !list) ins(%a, %wide : memref<1024x256xf32>, memref<256x1024xf32>) outs(%d : memref<1024x1024xf32>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, true>}
  pit.contract rows over(%i : !list) ins(%a, %widest : memref<1024x256xf32>, memref<256x4096xf32>) outs(%e : memref<1024x4096xf32>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, true>}
  return
}

// CHECK-LABEL: func.func @by_hand(
// CHECK: plan <family = gemm, engine = mma_sync, tile = [64, 64, 32], warp_tile = [32, 32], stages = 3>
func.func @by_hand(%a: memref<4096x4096xbf16>, %b: memref<4096x4096xbf16>, %c: memref<4096x4096xbf16>) {
  pit.contract dense ins(%a, %b : memref<4096x4096xbf16>, memref<4096x4096xbf16>) outs(%c : memref<4096x4096xbf16>)
    plan <family = gemm, engine = mma_sync, tile = [64, 64, 32], warp_tile = [32, 32], stages = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// No kernel has rows that the copy engine and 16-byte copies cannot read.
// CHECK-LABEL: func.func @none(
// CHECK-NOT: plan <
// CHECK: return
func.func @none(%a: memref<512x?xbf16, strided<[?, 2]>>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  pit.contract dense ins(%a, %b : memref<512x?xbf16, strided<[?, 2]>>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

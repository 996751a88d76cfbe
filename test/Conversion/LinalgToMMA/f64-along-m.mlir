// Products of f64 whose A lies along m.
// RUN: pit-opt %s -convert-contractions-to-mma=chip=sm_90 -canonicalize -cse | FileCheck %s
// RUN: pit-opt %s -pit-plan-kernels=chip=sm_90a | FileCheck %s --check-prefix=PLAN

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A row of a tile of 128 takes half of the threads, which load two rows at a time, of other keys.
// PLAN-LABEL: func.func @along_m
// PLAN: plan <family = gemm, engine = mma_sync, tile = [64, 64, 16], warp_tile = [32, 32], stages = 4>
// PLAN: plan <family = gemm, engine = mma_sync, tile = [128, 64, 16], warp_tile = [64, 32], stages = 4>
// CHECK-LABEL: func.func @along_m
// CHECK: gpu.launch_func @along_m_kernels::@along_m_contraction_0
// CHECK: gpu.launch_func @along_m_kernels::@along_m_contraction_1
func.func @along_m(%a: memref<4096x4096xf64>, %b: memref<4096x4096xf64>, %c: memref<4096x4096xf64>, %d: memref<4096x4096xf64>) {
  pit.contract dense ins(%a, %b : memref<4096x4096xf64>, memref<4096x4096xf64>) outs(%c : memref<4096x4096xf64>)
    {indexing_maps = [#km, #kn, #mn], listed = array<i1: false, false, false>}
  pit.contract dense ins(%a, %b : memref<4096x4096xf64>, memref<4096x4096xf64>) outs(%d : memref<4096x4096xf64>)
    plan <family = gemm, engine = mma_sync, tile = [128, 64, 16], warp_tile = [64, 32], stages = 4>
    {indexing_maps = [#km, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

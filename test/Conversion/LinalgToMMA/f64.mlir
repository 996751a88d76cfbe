// Products of f64: instructions of sm_80, and those with 16 rows that sm_90 has. Fragments are loaded element by element.
// RUN: pit-opt %s -convert-contractions-to-mma=chip=sm_80 -canonicalize -cse | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: pit-opt %s -convert-contractions-to-mma=chip=sm_90 -canonicalize -cse | FileCheck %s --check-prefixes=CHECK,TALL
// RUN: pit-opt %s -pit-plan-kernels=chip=sm_80 | FileCheck %s --check-prefix=PLAN
// RUN: pit-opt %s -convert-contractions-to-mma=chip=sm_86 --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#n = affine_map<(m, n, k) -> (n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// PLAN: plan <family = gemm, engine = mma_sync, tile = [128, 64, 32], warp_tile = [64, 32], stages = 2>
// REMARK: Family="dense GEMM", Instructions=mma.sync, {{.*}}Stages=2, Tile=128x64x32

// CHECK-LABEL: func.func @epilogue
// CHECK: gpu.launch_func
// CHECK: llvm.func @epilogue_contraction_0
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f64
// OLD-COUNT-64: nvvm.mma.sync {{.*}} shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, f64, f64)
// TALL-COUNT-16: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k8.row.col.f64"
// CHECK: arith.addf %{{.*}}, %{{.*}} : f64
// CHECK: llvm.store %{{.*}}, %{{.*}} : vector<2xf64>, !llvm.ptr<3>
func.func @epilogue(%a: memref<65536x64xf64>, %b: memref<64x256xf64>, %bias: memref<256xf64>, %c: memref<65536x256xf64>) {
  pit.contract dense ins(%a, %b : memref<65536x64xf64>, memref<64x256xf64>) with(%bias : memref<256xf64>)
    outs(%c : memref<65536x256xf64>) {indexing_maps = [#mk, #kn, #n, #mn], listed = array<i1: false, false, false, false>} epilogue {
  ^bb0(%sum: f64, %x: f64):
    %0 = arith.addf %sum, %x : f64
    pit.yield %0 : f64
  }
  return
}

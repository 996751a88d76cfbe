// Products of i8 with sums in i32. Along k, ldmatrix gives what instructions take; other layouts are transposed in pairs, and taken apart.
// RUN: pit-opt %s -convert-contractions-to-mma -canonicalize -cse -split-input-file | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#n = affine_map<(m, n, k) -> (n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @dequantised
// CHECK: llvm.func @dequantised_contraction_0
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK: scf.for
// CHECK-COUNT-8: nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<row>
// CHECK-NOT: llvm.nvvm.prmt
// CHECK-COUNT-32: nvvm.mma.sync {{.*}}intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, {{.*}}multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, shape = #nvvm.shape<m = 16, n = 8, k = 32>
// CHECK: arith.sitofp %{{.*}} : i32 to f32
// CHECK: nvvm.convert.f32x2.to.bf16x2
func.func @dequantised(%a: memref<?x256xi8>, %b: memref<512x256xi8>, %scale: memref<512xf32>, %c: memref<?x512xbf16>) {
  pit.contract dense ins(%a, %b : memref<?x256xi8>, memref<512x256xi8>) with(%scale : memref<512xf32>)
    outs(%c : memref<?x512xbf16>) {indexing_maps = [#mk, #nk, #n, #mn], listed = array<i1: false, false, false, false>, unsigned_b} epilogue {
  ^bb0(%sum: i32, %x: f32):
    %0 = arith.sitofp %sum : i32 to f32
    %1 = arith.mulf %0, %x : f32
    pit.yield %1 : f32
  }
  return
}

// -----

// Neither is stored along k. From linalg, by the body's extensions.
// CHECK-LABEL: func.func @transposed
// CHECK: llvm.func @transposed_contraction_0
// CHECK: scf.for
// CHECK: nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<col>
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.prmt"
// CHECK: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<u8>, multiplicandBPtxType = #nvvm.mma_type<u8>
// CHECK: llvm.store %{{.*}}, %{{.*}} : vector<2xi32>, !llvm.ptr<3>
func.func @transposed(%a: memref<96x64xi8>, %b: memref<96x48xi8>, %c: memref<64x48xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x48xi32>)
  linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<96x64xi8>, memref<96x48xi8>) outs(%c : memref<64x48xi32>) {
  ^bb0(%x: i8, %y: i8, %t: i32):
    %v = arith.extui %x : i8 to i32
    %w = arith.extui %y : i8 to i32
    %p = arith.muli %v, %w : i32
    %q = arith.addi %t, %p : i32
    linalg.yield %q : i32
  }
  return
}

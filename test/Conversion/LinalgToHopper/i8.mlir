// Products of i8 that lie along k, with sums in i32: 128 k of a stage, in instructions of 32.
// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s
// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK-DAG: [Passed] kernel | {{.*}}Function=dequantised | {{.*}}Instructions=wgmma
// REMARK-DAG: [Missed] kernel | {{.*}}Function=transposed | {{.*}}Reason="dense GEMM: wgmma reads i8 only where k is contiguous in A and B
// REMARK-DAG: [Missed] kernel | {{.*}}Function=mixed | {{.*}}Reason="dense GEMM: one of A and B is unsigned
// REMARK-DAG: [Missed] kernel | {{.*}}Function=narrow | {{.*}}Reason="dense GEMM: the result is i8; kernels with wgmma write i32 and floats

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#n = affine_map<(m, n, k) -> (n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @dequantised
// CHECK: nvgpu.tma.create.descriptor {{.*}} : memref<*xi8> -> <tensor = memref<128x128xi8, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// CHECK: llvm.func @dequantised_contraction_0
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 256, k = 32>, D[<s32>, <zero>], A[<s8>, <one>, <row>], B[<s8>, <one>, <col>]
// CHECK-COUNT-3: nvvm.wgmma.mma_async {{.*}} D[<s32>, <one>]
// CHECK: scf.for
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} D[<s32>, <one>]
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: arith.sitofp %{{.*}} : i32 to f32
// CHECK: nvvm.convert.f32x2.to.bf16x2
func.func @dequantised(%a: memref<?x512xi8>, %b: memref<1024x512xi8>, %scale: memref<1024xf32>, %c: memref<?x1024xbf16>) {
  pit.contract dense ins(%a, %b : memref<?x512xi8>, memref<1024x512xi8>) with(%scale : memref<1024xf32>)
    outs(%c : memref<?x1024xbf16>) {indexing_maps = [#mk, #nk, #n, #mn], listed = array<i1: false, false, false, false>} epilogue {
  ^bb0(%sum: i32, %x: f32):
    %0 = arith.sitofp %sum : i32 to f32
    %1 = arith.mulf %0, %x : f32
    pit.yield %1 : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Of few rows, too: columns of B do not become rows of instructions.
// CHECK-LABEL: func.func @few
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 128, k = 32>, D[<s32>, <zero>], A[<u8>, <one>, <row>], B[<u8>, <one>, <col>]
// CHECK: llvm.store {{.*}} : vector<2xi32>, !llvm.ptr<1>
func.func @few(%a: memref<16x512xi8>, %b: memref<1024x512xi8>, %c: memref<16x1024xi32>) {
  pit.contract dense ins(%a, %b : memref<16x512xi8>, memref<1024x512xi8>)
    outs(%c : memref<16x1024xi32>) {indexing_maps = [#mk, #nk, #mn], listed = array<i1: false, false, false>, unsigned_a, unsigned_b}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @transposed
// CHECK-NOT: gpu.launch_func
func.func @transposed(%a: memref<256x512xi8>, %b: memref<512x1024xi8>, %c: memref<256x1024xi32>) {
  pit.contract dense ins(%a, %b : memref<256x512xi8>, memref<512x1024xi8>)
    outs(%c : memref<256x1024xi32>) {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @mixed
// CHECK-NOT: gpu.launch_func
func.func @mixed(%a: memref<256x512xi8>, %b: memref<1024x512xi8>, %c: memref<256x1024xi32>) {
  pit.contract dense ins(%a, %b : memref<256x512xi8>, memref<1024x512xi8>)
    outs(%c : memref<256x1024xi32>) {indexing_maps = [#mk, #nk, #mn], listed = array<i1: false, false, false>, unsigned_b}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @narrow
// CHECK-NOT: gpu.launch_func
func.func @narrow(%a: memref<256x512xi8>, %b: memref<1024x512xi8>, %c: memref<256x1024xi8>) {
  pit.contract dense ins(%a, %b : memref<256x512xi8>, memref<1024x512xi8>)
    outs(%c : memref<256x1024xi8>) {indexing_maps = [#mk, #nk, #mn], listed = array<i1: false, false, false>} epilogue {
  ^bb0(%sum: i32):
    %0 = arith.trunci %sum : i32 to i8
    pit.yield %0 : i8
  }
  return
}

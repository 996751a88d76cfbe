// RUN: pit-opt %s -convert-linalg-to-gpu -canonicalize -split-input-file | FileCheck %s
// RUN: pit-opt %s -convert-linalg-to-gpu -cse -split-input-file | FileCheck %s --check-prefix=BASE

// One thread per element of the output; the reduction stays inside a thread.
// CHECK-LABEL: func.func @matmul(
// CHECK: %[[C4:.*]] = arith.constant 4 : index
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[C4]]
// CHECK: scf.for
// CHECK: %[[ACC:.*]] = scf.for {{.*}} iter_args
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: memref.store %[[ACC]]
func.func @matmul(%a: memref<16x32xf32>, %b: memref<32x64xf32>, %c: memref<16x64xf32>) {
  linalg.matmul ins(%a, %b : memref<16x32xf32>, memref<32x64xf32>) outs(%c : memref<16x64xf32>)
  return
}

// -----

// Dynamic extents and copies: buffers come in as base pointers.
// BASE-LABEL: func.func @copy(
// BASE-SAME: %[[A:[a-z0-9]+]]: memref<?x8xf32>
// BASE: %[[BASE:[a-z_0-9]+]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[A]]
// BASE: gpu.launch
// BASE: memref.reinterpret_cast %[[BASE]]
func.func @copy(%a: memref<?x8xf32>, %b: memref<?x8xf32>) {
  memref.copy %a, %b : memref<?x8xf32> to memref<?x8xf32>
  return
}

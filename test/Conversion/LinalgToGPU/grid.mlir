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

// -----

// Launches of earlier passes stay where they are, and nothing is moved past
// them.
// BASE-LABEL: func.func @around_launch
// BASE: gpu.launch blocks
// BASE: gpu.launch_func @kernels::@other
// BASE: gpu.launch blocks
module attributes {gpu.container_module} {
  func.func @around_launch(%a: memref<8xf32>, %v: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    memref.store %v, %a[%c0] : memref<8xf32>
    gpu.launch_func @kernels::@other blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    memref.store %v, %a[%c1] : memref<8xf32>
    return
  }
  gpu.module @kernels {
    gpu.func @other() kernel {
      gpu.return
    }
  }
}

// Inputs that lie along another loop than the output come through tiles in shared memory.
// RUN: pit-opt %s --convert-linalg-to-gpu -split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-linalg-to-gpu -split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @transpose(
// CHECK: gpu.launch {{.*}} workgroup(%[[TILE:.*]] : memref<33x33xbf16, #gpu.address_space<workgroup>>)
// CHECK: scf.for
// CHECK: scf.if
// CHECK: memref.load
// CHECK: memref.store {{.*}}, %[[TILE]]
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: memref.load %[[TILE]]
// CHECK: memref.store
// CHECK: gpu.barrier
// REMARK: Function=transpose | {{.*}}Family="transposition through shared memory"
func.func @transpose(%a: memref<100x?xbf16>, %b: memref<?x100xbf16>) {
  linalg.transpose ins(%a : memref<100x?xbf16>) outs(%b : memref<?x100xbf16>) permutation = [1, 0]
  return
}

// -----

// What is read beside it, and lies as the output does, is read where it is used; so is what has one of the loops.
// CHECK-LABEL: func.func @add(
// CHECK: gpu.launch {{.*}} workgroup(%[[TILE:.*]] : memref<33x33xf32, #gpu.address_space<workgroup>>)
// CHECK: gpu.barrier
// CHECK-DAG: memref.load %[[TILE]]
// CHECK-DAG: memref.load {{.*}} : memref<8x64x40xf32>
// CHECK-DAG: memref.load {{.*}} : memref<64xf32>
// CHECK: arith.addf
func.func @add(%a: memref<8x40x64xf32>, %b: memref<8x64x40xf32>, %c: memref<64xf32>, %d: memref<8x64x40xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, i, j) -> (n, j, i)>, affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (i)>,
                                   affine_map<(n, i, j) -> (n, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b, %c : memref<8x40x64xf32>, memref<8x64x40xf32>, memref<64xf32>) outs(%d : memref<8x64x40xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Tiles of three channels would be empty for the most part.
// CHECK-LABEL: func.func @narrow(
// CHECK-NOT: workgroup
// CHECK: return
// REMARK: Function=narrow | {{.*}}Family="one thread for each element"
func.func @narrow(%a: memref<3x1000xf32>, %b: memref<1000x3xf32>) {
  linalg.transpose ins(%a : memref<3x1000xf32>) outs(%b : memref<1000x3xf32>) permutation = [1, 0]
  return
}

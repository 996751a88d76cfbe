// RUN: pit-opt %s --convert-linalg-to-gpu --canonicalize | FileCheck %s

#id = affine_map<(i) -> (i)>

// A loop mapped to blocks is a grid; what its iterations allocate is one buffer with room for all blocks.
// CHECK-LABEL: func @blocks
// CHECK-SAME: %[[X:.*]]: memref<?x64xf32>, %[[N:.*]]: index
// CHECK: %[[BYTES:.*]] = arith.muli %[[N]], %c256
// CHECK: %[[ROOM:.*]] = memref.alloc(%[[BYTES]]) : memref<?xi8>
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[N]],
// CHECK: %[[MINE:.*]] = arith.muli %[[BLOCK:.*]], %c256
// CHECK: memref.view %{{.*}}[%[[MINE]]][] : memref<?xi8> to memref<64xf32>
func.func @blocks(%x: memref<?x64xf32>, %n: index) {
  scf.forall (%block) in (%n) {
    %row = memref.subview %x[%block, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    %tile = memref.alloc() : memref<64xf32>
    linalg.exp ins(%row : memref<64xf32, strided<[1], offset: ?>>) outs(%tile : memref<64xf32>)
    memref.copy %tile, %row : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>>
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}

// How many there are is known to the device alone: one block runs them all.
// CHECK-LABEL: func @unknown
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c1
// CHECK: scf.for
func.func @unknown(%x: memref<?x64xf32>, %count: memref<index>) {
  %n = memref.load %count[] : memref<index>
  scf.forall (%block) in (%n) {
    %row = memref.subview %x[%block, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.exp ins(%row : memref<64xf32, strided<[1], offset: ?>>) outs(%row : memref<64xf32, strided<[1], offset: ?>>)
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}

// RUN: pit-opt %s --convert-invert-to-gpu --canonicalize --cse --split-input-file | FileCheck %s

!i = !pit.index<[4096, 40], coordinate = 0, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
// One launch of a block for every 32 coordinates; 40 segments are a group of 32 for one warp, and one for another.
// CHECK-LABEL: func @known
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func @known_kernels::@known_invert_0 blocks in (%c128, %c1, %c1) threads in (%c256, %c1, %c1)
// CHECK-NOT: gpu.launch_func
// CHECK-NOT: pit.
// CHECK: llvm.func @known_invert_0
// What has no room is dropped.
// CHECK-DAG: %[[ROOM:.*]] = arith.constant 8192 : i64
// CHECK-DAG: %[[END:.*]] = arith.constant 4096 : i64
// CHECK: arith.minui %{{.*}}, %[[ROOM]] : i64
// CHECK-NOT: atomicrmw
// A search, then the coordinates of the block.
// CHECK: scf.while
// CHECK: scf.while
// CHECK: nvvm.shfl.sync
// CHECK: nvvm.barrier
// The segments are not searched again for the positions.
// CHECK-NOT: scf.while
// CHECK: llvm.intr.ctpop
// CHECK: arith.trunci %{{.*}} : i64 to i32
// CHECK: llvm.return
func.func @known(%fo: memref<41xi64>, %fc: memref<9000xi32>, %o: memref<4097xi64>, %c: memref<8192xi32>) {
  %i = pit.assemble %fo, %fc : memref<41xi64>, memref<9000xi32> -> !b
  pit.invert_into %i outs(%o, %c : memref<4097xi64>, memref<8192xi32>) : !b
  return
}

// -----

!i = !pit.index<[?, ?], coordinate = 0, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
// CHECK-LABEL: func @unknown
// CHECK-SAME: %[[T:[a-z0-9]+]]: index, %[[S:[a-z0-9]+]]: index)
// CHECK-DAG: %[[N:.*]] = memref.dim %{{.*}}, %c0 : memref<?xi64>
// CHECK-DAG: %[[GROUPS:.*]] = arith.ceildivui %[[S]], %c32
// CHECK-DAG: arith.ceildivui %[[GROUPS]], %c8
// CHECK-DAG: arith.ceildivui %[[T]], %c32
// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// Several groups per warp are searched twice; 64-bit positions are stored as they are.
// CHECK: llvm.func @unknown_invert_0
// CHECK: nvvm.barrier
// CHECK: scf.while
// CHECK: llvm.intr.ctpop
// CHECK-NOT: arith.trunci {{.*}} to i32
// CHECK: llvm.store
// CHECK: llvm.return
func.func @unknown(%fo: memref<?xi64>, %fc: memref<?xi32>, %o: memref<?xi64>, %c: memref<?xi64>, %t: index, %s: index) {
  %i = pit.assemble %fo, %fc extents(%t, %s) : memref<?xi64>, memref<?xi32> -> !b
  pit.invert_into %i outs(%o, %c : memref<?xi64>, memref<?xi64>) : !b
  return
}

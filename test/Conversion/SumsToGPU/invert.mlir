// RUN: pit-opt %s --convert-invert-to-gpu --canonicalize --cse --split-input-file | FileCheck %s

!i = !pit.index<[4096, 40], coordinate = 0, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
// Two words per coordinate and 16 counters on lines of their own; four launches that the host does not wait between.
// CHECK-LABEL: func @known
// CHECK-DAG: %[[WORDS:.*]] = memref.alloc() : memref<8704xi32>
// CHECK: gpu.launch_func @known_kernels::@known_invert_0 blocks in (%c34, %c1, %c1)
// CHECK: gpu.launch_func @known_kernels::@known_invert_1 blocks in (%c32, %c1, %c1)
// CHECK: gpu.launch_func @known_kernels::@known_invert_2 blocks in (%c16, %c1, %c1)
// CHECK: gpu.launch_func @known_kernels::@known_invert_3 blocks in (%c32, %c1, %c1)
// CHECK: memref.dealloc %[[WORDS]]
// CHECK-NOT: pit.
// CHECK: llvm.func @known_invert_0
// CHECK: llvm.func @known_invert_1
// What has no room is dropped.
// CHECK: %[[ROOM:.*]] = arith.constant 8192 : i64
// CHECK: arith.minui %{{.*}}, %[[ROOM]] : i64
// CHECK: llvm.atomicrmw _or %{{.*}} syncscope("device") monotonic
// CHECK: llvm.atomicrmw add %{{.*}} syncscope("device") monotonic
// CHECK: llvm.func @known_invert_2
// CHECK-NOT: atomicrmw
// CHECK: llvm.intr.ctpop
// CHECK: llvm.func @known_invert_3
// CHECK-NOT: atomicrmw
// CHECK: llvm.intr.ctpop
func.func @known(%fo: memref<41xi64>, %fc: memref<9000xi32>, %o: memref<4097xi64>, %c: memref<8192xi32>) {
  %i = pit.assemble %fo, %fc : memref<41xi64>, memref<9000xi32> -> !b
  pit.invert_into %i outs(%o, %c : memref<4097xi64>, memref<8192xi32>) : !b
  return
}

// -----

!i = !pit.index<[?, ?], coordinate = 0, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
// CHECK-LABEL: func @unknown
// CHECK-SAME: %[[T:.*]]: index, %[[S:.*]]: index)
// CHECK-DAG: %[[N:.*]] = memref.dim %{{.*}}, %c0 : memref<?xi64>
// CHECK-DAG: arith.ceildivui %[[S]], %c32
// CHECK-DAG: arith.ceildivui %[[T]], %c256
// CHECK-COUNT-4: gpu.launch_func
// 64-bit positions are stored as they are.
// CHECK: llvm.func @unknown_invert_3
// CHECK-NOT: arith.trunci {{.*}} to i32
// CHECK: llvm.return
func.func @unknown(%fo: memref<?xi64>, %fc: memref<?xi32>, %o: memref<?xi64>, %c: memref<?xi64>, %t: index, %s: index) {
  %i = pit.assemble %fo, %fc extents(%t, %s) : memref<?xi64>, memref<?xi32> -> !b
  pit.invert_into %i outs(%o, %c : memref<?xi64>, memref<?xi64>) : !b
  return
}

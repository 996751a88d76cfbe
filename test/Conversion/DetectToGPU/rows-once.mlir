// RUN: pit-opt %s -convert-detect-to-gpu -canonicalize -cse -split-input-file | FileCheck %s

!lists = !pit.index<[8192, 128], coordinate = 0, tile = [1, 1], width = 32>

// Results may rely on it that no row is listed twice: blocks of their own look at 32 words of rows each, in all of the
// 128 segments, and report a row that is there twice.
// CHECK-LABEL: func.func @once(
// CHECK-DAG: %[[ALL:.*]] = arith.constant 136 : index
// CHECK: gpu.launch_func @once_kernels::@once_detect_0
// CHECK: gpu.launch_func @once_kernels::@once_list_0 blocks in (%[[ALL]],
// CHECK: llvm.func @once_list_0
// CHECK: %[[LISTS:.*]] = arith.cmpi ult, %{{.*}}, %c128_i32
// CHECK: scf.if %[[LISTS]] {
// CHECK: } else {
// CHECK: arith.subi %{{.*}}, %c128_i32
// What was seen before is seen again.
// CHECK: scf.for {{.*}} iter_args(%[[SEEN:.*]] = %c0_i32, %[[TWICE:.*]] = %c0_i32)
// CHECK: %[[WORD:.*]] = llvm.load
// CHECK: %[[BITS:.*]] = arith.select %{{.*}}, %[[WORD]], %c0_i32
// CHECK: %[[AGAIN:.*]] = arith.andi %[[SEEN]], %[[BITS]]
// CHECK: arith.ori %[[TWICE]], %[[AGAIN]]
// CHECK: nvvm.barrier
// The code for exceeded capacities, 2 where 1 fits.
// CHECK: llvm.store %c3_i64
// CHECK: llvm.store %c2_i64
// CHECK: llvm.store %c1_i64
func.func @once(%g: memref<8192x128xf32>, %o: memref<129xi64>, %c: memref<8192xi32>) {
  pit.detect_into values(%g : memref<8192x128xf32>) outs(%o, %c : memref<129xi64>, memref<8192xi32>)
    <kind = values, axes = [0, 1], at_most = 1> : !lists
  return
}

// -----

!lists = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>

// The one block of a small pattern does that as well.
// CHECK-LABEL: func.func @small(
// CHECK: llvm.func @small_detect_0
// CHECK: llvm.store %c3_i64
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %c0_i32, %{{.*}} = %c0_i32)
// CHECK: llvm.store %c3_i64
// CHECK: llvm.store %c2_i64
func.func @small(%g: memref<16x8xf32>, %o: memref<9xi64>, %c: memref<16xi32>) {
  pit.detect_into values(%g : memref<16x8xf32>) outs(%o, %c : memref<9xi64>, memref<16xi32>)
    <kind = values, axes = [0, 1], at_most = 1> : !lists
  return
}

// -----

!lists = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>
!wide = !pit.index<[16, 8], coordinate = 0, tile = [2, 1], width = 32>

// Not for more than one per row, and not for micro-tiles of several rows.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-2: llvm.store %c3_i64
// CHECK-NOT: llvm.store %c3_i64
func.func @others(%g: memref<16x8xf32>, %o: memref<9xi64>, %c: memref<32xi32>) {
  pit.detect_into values(%g : memref<16x8xf32>) outs(%o, %c : memref<9xi64>, memref<32xi32>)
    <kind = values, axes = [0, 1], at_most = 2> : !lists
  pit.detect_into values(%g : memref<16x8xf32>) outs(%o, %c : memref<9xi64>, memref<32xi32>)
    <kind = values, axes = [0, 1], tile = [2, 1], at_most = 1> : !wide
  return
}

// Nothing is live in a tensor without elements: segments are empty, and no kernel reads.
// RUN: pit-opt %s --convert-detect-to-gpu -split-input-file | FileCheck %s

// CHECK-LABEL: func @no_rows(
// CHECK-SAME: %[[O:[a-z0-9]+]]: memref<1xi64>
// CHECK-NOT: gpu.launch_func
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: linalg.fill ins(%[[ZERO]] : i64) outs(%[[O]] : memref<1xi64>)
!i = !pit.index<[0, 8], coordinate = 1, tile = [1, 1], width = 32>
func.func @no_rows(%x: memref<0x8xf32>, %o: memref<1xi64>, %c: memref<0xi32>) {
  pit.detect_into values(%x : memref<0x8xf32>) outs(%o, %c : memref<1xi64>, memref<0xi32>)
    <kind = values, axes = [0, 1]> : !i
  return
}

// -----

// Five rows of nothing have six offsets.
// CHECK-LABEL: func @no_columns(
// CHECK-NOT: gpu.launch_func
// CHECK: linalg.fill ins(%{{.*}} : i64) outs(%{{.*}} : memref<6xi64>)
!i = !pit.index<[5, 0], coordinate = 1, tile = [1, 1], width = 32>
func.func @no_columns(%x: memref<5x0xi1>, %o: memref<6xi64>, %c: memref<0xi32>) {
  pit.detect_into by(%x : memref<5x0xi1>) outs(%o, %c : memref<6xi64>, memref<0xi32>)
    <kind = mask, axes = [0, 1]> : !i
  return
}

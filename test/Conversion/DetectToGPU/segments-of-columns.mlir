// RUN: pit-opt %s -convert-detect-to-gpu -canonicalize -cse -split-input-file | FileCheck %s

// Lists of rows, per 8 columns, which are a segment: it begins 16 bytes behind the one before, and rows are 1024 bytes long.
!rows = !pit.index<[?, 512], coordinate = 0, tile = [1, 8], width = 32>

// CHECK-LABEL: llvm.func @columns_detect_0(
// CHECK: %[[AT:.*]] = arith.muli %{{.*}}, %c16_i64 : i64
// CHECK: %[[SEGMENT:.*]] = llvm.getelementptr %arg1[%[[AT]]]
// CHECK: %[[DOWN:.*]] = arith.muli %{{.*}}, %c1024_i64 : i64
// CHECK: %[[ROW:.*]] = llvm.getelementptr %[[SEGMENT]][%[[DOWN]]]
// CHECK-NEXT: llvm.load %[[ROW]] {{.*}} vector<4xi32>
func.func @columns(%x: memref<?x512xbf16>, %m: index, %o: memref<?xi64>, %c: memref<?xi32>) {
  pit.detect_into values(%x : memref<?x512xbf16>) extents(%m) outs(%o, %c : memref<?xi64>, memref<?xi32>)
    <kind = values, axes = [0, 1], tile = [1, 8]> : !rows
  return
}

// -----

// Three rows lie between, all of which are read.
!rows = !pit.index<[?, 512], coordinate = 0, tile = [1, 8], width = 32>

// CHECK-LABEL: llvm.func @between_detect_0(
// CHECK: arith.muli %{{.*}}, %c3072_i64 : i64
// CHECK: %[[ONE:.*]] = llvm.getelementptr %{{.*}}[1024]
// CHECK-NEXT: llvm.load %[[ONE]]
// CHECK: %[[TWO:.*]] = llvm.getelementptr %{{.*}}[2048]
// CHECK-NEXT: llvm.load %[[TWO]]
func.func @between(%x: memref<?x3x512xbf16>, %m: index, %o: memref<?xi64>, %c: memref<?xi32>) {
  pit.detect_into values(%x : memref<?x3x512xbf16>) extents(%m) outs(%o, %c : memref<?xi64>, memref<?xi32>)
    <kind = values, axes = [0, 2], tile = [1, 8]> : !rows
  return
}

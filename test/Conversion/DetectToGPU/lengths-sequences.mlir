// RUN: pit-opt %s -convert-detect-to-gpu | FileCheck %s

// Lists of sequences, per run of positions: a sequence is live in the run where it has a position. Padded on the left, the last
// position of the run decides, as far as there is one.
!seq = !pit.index<[?, ?], coordinate = 0, tile = [1, 4], width = 32>

// CHECK-LABEL: func.func @sequences
// CHECK: llvm.func @sequences_detect_0(
// CHECK: %[[LAST:.*]] = arith.addi %{{.*}}, %c3_i64 : i64
// CHECK-NEXT: arith.minsi %[[LAST]], %{{.*}} : i64
func.func @sequences(%l: memref<?xi32>, %b: index, %n: index, %o: memref<?xi64>, %c: memref<?xi32>) {
  pit.detect_into by(%l : memref<?xi32>) extents(%b, %n) outs(%o, %c : memref<?xi64>, memref<?xi32>)
    <kind = lengths, axes = [0, 1], pad = left, tile = [1, 4]> : !seq
  return
}

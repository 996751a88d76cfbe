// RUN: pit-opt %s --pit-lower-detect --canonicalize -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-lower-detect=instrument --canonicalize -split-input-file | FileCheck %s --check-prefix=RECORD

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
// Per segment a sweep and a scan; the list is cut at the capacity of 4 * 2, with one slot to spare for the scan.
// CHECK: func.func private @pit_rt_overflow(i64, i64, i64)
// CHECK-LABEL: func @values
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>)
// CHECK-DAG: %[[RULE:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[CAPACITY:.*]] = arith.constant 8 : index
// CHECK-DAG: bufferization.alloc_tensor() : tensor<5xi64>
// CHECK-DAG: bufferization.alloc_tensor() : tensor<9xi32>
// CHECK: scf.for %[[S:.*]] = %c0 to %c4
// CHECK: %[[SEGMENT:.*]] = tensor.extract_slice %[[X]][%[[S]], 0] [1, 8] [1, 1]
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%[[SEGMENT]] :
// CHECK: arith.cmpf une
// CHECK: scf.for %[[N:.*]] = {{.*}} iter_args(%[[LIST:.*]] = %{{.*}}, %[[COUNT:.*]] = %{{.*}})
// CHECK: %[[SLOT:.*]] = arith.minui %[[COUNT]], %[[CAPACITY]]
// CHECK: %[[C:.*]] = arith.index_cast %[[N]] : index to i32
// CHECK: tensor.insert %[[C]] into %[[LIST]][%[[SLOT]]]
// CHECK: arith.cmpi ugt, %{{.*}}, %[[CAPACITY]]
// CHECK: scf.if
// CHECK: call @pit_rt_overflow(%[[RULE]],
// CHECK-NOT: pit_rt_record_index
// RECORD-LABEL: func @values
// RECORD-DAG: %[[RULE:.*]] = arith.constant 3 : i64
// RECORD-DAG: %[[TOTAL:.*]] = arith.constant 32 : i64
// RECORD: call @pit_rt_record_index(%[[RULE]], %{{.*}}, %[[TOTAL]])
func.func @values(%g: tensor<4x8xf32>) -> (tensor<?xi64>, tensor<?xi32>) {
  %i = pit.detect values(%g : tensor<4x8xf32>) <kind = values, axes = [0, 1], at_most = 2> rule 3 : !i
  %o = pit.offsets %i : !i -> tensor<?xi64>
  %c = pit.coords %i : !i -> tensor<?xi32>
  return %o, %c : tensor<?xi64>, tensor<?xi32>
}

// -----

!i = !pit.index<[4, ?], coordinate = 1, tile = [1, 1], width = 64>
// Lengths outside the sequence are reported, negative ones with them; left padding starts at extent - length.
// CHECK-LABEL: func @lengths
// CHECK-SAME: (%[[L:.*]]: tensor<4xi64>, %[[N:.*]]: index)
// CHECK: %[[LEN:.*]] = arith.index_cast
// CHECK: %[[BAD:.*]] = arith.cmpi ugt, %[[LEN]], %[[N]] : index
// CHECK: scf.if %[[BAD]]
// CHECK: call @pit_rt_bad_index
// CHECK: %[[POSITION:.*]] = linalg.index 0
// CHECK: %[[FIRST:.*]] = arith.subi %[[N]], %{{.*}} : index
// CHECK: arith.cmpi sge, %[[POSITION]], %[[FIRST]] : index
func.func @lengths(%l: tensor<4xi64>, %n: index) -> tensor<?xi64> {
  %i = pit.detect by(%l : tensor<4xi64>) extents(%n) <kind = lengths, axes = [0, 1], pad = left> : !i
  %c = pit.coords %i : !i -> tensor<?xi64>
  return %c : tensor<?xi64>
}

// -----

!i = !pit.index<[32, 64], coordinate = 1, tile = [16, 8], width = 32>
// Block bits are the list's entries already: no element is looked at.
// CHECK-LABEL: func @blocks
// CHECK-SAME: (%[[B:.*]]: tensor<2x8xi1>)
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[B]][%{{.*}}, 0] [1, 8] [1, 1]
// CHECK: ins(%[[ROW]] : tensor<1x8xi1>) outs(%{{.*}} : tensor<8xi8>)
// CHECK-NOT: arith.cmpf
func.func @blocks(%b: tensor<2x8xi1>) -> tensor<?xi32> {
  %i = pit.detect by(%b : tensor<2x8xi1>) <kind = blocks, axes = [0, 1], tile = [16, 8]> : !i
  %c = pit.coords %i : !i -> tensor<?xi32>
  return %c : tensor<?xi32>
}

// -----

!i = !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>
// Rows that may be listed once are looked at again.
// CHECK-LABEL: func @once
// CHECK-DAG: %[[FALSE:.*]] = arith.constant false
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: call @pit_rt_overflow(
// CHECK: %[[NONE:.*]] = linalg.fill ins(%[[FALSE]] : i1) outs(%{{.*}} : tensor<4xi1>)
// CHECK: %[[SEEN:.*]]:2 = scf.for {{.*}} iter_args(%[[ROWS:.*]] = %[[NONE]], %[[TWICE:.*]] = %[[FALSE]])
// CHECK: %[[BEFORE:.*]] = tensor.extract %[[ROWS]]
// CHECK: %[[NOW:.*]] = arith.ori %[[TWICE]], %[[BEFORE]]
// CHECK: %[[WITH:.*]] = tensor.insert %[[TRUE]] into %[[ROWS]]
// CHECK: scf.yield %[[WITH]], %[[NOW]]
// CHECK: scf.if %[[SEEN]]#1
// CHECK-NEXT: call @pit_rt_overflow(%{{.*}}, %[[TWO]], %[[ONE]])
func.func @once(%g: tensor<4x8xf32>) -> tensor<?xi32> {
  %i = pit.detect values(%g : tensor<4x8xf32>) <kind = values, axes = [0, 1], at_most = 1> : !i
  %c = pit.coords %i : !i -> tensor<?xi32>
  return %c : tensor<?xi32>
}

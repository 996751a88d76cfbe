// RUN: pit-opt %s | pit-opt | FileCheck %s
// RUN: pit-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

!gate = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!inverse = !pit.index<[?, ?], coordinate = 1, tile = [1, 1], width = 32>
!none = !pit.index<[4, 0], coordinate = 0, tile = [1, 1], width = 32>
!empty = !pit.index<[4, 16], coordinate = 1, tile = [1, 1], width = 64>

// Extents come from the operands.
// CHECK-LABEL: func @index
// CHECK: pit.invert %{{.*}} extents(%{{.*}}, %{{.*}}) : <[?, 8], coordinate = 0, tile = [1, 1], width = 32> -> <[?, ?], coordinate = 1, tile = [1, 1], width = 32>
// FOLD-LABEL: func @index
// FOLD-SAME: width = 32>, %[[T:.*]]: index, %[[N:.*]]: index) ->
// FOLD: return %{{.*}}, %[[T]], %[[N]] :
func.func @index(%i: !gate, %t: index, %n: index) -> (!inverse, index, index) {
  %v = pit.invert %i extents(%t, %n) : !gate -> !inverse
  %0 = pit.extent %v[0] : !inverse
  %1 = pit.extent %v[1] : !inverse
  return %v, %0, %1 : !inverse, index, index
}

// Without segments nothing is listed.
// FOLD-LABEL: func @nothing
// FOLD-DAG: %[[O:.*]] = arith.constant dense<0> : tensor<5xi64>
// FOLD-DAG: %[[C:.*]] = arith.constant dense<0> : tensor<0xi64>
// FOLD: pit.assemble %[[O]], %[[C]] : tensor<5xi64>, tensor<0xi64> -> !pit.index<[4, 16]
func.func @nothing(%i: !none) -> !empty {
  %v = pit.invert %i : !none -> !empty
  return %v : !empty
}

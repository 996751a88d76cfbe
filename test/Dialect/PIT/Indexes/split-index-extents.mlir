// Extents of indexes are operands then, without a canonicalization that would find them through the index that is put together.
// RUN: pit-opt %s --pit-split-index | FileCheck %s

!idx = !pit.index<[?, 8, ?], coordinate = 0, tile = [1, 1, 1], width = 32>

// CHECK-LABEL: func @extents
// CHECK-SAME: (%{{.*}}: tensor<?xi64>, %{{.*}}: tensor<?xi32>, %[[FIRST:.*]]: index, %[[LAST:.*]]: index)
// CHECK-NOT: pit.extent
// CHECK: %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK: return %[[LAST]], %[[EIGHT]], %[[FIRST]] : index, index, index
func.func @extents(%i: !idx) -> (index, index, index) {
  %last = pit.extent %i[2] : !idx
  %known = pit.extent %i[1] : !idx
  %first = pit.extent %i[0] : !idx
  return %last, %known, %first : index, index, index
}

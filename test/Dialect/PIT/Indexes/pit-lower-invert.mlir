// RUN: pit-opt %s --pit-lower-invert --canonicalize | FileCheck %s
// RUN: pit-opt %s --pit-lower-invert=into-lists --canonicalize | FileCheck %s --check-prefix=LISTS

!gate = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!inverse = !pit.index<[?, ?], coordinate = 1, tile = [1, 1], width = 64>

// Counts, ends, and positions from the last one on. What there is no room for is left out.
// CHECK-LABEL: func @invert
// CHECK-SAME: (%[[I:.*]]: !pit.index{{.*}}, %[[T:.*]]: index, %[[N:.*]]: index)
// CHECK-DAG: %[[FROM:.*]] = pit.offsets %[[I]]
// CHECK-DAG: %[[LISTED:.*]] = pit.coords %[[I]]
// CHECK: tensor.extract %[[FROM]][%c8]
// CHECK: %[[COUNT:.*]] = arith.minui %{{.*}}, %[[N]]
// CHECK: %[[ZERO:.*]] = linalg.fill ins(%c0_i64
// CHECK: %[[COUNTS:.*]] = scf.for %[[P:.*]] = %c0 to %[[COUNT]] step %c1 iter_args(%{{.*}} = %[[ZERO]])
// CHECK: tensor.extract %[[LISTED]][%[[P]]]
// CHECK: %[[ENDS:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[COUNTS]], %{{.*}} = %c0)
// CHECK: bufferization.alloc_tensor(%[[N]]) : tensor<?xi64>
// CHECK: %[[PARTS:.*]]:2 = scf.for %{{.*}} = %c0 to %[[COUNT]] step %c1 iter_args(%{{.*}} = %[[ENDS]]#0,
// CHECK: pit.assemble %[[PARTS]]#0, %[[PARTS]]#1 extents(%[[T]], %[[N]])
// CHECK-NOT: pit.invert
// LISTS-LABEL: func @invert
// LISTS-SAME: (%[[I:.*]]: !pit.index{{.*}}, %[[T:.*]]: index, %[[N:.*]]: index)
// LISTS: %[[O:.*]] = bufferization.alloc_tensor(%{{.*}}) : tensor<?xi64>
// LISTS: %[[C:.*]] = bufferization.alloc_tensor(%[[N]]) : tensor<?xi64>
// LISTS: %[[L:.*]]:2 = pit.invert_into %[[I]] outs(%[[O]], %[[C]] :
// LISTS: pit.assemble %[[L]]#0, %[[L]]#1 extents(%[[T]], %[[N]])
func.func @invert(%i: !gate, %t: index, %n: index) -> !inverse {
  %v = pit.invert %i extents(%t, %n) : !gate -> !inverse
  return %v : !inverse
}

// Kernels are launched from the top level.
// LISTS-LABEL: func @nested
// LISTS-NOT: pit.invert
// LISTS: return
func.func @nested(%i: !gate, %t: index, %n: index, %b: i1, %o: !inverse) -> !inverse {
  %r = scf.if %b -> !inverse {
    %v = pit.invert %i extents(%t, %n) : !gate -> !inverse
    scf.yield %v : !inverse
  } else {
    scf.yield %o : !inverse
  }
  return %r : !inverse
}

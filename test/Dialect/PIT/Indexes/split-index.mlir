// RUN: pit-opt %s --pit-split-index --canonicalize --split-input-file | FileCheck %s

!idx = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>

// CHECK-LABEL: func private @declared(tensor<?xi64>, tensor<?xi32>, index) -> (tensor<?xi64>, tensor<?xi32>, index)
func.func private @declared(!idx) -> !idx

// CHECK-LABEL: func @through
// CHECK-SAME:    (%[[O:.*]]: tensor<?xi64>, %[[C:.*]]: tensor<?xi32>, %[[T:.*]]: index, %[[N:.*]]: index)
// CHECK:         %[[R:.*]]:3 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[O]], %[[B:.*]] = %[[C]], %[[D:.*]] = %[[T]])
// CHECK:           %[[NEXT:.*]]:3 = func.call @declared(%[[A]], %[[B]], %[[D]])
// CHECK:           scf.yield %[[NEXT]]#0, %[[NEXT]]#1, %[[NEXT]]#2
// CHECK:         return %[[R]]#0, %[[R]]#1, %[[R]]#2 : tensor<?xi64>, tensor<?xi32>, index
func.func @through(%i: !idx, %n: index) -> (tensor<?xi64>, tensor<?xi32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%j = %i) -> (!idx) {
    %next = func.call @declared(%j) : (!idx) -> !idx
    scf.yield %next : !idx
  }
  %o = pit.offsets %r : !idx -> tensor<?xi64>
  %c = pit.coords %r : !idx -> tensor<?xi32>
  %t = pit.extent %r[0] : !idx
  return %o, %c, %t : tensor<?xi64>, tensor<?xi32>, index
}

// Ops that want it whole get it put together.
// CHECK-LABEL: func @whole
// CHECK-SAME:    (%[[O:.*]]: tensor<?xi64>, %[[C:.*]]: tensor<?xi32>, %[[T:.*]]: index,
// CHECK:         %[[I:.*]] = pit.assemble %[[O]], %[[C]] extents(%[[T]])
// CHECK:         pit.sread %{{.*}}[%[[I]]]
func.func @whole(%i: !idx, %x: tensor<?x8xf32>, %n: index) -> tensor<?xf32> {
  %p = pit.sread %x[%i] sizes(%n) dims = [0, 1] : tensor<?x8xf32>, !idx -> tensor<?xf32>
  return %p : tensor<?xf32>
}

// CHECK-LABEL: func @condition
// CHECK-SAME:    (%[[COND:.*]]: i1, %[[O0:.*]]: tensor<?xi64>, %[[C0:.*]]: tensor<?xi32>, %[[T0:.*]]: index, %[[O1:.*]]: tensor<?xi64>, %[[C1:.*]]: tensor<?xi32>, %[[T1:.*]]: index)
// CHECK:         arith.select %[[COND]], %[[T0]], %[[T1]] : index
func.func @condition(%c: i1, %i: !idx, %j: !idx) -> index {
  %k = scf.if %c -> !idx {
    scf.yield %i : !idx
  } else {
    scf.yield %j : !idx
  }
  %t = pit.extent %k[0] : !idx
  return %t : index
}

// On buffers.
// CHECK-LABEL: func @buffers
// CHECK-SAME:    (%{{.*}}: memref<?xi64>, %[[C:.*]]: memref<?xi32>, %[[T:.*]]: index) -> (memref<?xi32>, index)
// CHECK:         return %[[C]], %[[T]]
func.func @buffers(%i: !pit.index_buffer<!idx>) -> (memref<?xi32>, index) {
  %c = pit.coords %i : !pit.index_buffer<!idx> -> memref<?xi32>
  %t = pit.extent %i[0] : !pit.index_buffer<!idx>
  return %c, %t : memref<?xi32>, index
}

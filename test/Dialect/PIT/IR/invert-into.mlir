// RUN: pit-opt %s | pit-opt | FileCheck %s
// RUN: pit-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER

!gate = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!inverse = !pit.index<[?, ?], coordinate = 1, tile = [1, 1], width = 32>

// The lists are written in place.
// CHECK-LABEL: func @lists
// CHECK: pit.invert_into %{{.*}} outs(%{{.*}}, %{{.*}} : tensor<?xi64>, tensor<?xi32>) : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32> -> tensor<?xi64>, tensor<?xi32>
// BUFFER-LABEL: func @lists
// BUFFER-SAME: (%[[I:.*]]: !pit.index_buffer
// BUFFER-DAG: %[[O:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi64>
// BUFFER-DAG: %[[C:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi32>
// BUFFER-NOT: memref.copy
// BUFFER: pit.invert_into %[[I]] outs(%[[O]], %[[C]] : memref<?xi64>, memref<?xi32>) : !pit.index_buffer<
// BUFFER-NOT: memref.copy
// BUFFER: return
func.func @lists(%i: !gate, %t: index, %n: index) -> !inverse {
  %c1 = arith.constant 1 : index
  %ends = arith.addi %t, %c1 : index
  %o = bufferization.alloc_tensor(%ends) : tensor<?xi64>
  %c = bufferization.alloc_tensor(%n) : tensor<?xi32>
  %l:2 = pit.invert_into %i outs(%o, %c : tensor<?xi64>, tensor<?xi32>) : !gate -> tensor<?xi64>, tensor<?xi32>
  %v = pit.assemble %l#0, %l#1 extents(%t, %n) : tensor<?xi64>, tensor<?xi32> -> !inverse
  return %v : !inverse
}

// RUN: pit-opt %s | pit-opt | FileCheck %s
// RUN: pit-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER

!gate = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!seq = !pit.index<[4, 128], coordinate = 1, tile = [1, 1], width = 64>

// The lists are written in place, and nothing of what they held is read.
// CHECK-LABEL: func @tensors
// CHECK: %[[L:.*]]:2 = pit.detect_into values(%{{.*}} : tensor<?x8xf32>) extents(%{{.*}}) outs(%{{.*}}, %{{.*}} : tensor<9xi64>, tensor<?xi32>)
// CHECK-SAME: <kind = values, axes = [0, 1], at_most = 2> rule 3 :
// CHECK-SAME: -> tensor<9xi64>, tensor<?xi32>
// CHECK: pit.assemble %[[L]]#0, %[[L]]#1
// BUFFER-LABEL: func @tensors
// BUFFER-SAME: (%[[X:.*]]: memref<?x8xf32>, %[[T:.*]]: index)
// BUFFER-DAG: %[[O:.*]] = memref.alloc() {{.*}} : memref<9xi64>
// BUFFER-DAG: %[[C:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi32>
// BUFFER-NOT: memref.copy
// BUFFER: pit.detect_into values(%[[X]] : memref<?x8xf32>) extents(%[[T]]) outs(%[[O]], %[[C]] : memref<9xi64>, memref<?xi32>)
// BUFFER-SAME: at_most = 2> rule 3 :
// BUFFER-NOT: memref.copy
// BUFFER: return
func.func @tensors(%x: tensor<?x8xf32>, %t: index) -> (tensor<?xi64>, tensor<?xi32>) {
  %c2 = arith.constant 2 : index
  %n = arith.muli %t, %c2 : index
  %o = bufferization.alloc_tensor() : tensor<9xi64>
  %c = bufferization.alloc_tensor(%n) : tensor<?xi32>
  %l:2 = pit.detect_into values(%x : tensor<?x8xf32>) extents(%t) outs(%o, %c : tensor<9xi64>, tensor<?xi32>)
    <kind = values, axes = [0, 1], at_most = 2> rule 3 : !gate -> tensor<9xi64>, tensor<?xi32>
  %i = pit.assemble %l#0, %l#1 extents(%t) : tensor<9xi64>, tensor<?xi32> -> !gate
  %offsets = pit.offsets %i : !gate -> tensor<?xi64>
  %coords = pit.coords %i : !gate -> tensor<?xi32>
  return %offsets, %coords : tensor<?xi64>, tensor<?xi32>
}

// CHECK-LABEL: func @buffers
// CHECK: pit.detect_into by(%{{.*}} : memref<4xi32, strided<[2]>>) outs(%{{.*}}, %{{.*}} : memref<5xi64>, memref<512xi64>)
// CHECK-SAME: <kind = lengths, axes = [0, 1], pad = left> :
// BUFFER-LABEL: func @buffers
// BUFFER: pit.detect_into by(
func.func @buffers(%l: memref<4xi32, strided<[2]>>, %o: memref<5xi64>, %c: memref<512xi64>) {
  pit.detect_into by(%l : memref<4xi32, strided<[2]>>) outs(%o, %c : memref<5xi64>, memref<512xi64>)
    <kind = lengths, axes = [0, 1], pad = left> : !seq
  return
}

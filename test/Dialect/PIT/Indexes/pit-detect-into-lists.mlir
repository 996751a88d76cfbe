// RUN: pit-opt %s --pit-detect-into-lists --canonicalize --split-input-file | FileCheck %s

!i = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
// One offset more than segments; two slots per row.
// CHECK-LABEL: func @gate
// CHECK-SAME: (%[[G:.*]]: tensor<?x8xf32>, %[[T:.*]]: index)
// CHECK-DAG: %[[O:.*]] = bufferization.alloc_tensor() : tensor<9xi64>
// CHECK-DAG: %[[CAPACITY:.*]] = affine.apply #{{.*}}()[%[[T]]]
// CHECK: %[[C:.*]] = bufferization.alloc_tensor(%[[CAPACITY]]) : tensor<?xi32>
// CHECK: %[[L:.*]]:2 = pit.detect_into values(%[[G]] : tensor<?x8xf32>) extents(%[[T]]) outs(%[[O]], %[[C]] :
// CHECK-SAME: at_most = 2> rule 3 :
// CHECK: pit.assemble %[[L]]#0, %[[L]]#1 extents(%[[T]])
func.func @gate(%g: tensor<?x8xf32>, %t: index) -> !i {
  %i = pit.detect values(%g : tensor<?x8xf32>) extents(%t) <kind = values, axes = [0, 1], at_most = 2> rule 3 : !i
  return %i : !i
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
// Kernels are launched from the top level.
// CHECK-LABEL: func @nested
// CHECK-NOT: detect_into
// CHECK: pit.detect by
func.func @nested(%m: tensor<4x8xi1>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %i = pit.detect by(%m : tensor<4x8xi1>) <kind = mask, axes = [0, 1]> : !i
    %o = pit.offsets %i : !i -> tensor<?xi64>
    %e = tensor.extract %o[%k] : tensor<?xi64>
    %f = arith.index_cast %e : i64 to index
    %t = arith.addi %s, %f : index
    scf.yield %t : index
  }
  return %r : index
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
// A scalar of the device cannot cross a launch: the mask is made of it, and so is what comes after the detection.
// CHECK-LABEL: func @scalar
// CHECK-NOT: detect_into
// CHECK: pit.detect by
func.func @scalar(%x: tensor<4xi1>) -> (!i, tensor<4xi1>) {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %x[%c0] : tensor<4xi1>
  %space = tensor.empty() : tensor<4x8xi1>
  %m = linalg.fill ins(%e : i1) outs(%space : tensor<4x8xi1>) -> tensor<4x8xi1>
  %i = pit.detect by(%m : tensor<4x8xi1>) <kind = mask, axes = [0, 1]> : !i
  %empty = tensor.empty() : tensor<4xi1>
  %f = linalg.fill ins(%e : i1) outs(%empty : tensor<4xi1>) -> tensor<4xi1>
  return %i, %f : !i, tensor<4xi1>
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
// A detection that does not need the scalar moves in front of it.
// CHECK-LABEL: func @moved
// CHECK: pit.detect_into by
// CHECK: tensor.extract
func.func @moved(%m: tensor<4x8xi1>, %x: tensor<4xf32>) -> (!i, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %x[%c0] : tensor<4xf32>
  %i = pit.detect by(%m : tensor<4x8xi1>) <kind = mask, axes = [0, 1]> : !i
  %empty = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%e : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %i, %f : !i, tensor<4xf32>
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
!none = !pit.index<[0, 8], coordinate = 1, tile = [1, 1], width = 32>
// CHECK-LABEL: func @unsupported
// CHECK-NOT: detect_into
// CHECK-COUNT-2: pit.detect values
func.func @unsupported(%x: tensor<4x8xf8E4M3FN>, %y: tensor<0x8xf32>) -> (!i, !none) {
  %i = pit.detect values(%x : tensor<4x8xf8E4M3FN>) <kind = values, axes = [0, 1]> : !i
  %j = pit.detect values(%y : tensor<0x8xf32>) <kind = values, axes = [0, 1]> : !none
  return %i, %j : !i, !none
}

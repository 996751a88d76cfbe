// What loops and branches pass on has one tensor.
// RUN: pit-opt %s --pit-carry-in-place -split-input-file | FileCheck %s

// CHECK-LABEL: func @sum(
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK: %[[S:.*]] = linalg.add
// CHECK: %[[BACK:.*]] = linalg.copy ins(%[[S]] : tensor<?xf32>) outs(%[[T]] : tensor<?xf32>)
// CHECK: scf.yield %[[BACK]]
func.func @sum(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<?xf32> {
    %d = tensor.dim %t, %c0 : tensor<?xf32>
    %e = tensor.empty(%d) : tensor<?xf32>
    %s = linalg.add ins(%t, %t : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// What is changed in place stays.
// CHECK-LABEL: func @in_place(
// CHECK-NOT: linalg.copy
func.func @in_place(%x: tensor<8xf32>, %v: f32, %n: index, %c0: index, %c1: index) -> tensor<8xf32> {
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<8xf32> {
    %s = tensor.insert %v into %t[%i] : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Nothing is written before both are read.
// CHECK-LABEL: func @swap(
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: %[[OLD_B:.*]] = linalg.copy ins(%[[B]] :
// CHECK: %[[OLD_A:.*]] = linalg.copy ins(%[[A]] :
// CHECK: linalg.copy ins(%[[OLD_B]] : {{.*}}) outs(%[[A]] :
// CHECK: linalg.copy ins(%[[OLD_A]] : {{.*}}) outs(%[[B]] :
func.func @swap(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index, %c0: index, %c1: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Its extent may change, so there is no one tensor for it.
// CHECK-LABEL: func @grows(
// CHECK-NOT: linalg.copy
func.func @grows(%x: tensor<?xf32>, %n: index, %c0: index, %c1: index) -> tensor<?xf32> {
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<?xf32> {
    %e = bufferization.alloc_tensor(%i) : tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// A choice is a structured op; one of tensors of other extents reads the one that is chosen.
// CHECK-LABEL: func @choose(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK: %[[N:.*]] = arith.select
// CHECK: %[[E:.*]] = tensor.empty(%[[N]])
// CHECK: linalg.generic {{.*}} outs(%[[E]] :
// CHECK: scf.if %[[C]]
// CHECK: tensor.extract %[[X]]
// CHECK: else
// CHECK: tensor.extract %[[Y]]
// CHECK-NOT: linalg.copy
func.func @choose(%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.select %c, %x, %y : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @choose_of_one_shape(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: tensor<4x1xi8>, %[[Y:.*]]: tensor<4x1xi8>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[Y]] :
// CHECK: arith.select %[[C]], %in, %in_{{.*}} : i8
func.func @choose_of_one_shape(%c: i1, %x: tensor<4x1xi8>, %y: tensor<4x1xi8>) -> tensor<4x1xi8> {
  %r = arith.select %c, %x, %y : tensor<4x1xi8>
  return %r : tensor<4x1xi8>
}

// -----

// A branch; extents differ from one to the other.
// CHECK-LABEL: func @branch(
// CHECK: %[[N:.*]] = arith.select
// CHECK: %[[E:.*]] = tensor.empty(%[[N]])
// CHECK: scf.if
// CHECK: linalg.copy ins(%{{.*}}) outs(%[[E]] :
// CHECK: else
// CHECK: linalg.copy ins(%{{.*}}) outs(%[[E]] :
func.func @branch(%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    scf.yield %x : tensor<?xf32>
  } else {
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @while(
// CHECK: scf.while
// CHECK: scf.condition(%{{.*}}) %{{.*}} : tensor<4xf32>
// CHECK: linalg.copy
// CHECK-NEXT: scf.yield
func.func @while(%x: tensor<4xf32>, %limit: f32, %c0: index) -> tensor<4xf32> {
  %r = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %v = tensor.extract %a[%c0] : tensor<4xf32>
    %c = arith.cmpf olt, %v, %limit : f32
    scf.condition(%c) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    %s = linalg.add ins(%b, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

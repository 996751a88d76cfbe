// RUN: pit-opt %s --convert-linalg-to-pit -split-input-file -verify-diagnostics | FileCheck %s

// The index of a pattern that is marked outside is made outside.
// CHECK-LABEL: func.func @branch
// CHECK-SAME: (%[[c:.*]]: i1, %[[x:.*]]: tensor<8x4xf32>, %[[m:.*]]: tensor<8xi1>, %[[w:.*]]: tensor<4x5xf32>)
func.func @branch(%c: i1, %x: tensor<8x4xf32>, %m: tensor<8xi1>, %w: tensor<4x5xf32>) -> tensor<8x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x5xf32>) -> tensor<8x5xf32>
  // CHECK: %[[index:.*]] = pit.detect by(%[[m]] : tensor<8xi1>)
  // CHECK-NOT: pit.detect
  %s = pit.sparse %x by(%m : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8x4xf32>
  // CHECK: scf.if %[[c]]
  %r = scf.if %c -> tensor<8x5xf32> {
    // CHECK: %[[p:.*]] = pit.generic {{.*}} over(%[[index]] : {{.*}}) ins(%[[x]], %[[w]]
    // CHECK: %[[full:.*]] = pit.swrite %[[p]] into {{.*}}[%[[index]]]
    // CHECK: scf.yield %[[full]]
    %p = linalg.matmul ins(%s, %w : tensor<8x4xf32>, tensor<4x5xf32>) outs(%f : tensor<8x5xf32>) -> tensor<8x5xf32>
    scf.yield %p : tensor<8x5xf32>
  } else {
    // The other branch has the whole tensor.
    // CHECK: else
    // CHECK: scf.yield
    scf.yield %f : tensor<8x5xf32>
  }
  return %r : tensor<8x5xf32>
}

// -----

// One that is marked inside is found where the mark stands: a branch that is not taken reports no length.
// Not the same index as that of a mark behind, which is made as early as it can be.
// CHECK-LABEL: func.func @marked_inside
// CHECK: pit.detect by(%{{.*}} : tensor<?xi64>)
func.func @marked_inside(%c: i1, %x: tensor<?x9x4xf32>, %l: tensor<?xi64>, %f: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  // CHECK: scf.if
  %r = scf.if %c -> tensor<?x4xf32> {
    // CHECK: %[[inside:.*]] = pit.detect by(%{{.*}} : tensor<?xi64>)
    // CHECK: pit.generic {{.*}} over(%[[inside]] :
    // CHECK: else
    %s = pit.sparse %x by(%l : tensor<?xi64>) <kind = lengths, axes = [0, 1]> : tensor<?x9x4xf32>
    %p = linalg.reduce { arith.addf } ins(%s : tensor<?x9x4xf32>) outs(%f : tensor<?x4xf32>) dimensions = [1]
    scf.yield %p : tensor<?x4xf32>
  } else {
    scf.yield %f : tensor<?x4xf32>
  }
  %s = pit.sparse %x by(%l : tensor<?xi64>) <kind = lengths, axes = [0, 1]> : tensor<?x9x4xf32>
  %q = linalg.reduce { arith.addf } ins(%s : tensor<?x9x4xf32>) outs(%f : tensor<?x4xf32>) dimensions = [1]
  return %r, %q : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// What only a mark inside demands is computed outside, where that pattern is not known yet.
// CHECK-LABEL: func.func @demanded_inside
func.func @demanded_inside(%c: i1, %x: tensor<8x4xf32>, %m: tensor<8xi1>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  // CHECK: linalg.exp
  // CHECK: scf.if
  %y = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = scf.if %c -> tensor<8x4xf32> {
    // CHECK: pit.sparse
    %s = pit.sparse %y by(%m : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8x4xf32>
    scf.yield %s : tensor<8x4xf32>
  } else {
    scf.yield %x : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// -----

// The mask follows from what the demanded op computes, through the regions of a loop.
// CHECK-LABEL: func.func @mask_of_result
// CHECK: linalg.exp
func.func @mask_of_result(%n: index, %x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %b = tensor.empty() : tensor<8xi1>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %m = scf.for %i = %c0 to %n step %c1 iter_args(%t = %b) -> tensor<8xi1> {
    %v = tensor.extract %y[%i] : tensor<8xf32>
    %true = arith.cmpf ogt, %v, %v : f32
    %u = tensor.insert %true into %t[%i] : tensor<8xi1>
    scf.yield %u : tensor<8xi1>
  }
  %s = pit.sparse %y by(%m : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8xf32>
  %r = linalg.exp ins(%s : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Iterations that run side by side are left as they are, with a word.
func.func @parallel(%x: tensor<8x4xf32>, %m: tensor<8xi1>, %f: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %s = pit.sparse %x by(%m : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8x4xf32>
  %r = scf.forall (%i) in (2) shared_outs(%o = %f) -> tensor<8x4xf32> {
    // expected-warning @below {{is computed densely, although an operand has pattern 0 (mask at }}
    %y = linalg.exp ins(%s : tensor<8x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
    // expected-warning @below {{nothing is skipped by this mark: patterns do not reach into the regions of a 'scf.forall'}}
    %t = pit.sparse %y by(%m : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[0, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x4xf32>
    }
  }
  return %r : tensor<8x4xf32>
}

// -----

func.func @blocks(%c: i1, %x: tensor<8x4xf32>, %m: tensor<8xi1>) -> tensor<8x4xf32> {
  // expected-warning @below {{nothing is skipped by this mark: the body of the function has more than one block}}
  %s = pit.sparse %x by(%m : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8x4xf32>
  cf.cond_br %c, ^a, ^b
^a:
  return %s : tensor<8x4xf32>
^b:
  return %x : tensor<8x4xf32>
}

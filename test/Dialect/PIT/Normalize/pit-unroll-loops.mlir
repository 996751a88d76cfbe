// Loops around structured ops at the top of a function that iterate a known number of times are unrolled, with loops in them.
// RUN: pit-opt %s --pit-unroll-loops -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-unroll-loops="most=3" -split-input-file | FileCheck %s --check-prefix=MOST

// The bounds follow from types.
// CHECK-LABEL: func.func @products(
// CHECK-NOT: scf.for
// CHECK-COUNT-4: linalg.matmul
// CHECK-NOT: linalg.matmul
// MOST-LABEL: func.func @products(
// MOST: scf.for
func.func @products(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %z: f32) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<8x8xf32>
  %r = scf.for %i = %c0 to %n step %c2 iter_args(%t = %x) -> tensor<8x8xf32> {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %s = linalg.matmul ins(%t, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %s : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func @nested(
// CHECK-NOT: scf.for
// CHECK-COUNT-6: linalg.square
// CHECK-NOT: linalg.square
func.func @nested(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %x) -> tensor<8xf32> {
    %s = scf.for %j = %c0 to %c3 step %c1 iter_args(%u = %t) -> tensor<8xf32> {
      %e = tensor.empty() : tensor<8xf32>
      %q = linalg.square ins(%u : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %q : tensor<8xf32>
    }
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// What iterates as often as an argument says, or over numbers alone, or never, stays.
// CHECK-LABEL: func.func @kept(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: linalg.square
func.func @kept(%x: tensor<8xf32>, %n: index) -> (tensor<8xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %n) -> index {
    %s = arith.muli %t, %n : index
    scf.yield %s : index
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %q = linalg.square ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %q : tensor<8xf32>
  }
  return %r, %k : tensor<8xf32>, index
}

// -----

// CHECK-LABEL: func.func @never(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>
// CHECK: return
func.func @never(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %c0 step %c1 iter_args(%t = %x) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %q = linalg.square ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %q : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

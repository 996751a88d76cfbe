// Ops in regions stay dense on request, which is a warning where a pattern reaches them.
// RUN: pit-opt %s --convert-linalg-to-pit=regions=false -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @branch
// CHECK: pit.sparse
// CHECK: scf.if
// CHECK: linalg.matmul
// CHECK-NOT: pit.generic
func.func @branch(%c: i1, %x: tensor<8x4xf32>, %m: tensor<8xi1>, %w: tensor<4x5xf32>, %f: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %s = pit.sparse %x by(%m : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8x4xf32>
  %r = scf.if %c -> tensor<8x5xf32> {
    // expected-warning @below {{is computed densely, although an operand has pattern 0 (mask at }}
    %p = linalg.matmul ins(%s, %w : tensor<8x4xf32>, tensor<4x5xf32>) outs(%f : tensor<8x5xf32>) -> tensor<8x5xf32>
    scf.yield %p : tensor<8x5xf32>
  } else {
    scf.yield %f : tensor<8x5xf32>
  }
  return %r : tensor<8x5xf32>
}

// -----

// The mark inside is not that of a pattern that is known: it demands nothing of what it marks.
// CHECK-LABEL: func.func @inner
// CHECK: linalg.generic
// CHECK: pit.generic
func.func @inner(%c: i1, %x: tensor<8xf32>, %m: tensor<8xi1>, %n: tensor<8xi1>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %s = pit.sparse %x by(%m : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8xf32>
  %q = linalg.exp ins(%s : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.if %c -> tensor<8xf32> {
    // expected-warning @below {{nothing is skipped by this mark: patterns do not reach into the regions of a 'scf.if'}}
    %t = pit.sparse %y by(%n : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %r, %q : tensor<8xf32>, tensor<8xf32>
}

// What rows hold that are reduced of undef: undef, unless there may be nothing to reduce, where it is what the
// destination holds.
// RUN: pit-opt %s --pit-propagate-sparsity | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @some(
// CHECK: linalg.matmul {pit.facts = ["pattern 0 on dims [0]: undef"], pit.restricted = "pattern 0 on axes [0]: dead-result"}
func.func @some(%x: tensor<?x8xf32>, %m: tensor<?xi1>, %w: tensor<8x4xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0], absent = undef> : tensor<?x8xf32>
  %0 = linalg.matmul ins(%s, %w : tensor<?x8xf32>, tensor<8x4xf32>) outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// The destination is another one in each row: rows are skipped, and the program goes on with all of them.
// CHECK-LABEL: func @perhaps(
// CHECK: linalg.matmul {pit.restricted = "pattern 0 on axes [0]: annihilated"}
func.func @perhaps(%x: tensor<?x?xf32>, %m: tensor<?xi1>, %w: tensor<?x4xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0], absent = undef> : tensor<?x?xf32>
  %0 = linalg.matmul ins(%s, %w : tensor<?x?xf32>, tensor<?x4xf32>) outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func @none(
// CHECK: linalg.matmul {pit.restricted = "pattern 0 on axes [0]: annihilated"}
func.func @none(%x: tensor<?x0xf32>, %m: tensor<?xi1>, %w: tensor<0x4xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0], absent = undef> : tensor<?x0xf32>
  %0 = linalg.matmul ins(%s, %w : tensor<?x0xf32>, tensor<0x4xf32>) outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func @perhaps_filled(
// CHECK: linalg.matmul {pit.facts = ["pattern 0 on dims [0]: fixed(invariant)"], pit.restricted = "pattern 0 on axes [0]: dead-result"}
func.func @perhaps_filled(%x: tensor<?x?xf32>, %m: tensor<?xi1>, %w: tensor<?x4xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %one = arith.constant 1.0 : f32
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0], absent = undef> : tensor<?x?xf32>
  %f = linalg.fill ins(%one : f32) outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
  %0 = linalg.matmul ins(%s, %w : tensor<?x?xf32>, tensor<?x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// Another mark says what the destination holds in dead rows.
// CHECK-LABEL: func @perhaps_zeros(
// CHECK: linalg.matmul {pit.facts = ["pattern 0 on dims [0]: fixed(invariant)"], pit.restricted = "pattern 0 on axes [0]: dead-result"}
func.func @perhaps_zeros(%x: tensor<?x?xf32>, %m: tensor<?xi1>, %w: tensor<?x4xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0], absent = undef> : tensor<?x?xf32>
  %f = pit.sparse %o by(%m : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x4xf32>
  %0 = linalg.matmul ins(%s, %w : tensor<?x?xf32>, tensor<?x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// Undef in any case.
// CHECK-LABEL: func @perhaps_empty(
// CHECK: linalg.matmul {pit.facts = ["pattern 0 on dims [0]: undef"], pit.restricted = "pattern 0 on axes [0]: dead-result"}
func.func @perhaps_empty(%x: tensor<?x?xf32>, %m: tensor<?xi1>, %w: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0], absent = undef> : tensor<?x?xf32>
  %f = tensor.empty(%n) : tensor<?x4xf32>
  %0 = linalg.matmul ins(%s, %w : tensor<?x?xf32>, tensor<?x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// As many positions are summed as the result has: where there are none, no row is left.
// CHECK-LABEL: func @positions(
// CHECK: linalg.generic {{.*}}pit.facts = ["pattern 0 on dims [0]: undef"]
func.func @positions(%x: tensor<?x8xf32>, %m: tensor<?xi1>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %s = pit.sparse %x by(%m : tensor<?xi1>) <kind = mask, axes = [0], absent = undef> : tensor<?x8xf32>
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %scores = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%s, %x : tensor<?x8xf32>, tensor<?x8xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%scores : tensor<?x?xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %v = arith.addf %acc, %a : f32
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

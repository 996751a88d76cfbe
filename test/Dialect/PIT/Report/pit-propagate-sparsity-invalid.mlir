// Where a pattern ends: nothing is claimed of these results.
// RUN: pit-opt %s --pit-propagate-sparsity | FileCheck %s
// RUN: pit-opt %s --pit-propagate-sparsity=strict=true | FileCheck %s --check-prefix=STRICT

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @other_data
// CHECK: %[[S:.*]] = pit.sparse {{.*}} {pit.facts = ["pattern 0 on dims [0]: fixed(0.000000e+00)"]}
// CHECK: linalg.generic
// CHECK-NOT: pit.facts
// CHECK: return
func.func @other_data(%x: tensor<4x8xf32>, %m: tensor<4xi1>, %y: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = pit.sparse %x by(%m : tensor<4xi1>) <kind = mask, axes = [0]> : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.addf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The position of an element is not the same in every dead row.
// CHECK-LABEL: func @position
// CHECK: linalg.generic
// CHECK-NOT: pit.facts
// CHECK: return
func.func @position(%x: tensor<4x8xi64>, %m: tensor<4xi1>, %e: tensor<4x8xi64>) -> tensor<4x8xi64> {
  %s = pit.sparse %x by(%m : tensor<4xi1>) <kind = mask, axes = [0]> : tensor<4x8xi64>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x8xi64>) outs(%e : tensor<4x8xi64>) {
  ^bb0(%a: i64, %o: i64):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i64
    %v = arith.addi %a, %c : i64
    linalg.yield %v : i64
  } -> tensor<4x8xi64>
  return %0 : tensor<4x8xi64>
}

// A float sum over the pattern may be restricted, unless `strict`.
// CHECK-LABEL: func @sum
// CHECK: pit.restricted = "pattern 0 on axes [1]: annihilated"
// STRICT-LABEL: func @sum
// STRICT-NOT: pit.restricted
// STRICT: return
func.func @sum(%x: tensor<4x8xf32>, %m: tensor<8xi1>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %s = pit.sparse %x by(%m : tensor<8xi1>) <kind = mask, axes = [1]> : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %v = arith.addf %acc, %a : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

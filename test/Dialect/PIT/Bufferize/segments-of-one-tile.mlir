// Blocks share segments where none has more than one tile, so that none of them visits all; else they share tiles.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" -o /dev/null --mlir-print-ir-after=pit-expand-tiles -split-input-file 2>&1 | FileCheck %s

// CHECK-LABEL: func.func @one(
// CHECK: scf.forall (%[[BLOCK:.*]]) in (%[[BLOCKS:.*]]) {
// CHECK-NOT: iter_args
// CHECK: scf.for %[[SEGMENT:.*]] = %[[BLOCK]] to %{{.*}} step %[[BLOCKS]]
func.func @one(%x: tensor<64x12x3xf32>, %m: tensor<64x12x3xi1>) -> tensor<64x12x3xf32> {
  %s = pit.sparse %x by(%m : tensor<64x12x3xi1>) <kind = mask, axes = [0, 1, 2]> : tensor<64x12x3xf32>
  %e = tensor.empty() : tensor<64x12x3xf32>
  %y = linalg.mul ins(%s, %s : tensor<64x12x3xf32>, tensor<64x12x3xf32>) outs(%e : tensor<64x12x3xf32>) -> tensor<64x12x3xf32>
  return %y : tensor<64x12x3xf32>
}

// -----

// CHECK-LABEL: func.func @many(
// CHECK: scf.forall (%[[BLOCK:.*]]) in (%{{.*}}) {
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %[[BLOCK]])
func.func @many(%x: tensor<4x2x3000xf32>, %m: tensor<4x2x3000xi1>) -> tensor<4x2x3000xf32> {
  %s = pit.sparse %x by(%m : tensor<4x2x3000xi1>) <kind = mask, axes = [0, 1, 2]> : tensor<4x2x3000xf32>
  %e = tensor.empty() : tensor<4x2x3000xf32>
  %y = linalg.mul ins(%s, %s : tensor<4x2x3000xf32>, tensor<4x2x3000xf32>) outs(%e : tensor<4x2x3000xf32>) -> tensor<4x2x3000xf32>
  return %y : tensor<4x2x3000xf32>
}

// RUN: pit-opt %s --pit-propagate-sparsity | FileCheck %s --check-prefix=FACTS
// RUN: pit-opt %s --convert-linalg-to-pit | FileCheck %s
// RUN: pit-opt %s --convert-linalg-to-pit | pit-opt --emit-bytecode | pit-opt | FileCheck %s
// RUN: pit-opt %s --convert-linalg-to-pit --pit-tile-rules | FileCheck %s --check-prefix=TILES


// Rows of A and rows of B: m and k. Neither operand is masked where only listed points are read.
// FACTS-LABEL: func.func @m_and_k(
// FACTS: linalg.matmul {pit.facts = {{.*}}pit.restricted = "pattern 0 on axes [0]: dead-result; and pattern 1 on axes [2]: annihilated"}
// CHECK-LABEL: func.func @m_and_k(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<64x32xf32>, %[[B:[a-z0-9]+]]: tensor<32x16xf32>
// CHECK: %[[M:.*]] = pit.detect {{.*}} rule 0 : <[64]
// CHECK: %[[K:.*]] = pit.detect {{.*}} rule 1 : <[32]
// CHECK: pit.generic {further_axes = [array<i64: 2>], further_rules = array<i64: 1>, index_axes = array<i64: 0>
// CHECK-SAME: over(%[[M]] : {{.*}}) also(%[[K]] : {{.*}}) ins(%[[A]], %[[B]] :
// CHECK: pit.swrite

// The second index lies inside the tiles of the first.
// TILES-LABEL: func.func @m_and_k(
// TILES: pit.tiled flat tile 256 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], {{.*}}rule = 0 : i64}
// TILES: ^bb0(%[[TILE:.*]]: tensor<?x32xf32>, %[[WHOLE:.*]]: tensor<32x16xf32>, %{{.*}}: tensor<?x16xf32>):
// TILES: pit.tiled flat tile 256 {dims = [array<i64: 1>, array<i64: 0>, array<i64: -1>], {{.*}}rule = 1 : i64}
// TILES-SAME: ins(%[[TILE]], %[[WHOLE]] :
// TILES: linalg.generic
// TILES-SAME: ins(%{{.*}}, %{{.*}} : tensor<?x?xf32>, tensor<?x16xf32>)
func.func @m_and_k(%a: tensor<64x32xf32>, %b: tensor<32x16xf32>, %m: tensor<64xi1>, %k: tensor<32xi1>,
                   %init: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %sa = pit.sparse %a by(%m : tensor<64xi1>) <kind = mask, axes = [0]> : tensor<64x32xf32>
  %sb = pit.sparse %b by(%k : tensor<32xi1>) <kind = mask, axes = [0]> : tensor<32x16xf32>
  %empty = tensor.empty() : tensor<64x16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x16xf32>) -> tensor<64x16xf32>
  %c = linalg.matmul ins(%sa, %sb : tensor<64x32xf32>, tensor<32x16xf32>) outs(%fill : tensor<64x16xf32>)
    -> tensor<64x16xf32>
  return %c : tensor<64x16xf32>
}

// Both patterns of one operand govern m: one of them is chosen, and what the other says is in the values.
// FACTS-LABEL: func.func @both_on_m(
// FACTS: linalg.matmul
// FACTS-NOT: and pattern
// FACTS: return
// CHECK-LABEL: func.func @both_on_m(
// CHECK: pit.generic
// CHECK-NOT: also(
// CHECK: return
func.func @both_on_m(%a: tensor<64x32xf32>, %b: tensor<32x16xf32>, %m: tensor<64xi1>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = pit.sparse %a by(%m : tensor<64xi1>) <kind = mask, axes = [0]> : tensor<64x32xf32>
  %sa = pit.sparse %rows <kind = values, axes = [0, 1], tile = [1, 8]> : tensor<64x32xf32>
  %empty = tensor.empty() : tensor<64x16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x16xf32>) -> tensor<64x16xf32>
  %c = linalg.matmul ins(%sa, %b : tensor<64x32xf32>, tensor<32x16xf32>) outs(%fill : tensor<64x16xf32>)
    -> tensor<64x16xf32>
  return %c : tensor<64x16xf32>
}

// Three patterns on three axes of a batched product.
// FACTS-LABEL: func.func @three(
// FACTS: linalg.batch_matmul
// FACTS-SAME: axes [{{.*}}; and pattern {{.*}}; and pattern
// TILES-LABEL: func.func @three(
// TILES: pit.tiled
// TILES: pit.tiled
// TILES: pit.tiled
// TILES: linalg.generic
func.func @three(%a: tensor<4x64x32xf32>, %b: tensor<4x32x16xf32>, %m: tensor<64xi1>, %k: tensor<32xi1>,
                 %n: tensor<16xi1>) -> tensor<4x64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %am = pit.sparse %a by(%m : tensor<64xi1>) <kind = mask, axes = [1]> : tensor<4x64x32xf32>
  %bk = pit.sparse %b by(%k : tensor<32xi1>) <kind = mask, axes = [1]> : tensor<4x32x16xf32>
  %bn = pit.sparse %bk by(%n : tensor<16xi1>) <kind = mask, axes = [2]> : tensor<4x32x16xf32>
  %empty = tensor.empty() : tensor<4x64x16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x64x16xf32>) -> tensor<4x64x16xf32>
  %c = linalg.batch_matmul ins(%am, %bn : tensor<4x64x32xf32>, tensor<4x32x16xf32>)
    outs(%fill : tensor<4x64x16xf32>) -> tensor<4x64x16xf32>
  return %c : tensor<4x64x16xf32>
}

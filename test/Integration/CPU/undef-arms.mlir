// An undef arm of a select leaves the other arm defined.
// RUN: pit-run %s --check --random=bool:0.5 --random=normal --random=normal --random=lengths:0:6 --random=lengths:0:8 | FileCheck %s
// CHECK: check: result 0: bit-identical

func.func @main(%0: tensor<6x8xi1>, %1: tensor<6x8xf32> {pit.sparse = {source = "lengths", axes = array<i64: 1, 0>, absent = "zero", pad = "right", from = 3 : i64}}, %2: tensor<6x8xf32> {pit.sparse = {source = "lengths", axes = array<i64: 0, 1>, absent = "undef", pad = "right", from = 4 : i64}}, %by1: tensor<8xi64>, %by2: tensor<6xi64>) -> tensor<6x8xf32> {
  %start = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<6x8xf32>
  %init = linalg.fill ins(%start : f32) outs(%empty : tensor<6x8xf32>) -> tensor<6x8xf32>
  %result = linalg.select ins(%0, %1, %2 : tensor<6x8xi1>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%init : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %result : tensor<6x8xf32>
}

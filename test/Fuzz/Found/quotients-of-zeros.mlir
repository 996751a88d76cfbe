// What nobody asked for was left out, by a pattern that its readers did not
// follow, and zeros that stood there were divided by zeros.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (81 elements

#of_d1 = affine_map<(d0, d1, d2, d3) -> (d1)>
#points = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#result = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
func.func @main(%tiles: tensor<32x2x9xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1, 2>, granularity = array<i64: 3, 1, 3>}},
                %line: tensor<2xf32>, %start: tensor<9x9xf32>) -> tensor<9x9xf32> attributes {
    inputs = ["kind=ints shape=32x2x9 lo=1 hi=2 seed=276518", "kind=ints shape=2 lo=-3 hi=4 live=2% dead=zero seed=42384", "kind=ints shape=9x9 lo=1 hi=2 live=90% dead=zero seed=831565"]} {
  %0 = tensor.empty() : tensor<32x2x9xf32>
  %1 = linalg.softmax dimension(2) ins(%tiles : tensor<32x2x9xf32>) outs(%0 : tensor<32x2x9xf32>) -> tensor<32x2x9xf32>
  %2 = pit.sparse %line <kind = values, axes = [0]> : tensor<2xf32>
  %3 = linalg.generic {indexing_maps = [#of_d1, #points, #points, #result], iterator_types = ["reduction", "reduction", "parallel", "parallel"]} ins(%2, %tiles, %1 : tensor<2xf32>, tensor<32x2x9xf32>, tensor<32x2x9xf32>) outs(%start : tensor<9x9xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %4 = arith.mulf %a, %b : f32
    %5 = arith.mulf %4, %c : f32
    %6 = arith.addf %5, %out : f32
    linalg.yield %6 : f32
  } -> tensor<9x9xf32>
  return %3 : tensor<9x9xf32>
}

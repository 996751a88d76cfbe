// What a mark writes is promised where its source was undef, and it was not written.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (15 elements compared

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<3x5xf32>, %first: tensor<3x5xi1>, %second: tensor<3xi1>) -> tensor<3x5xf32> attributes {
    inputs = ["shape=3x5 lo=1 hi=9 seed=1", "shape=3x5 lo=0 hi=1 seed=2", "shape=3 lo=0 hi=1 seed=3"]} {
  %undef = pit.sparse %a by(%first : tensor<3x5xi1>) <kind = mask, axes = [0, 1], absent = undef> : tensor<3x5xf32>
  %zero = pit.sparse %undef by(%second : tensor<3xi1>) <kind = mask, axes = [0]> : tensor<3x5xf32>
  %empty = tensor.empty() : tensor<3x5xf32>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%zero : tensor<3x5xf32>) outs(%empty : tensor<3x5xf32>) {
  ^bb0(%x: f32, %out: f32):
    %one = arith.constant 1.0 : f32
    %s = arith.addf %x, %one : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}

// A window with a stride fits once and leaves an element over: its loop of extent 1 was dropped, and the rest no longer
// added up.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (3 elements compared

#in = affine_map<(d0, d1, d2) -> (d0, d1 * 2 + d2)>
#filter = affine_map<(d0, d1, d2) -> (d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%a: tensor<3x5xf32>, %w: tensor<4xf32>) -> tensor<3x1xf32> attributes {
    inputs = ["shape=3x5 lo=-4 hi=5 seed=1", "shape=4 lo=-4 hi=5 live=50% dead=zero seed=2"]} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x1xf32>) -> tensor<3x1xf32>
  %live = pit.sparse %w <kind = values, axes = [0]> : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %live : tensor<3x5xf32>, tensor<4xf32>) outs(%init : tensor<3x1xf32>) {
  ^bb0(%x: f32, %v: f32, %acc: f32):
    %p = arith.mulf %x, %v : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x1xf32>
  return %y : tensor<3x1xf32>
}

// RUN: pit-run %s --random normal --random normal --check | FileCheck %s
// CHECK: check: result 0: bit-identical

func.func @main(%a: tensor<1x4x8x2xf32>, %b: tensor<1x4x6x2xf32>) -> tensor<1x4x8x6xf32> {
  %s = pit.sparse %a <kind = values, axes = [0, 2], tile = [3, 4]> : tensor<1x4x8x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x8x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8x6xf32>) -> tensor<1x4x8x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, i, j, d) -> (n, h, i, d)>, affine_map<(n, h, i, j, d) -> (n, h, j, d)>, affine_map<(n, h, i, j, d) -> (n, h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%s, %b : tensor<1x4x8x2xf32>, tensor<1x4x6x2xf32>) outs(%f : tensor<1x4x8x6xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x8x6xf32>
  return %r : tensor<1x4x8x6xf32>
}

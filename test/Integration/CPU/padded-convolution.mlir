// A padded convolution skips dead channels: the padding holds what dead elements hold.
// RUN: pit-run %s --random block-sparse:1x1x8x8:0.7 --random normal --check --report | FileCheck %s
// CHECK: check: result 0: bit-identical
// CHECK: values, annihilated
// CHECK-NOT: report: skipped 0 of

func.func @main(
    %image: tensor<2x16x8x8xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1, 2, 3>, granularity = array<i64: 1, 1, 8, 8>}},
    %filter: tensor<4x16x3x3xf32>) -> tensor<2x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %y: index, %x: index):
    tensor.yield %zero : f32
  } : tensor<2x16x8x8xf32> to tensor<2x16x10x10xf32>
  %empty = tensor.empty() : tensor<2x4x8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%padded, %filter : tensor<2x16x10x10xf32>, tensor<4x16x3x3xf32>)
    outs(%init : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  return %y : tensor<2x4x8x8xf32>
}

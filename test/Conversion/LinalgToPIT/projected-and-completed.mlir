// RUN: pit-opt %s --pit-normalize --convert-linalg-to-pit --canonicalize --split-input-file | FileCheck %s

// The convolution refuses rows and columns of the image, so its index lists channels.

// CHECK-LABEL: func @channels
// CHECK-SAME:    (%[[X:.*]]: tensor<2x4x6x6xf32>, %[[M:.*]]: tensor<2x4x6x6xi1>
// CHECK:         %[[ANY:.*]] = linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// CHECK-SAME:      ins(%[[M]] :
// CHECK:           arith.ori
// CHECK:         %[[INDEX:.*]] = pit.detect by(%[[ANY]] : tensor<2x4xi1>) <kind = mask, axes = [0, 1]
// CHECK:         %[[MARKED:.*]] = pit.sparse %[[X]]
// CHECK:         pit.generic
// CHECK-SAME:      over(%[[INDEX]] : <[2, 4], coordinate = 1, tile = [1, 1], width = 32>) ins(%[[MARKED]],
func.func @channels(%x: tensor<2x4x6x6xf32>, %m: tensor<2x4x6x6xi1>, %w: tensor<3x4x3x3xf32>) -> tensor<2x3x4x4xf32> {
  %s = pit.sparse %x by(%m : tensor<2x4x6x6xi1>) <kind = mask, axes = [0, 1, 2, 3]> : tensor<2x4x6x6xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%s, %w : tensor<2x4x6x6xf32>, tensor<3x4x3x3xf32>)
    outs(%f : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}

// -----

// exp(-inf - max) is 0 beside live points only: rows without one are listed as a whole.

// CHECK-LABEL: func @softmax
// CHECK-SAME:    (%{{.*}}: tensor<8x16xf32>, %[[M:.*]]: tensor<8x16xi1>)
// CHECK:         %[[ROWS:.*]] = linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "reduction"]
// CHECK-SAME:      ins(%[[M]] :
// CHECK:         %[[FULL:.*]] = linalg.generic
// CHECK-SAME:      ins(%[[M]], %[[ROWS]] :
// CHECK:           %[[NONE:.*]] = arith.xori %{{.*}}, %true
// CHECK:           arith.ori %{{.*}}, %[[NONE]]
// CHECK:         pit.detect by(%[[FULL]] : tensor<8x16xi1>)
func.func @softmax(%x: tensor<8x16xf32>, %m: tensor<8x16xi1>) -> tensor<8x16xf32> {
  %s = pit.sparse %x by(%m : tensor<8x16xi1>) <kind = mask, axes = [0, 1], absent = neg_inf> : tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %y = linalg.softmax dimension(1) ins(%s : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// A bound leaves no room for whole rows: the maximum may skip, the exponential may not.

// CHECK-LABEL: func @bounded
// CHECK-COUNT-1: pit.generic
// CHECK-NOT:     pit.generic
func.func @bounded(%x: tensor<8x16xf32>, %m: tensor<8x16xi1>) -> tensor<8x16xf32> {
  %s = pit.sparse %x by(%m : tensor<8x16xi1>) <kind = mask, axes = [0, 1], absent = neg_inf, at_most = 4> : tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %y = linalg.softmax dimension(1) ins(%s : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

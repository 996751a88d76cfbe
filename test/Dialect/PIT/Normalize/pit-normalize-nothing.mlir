// Padding around nothing keeps its type, also where the extents say more.
// RUN: pit-opt %s --pit-normalize | FileCheck %s

// CHECK-LABEL: func @padding(
// CHECK: %[[FILL:.*]] = linalg.fill {{.*}} -> tensor<3x5xf32>
// CHECK: %[[CAST:.*]] = tensor.cast %[[FILL]] : tensor<3x5xf32> to tensor<?x5xf32>
// CHECK: return %[[CAST]] : tensor<?x5xf32>
func.func @padding(%a: tensor<0x5xf32>) -> tensor<?x5xf32> {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2 : index
  %p = tensor.pad %a low[%two, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<0x5xf32> to tensor<?x5xf32>
  return %p : tensor<?x5xf32>
}

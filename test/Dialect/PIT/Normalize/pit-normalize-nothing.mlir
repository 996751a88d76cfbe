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

// -----

// Reshapes of nothing are not folded without an end.
// CHECK-LABEL: func.func @split
// CHECK:         linalg.generic
func.func @split(%a: tensor<0x64x?xf32>, %b: tensor<?xf32>) -> tensor<0x1x64x?xf32> {
  %c2 = arith.constant 2 : index
  %d = tensor.dim %a, %c2 : tensor<0x64x?xf32>
  %e = tensor.empty(%d) : tensor<0x64x?xf32>
  %p = linalg.mul ins(%a, %a : tensor<0x64x?xf32>, tensor<0x64x?xf32>) outs(%e : tensor<0x64x?xf32>) -> tensor<0x64x?xf32>
  %x = tensor.expand_shape %p [[0, 1], [2], [3]] output_shape [0, 1, 64, %d] : tensor<0x64x?xf32> into tensor<0x1x64x?xf32>
  %f = tensor.empty(%d) : tensor<0x1x64x?xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>, affine_map<(i, j, k, l) -> (i, k, l)>, affine_map<(i, j, k, l) -> (l)>, affine_map<(i, j, k, l) -> (i, j, k, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %p, %b : tensor<0x1x64x?xf32>, tensor<0x64x?xf32>, tensor<?xf32>) outs(%f : tensor<0x1x64x?xf32>) {
  ^bb0(%q: f32, %r: f32, %s: f32, %o: f32):
    %t = arith.subf %r, %q : f32
    %u = arith.minimumf %t, %s : f32
    linalg.yield %u : f32
  } -> tensor<0x1x64x?xf32>
  return %y : tensor<0x1x64x?xf32>
}

// A reshape into extents that only the arguments know, and the way back.
// RUN: pit-run %s --random normal@2x3x4 --random bool:0.5@6 --check | FileCheck %s
// CHECK: check: result 0: bit-identical

func.func @main(%x: tensor<?x?x4xf32>, %live: tensor<?xi1>) -> tensor<?x?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batch = tensor.dim %x, %c0 : tensor<?x?x4xf32>
  %length = tensor.dim %x, %c1 : tensor<?x?x4xf32>
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  %marked = pit.sparse %rows by(%live : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x4xf32>
  %count = tensor.dim %rows, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%count) : tensor<?x4xf32>
  %doubled = linalg.add ins(%marked, %marked : tensor<?x4xf32>, tensor<?x4xf32>) outs(%empty : tensor<?x4xf32>) -> tensor<?x4xf32>
  %back = tensor.expand_shape %doubled [[0, 1], [2]] output_shape [%batch, %length, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  return %back : tensor<?x?x4xf32>
}

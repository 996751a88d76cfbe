// Slices that drop some of several dimensions of size 1 say which by a reshape.
// RUN: pit-opt %s --pit-separate-dropped-dims | FileCheck %s

// CHECK-LABEL: func.func @extract(
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0, %{{.*}}, 0] [1, %{{.*}}, 1, 1, %{{.*}}] [1, 1, 1, 1, 1]
// CHECK-SAME: tensor<1x?x1x4x?xf32> to tensor<1x?x1x1x?xf32>
// CHECK: %[[R:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1], [2, 3], [4]] : tensor<1x?x1x1x?xf32> into tensor<1x?x1x?xf32>
// CHECK: return %[[R]]
func.func @extract(%x: tensor<1x?x1x4x?xf32>, %i: index, %m: index, %n: index) -> tensor<1x?x1x?xf32> {
  %s = tensor.extract_slice %x[0, 0, 0, %i, 0] [1, %m, 1, 1, %n] [1, 1, 1, 1, 1] : tensor<1x?x1x4x?xf32> to tensor<1x?x1x?xf32>
  return %s : tensor<1x?x1x?xf32>
}

// A dimension in front of the first one that is left.
// CHECK-LABEL: func.func @front(
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}} : tensor<4x?x1xf32> to tensor<1x8x1xf32>
// CHECK: tensor.collapse_shape %[[S]] {{\[\[}}0, 1], [2]] : tensor<1x8x1xf32> into tensor<8x1xf32>
func.func @front(%x: tensor<4x?x1xf32>, %i: index) -> tensor<8x1xf32> {
  %s = tensor.extract_slice %x[%i, 0, 0] [1, 8, 1] [1, 1, 1] : tensor<4x?x1xf32> to tensor<8x1xf32>
  return %s : tensor<8x1xf32>
}

// A dimension between two that are not 1, and one at the end.
// CHECK-LABEL: func.func @between(
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3, 4]] : tensor<1x?x1x?x1xf32> into tensor<1x?x?xf32>
func.func @between(%x: tensor<1x?x4x?x4xf32>, %i: index, %m: index, %n: index) -> tensor<1x?x?xf32> {
  %s = tensor.extract_slice %x[0, 0, %i, 0, %i] [1, %m, 1, %n, 1] [1, 1, 1, 1, 1] : tensor<1x?x4x?x4xf32> to tensor<1x?x?xf32>
  return %s : tensor<1x?x?xf32>
}

// CHECK-LABEL: func.func @insert(
// CHECK: %[[E:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1], [2, 3], [4]] output_shape [1, %{{.*}}, 1, 1, %{{.*}}]
// CHECK-SAME: tensor<1x?x1x?xf32> into tensor<1x?x1x1x?xf32>
// CHECK: tensor.insert_slice %[[E]] into %{{.*}} : tensor<1x?x1x1x?xf32> into tensor<1x?x1x4x?xf32>
func.func @insert(%y: tensor<1x?x1x?xf32>, %x: tensor<1x?x1x4x?xf32>, %i: index, %m: index, %n: index) -> tensor<1x?x1x4x?xf32> {
  %s = tensor.insert_slice %y into %x[0, 0, 0, %i, 0] [1, %m, 1, 1, %n] [1, 1, 1, 1, 1] : tensor<1x?x1x?xf32> into tensor<1x?x1x4x?xf32>
  return %s : tensor<1x?x1x4x?xf32>
}

// Steps change the strides, so that those of a known buffer do not tell either.
// CHECK-LABEL: func.func @steps(
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[1, 0, 8] [1, 2, 1] [2, 1, 2] : tensor<2x2x9xi32> to tensor<1x2x1xi32>
// CHECK: tensor.collapse_shape %[[S]] {{\[\[}}0], [1, 2]] : tensor<1x2x1xi32> into tensor<1x2xi32>
func.func @steps(%x: tensor<2x2x9xi32>) -> tensor<1x2xi32> {
  %s = tensor.extract_slice %x[1, 0, 8] [1, 2, 1] [2, 1, 2] : tensor<2x2x9xi32> to tensor<1x2xi32>
  return %s : tensor<1x2xi32>
}

// Where no dimension of size 1 is left, or none goes, nobody can be mistaken; nor where the strides are known.
// CHECK-LABEL: func.func @clear(
// CHECK-NOT: shape
// CHECK: return
func.func @clear(%x: tensor<4x8x1xf32>, %y: tensor<4x?xf32>, %z: tensor<4x?x1xf32>, %i: index)
    -> (tensor<8x1xf32>, tensor<8xf32>, tensor<1x8x1xf32>, tensor<4x?xf32>) {
  %r = tensor.extract_slice %x[%i, 0, 0] [1, 8, 1] [1, 1, 1] : tensor<4x8x1xf32> to tensor<8x1xf32>
  %s = tensor.extract_slice %z[%i, 0, 0] [1, 8, 1] [1, 1, 1] : tensor<4x?x1xf32> to tensor<8xf32>
  %t = tensor.extract_slice %z[%i, 0, 0] [1, 8, 1] [1, 1, 1] : tensor<4x?x1xf32> to tensor<1x8x1xf32>
  %u = tensor.insert_slice %s into %y[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x?xf32>
  return %r, %s, %t, %u : tensor<8x1xf32>, tensor<8xf32>, tensor<1x8x1xf32>, tensor<4x?xf32>
}

// Gathers, packing with tiles of unknown extents, reshapes by numbers and bitcasts are structured ops, slices and reshapes.
// RUN: pit-opt %s --pit-normalize -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-to-cpu -split-input-file -o /dev/null
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a -split-input-file -o /dev/null

// CHECK-LABEL: func @rows(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>, %[[I:.*]]: tensor<3x1xindex>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<3xindex>) outs(%{{.*}} : tensor<3x4xf32>)
// CHECK-NEXT: ^bb0(%[[ROW:.*]]: index,
// CHECK: %[[COLUMN:.*]] = linalg.index 1
// CHECK: tensor.extract %[[X]][%[[ROW]], %[[COLUMN]]]
func.func @rows(%x: tensor<8x4xf32>, %i: tensor<3x1xindex>) -> tensor<3x4xf32> {
  %g = tensor.gather %x[%i] gather_dims([0]) : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  return %g : tensor<3x4xf32>
}

// -----

// Gathered dimensions stay as ones; coordinates of other integers; the outer dimensions are two.
// CHECK-LABEL: func @points(
// CHECK-NOT: tensor.gather
// CHECK-COUNT-2: arith.index_cast
// CHECK-NOT: tensor.gather
func.func @points(%x: tensor<?x4x?xf16>, %i: tensor<?x2x2xi32>) -> tensor<?x2x1x4x1xf16> {
  %g = tensor.gather %x[%i] gather_dims([0, 2]) unique : (tensor<?x4x?xf16>, tensor<?x2x2xi32>) -> tensor<?x2x1x4x1xf16>
  return %g : tensor<?x2x1x4x1xf16>
}

// -----

// CHECK-LABEL: func @pack(
// CHECK-NOT: linalg.pack
// CHECK: tensor.pad
// CHECK: tensor.expand_shape
// CHECK-NOT: linalg.pack
func.func @pack(%x: tensor<16x8xf32>, %t: index, %d: tensor<?x8x?xf32>) -> tensor<?x8x?xf32> {
  %z = arith.constant 0.0 : f32
  %p = linalg.pack %x padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [%t] into %d : tensor<16x8xf32> -> tensor<?x8x?xf32>
  return %p : tensor<?x8x?xf32>
}

// -----

// Both dimensions, the tiles in another order, no padding.
// CHECK-LABEL: func @pack_whole(
// CHECK-NOT: {{tensor.pad|linalg.pack}}
// CHECK: tensor.expand_shape
func.func @pack_whole(%x: tensor<?x?xf32>, %t: index, %d: tensor<?x?x4x?xf32>) -> tensor<?x?x4x?xf32> {
  %p = linalg.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, %t] into %d : tensor<?x?xf32> -> tensor<?x?x4x?xf32>
  return %p : tensor<?x?x4x?xf32>
}

// -----

// The source tells extents that the destination leaves open.
// CHECK-LABEL: func @told(
// CHECK-NOT: linalg.pack
func.func @told(%x: tensor<30x20x?x10xf32>, %d: tensor<?x?x?x?x16xf32>) -> tensor<?x?x?x?x16xf32> {
  %z = arith.constant 0.0 : f32
  %p = linalg.pack %x padding_value(%z : f32) outer_dims_perm = [2, 1, 3, 0] inner_dims_pos = [2] inner_tiles = [16] into %d
    : tensor<30x20x?x10xf32> -> tensor<?x?x?x?x16xf32>
  return %p : tensor<?x?x?x?x16xf32>
}

// -----

// CHECK-LABEL: func @reshape(
// CHECK-NOT: tensor.reshape
// CHECK: tensor.collapse_shape
// CHECK: tensor.expand_shape
func.func @reshape(%x: tensor<?x?xi32>, %m: index, %n: i64) -> tensor<?x3x?xi32> {
  %c3 = arith.constant 3 : i64
  %k = arith.index_cast %m : index to i64
  %s = tensor.from_elements %k, %c3, %n : tensor<3xi64>
  %r = tensor.reshape %x(%s) : (tensor<?x?xi32>, tensor<3xi64>) -> tensor<?x3x?xi32>
  return %r : tensor<?x3x?xi32>
}

// -----

// Axes that stay are none of the row: here those behind two that are joined to be parted again, or only behind.
// CHECK-LABEL: func @parted(
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2], [3]{{\]}}
func.func @parted(%x: tensor<?x?x?xf32>, %m: index, %n: index) -> tensor<?x?x?x?xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %l = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %a = arith.index_cast %m : index to i64
  %b = arith.index_cast %n : index to i64
  %c = arith.index_cast %k : index to i64
  %d = arith.index_cast %l : index to i64
  %s = tensor.from_elements %a, %b, %c, %d : tensor<4xi64>
  %r = tensor.reshape %x(%s) : (tensor<?x?x?xf32>, tensor<4xi64>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// -----

// CHECK-LABEL: func @bits(
// CHECK-NOT: tensor.bitcast
// CHECK: arith.bitcast %{{.*}} : i32 to f32
func.func @bits(%x: tensor<?x2xi32>) -> tensor<?x2xf32> {
  %0 = tensor.bitcast %x : tensor<?x2xi32> to tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

// A constant of unknown extents would have no size.
// CHECK-LABEL: func @scalar(
// CHECK: tensor.cast %{{.*}} : tensor<1xi32> to tensor<?xi32>
func.func @scalar(%n: index) -> tensor<?xi32> {
  %c = arith.constant dense<1> : tensor<i32>
  %e = tensor.expand_shape %c [] output_shape [%n] : tensor<i32> into tensor<?xi32>
  return %e : tensor<?xi32>
}

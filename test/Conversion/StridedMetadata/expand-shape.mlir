// RUN: pit-opt %s --pit-expand-strided-metadata | FileCheck %s

// CHECK: #[[$MUL:.*]] = affine_map<()[s0, s1] -> (s0 * s1)>

// Two extents of one group that only the program knows.
// CHECK-LABEL: func @two_dynamic
// CHECK-SAME: %[[SRC:.*]]: memref<?x8xf32>, %[[A:.*]]: index, %[[B:.*]]: index
func.func @two_dynamic(%src: memref<?x8xf32>, %a: index, %b: index) -> memref<?x?x2x4xf32> {
  // CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[SRC]]
  // CHECK: %[[OUTER:.*]] = affine.apply #{{.*}}()[%[[B]]]
  // CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[A]], %[[B]], 2, 4], strides: [%[[OUTER]], 8, 4, 1]
  %view = memref.expand_shape %src [[0, 1], [2, 3]] output_shape [%a, %b, 2, 4]
    : memref<?x8xf32> into memref<?x?x2x4xf32>
  return %view : memref<?x?x2x4xf32>
}

// Strides and an offset of the source go into the result's.
// CHECK-LABEL: func @strided
// CHECK-SAME: %[[SRC:.*]]: memref<?xf32, strided<[?], offset: ?>>, %[[A:.*]]: index, %[[B:.*]]: index
func.func @strided(%src: memref<?xf32, strided<[?], offset: ?>>, %a: index, %b: index)
    -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  // CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}, %[[STRIDE:.*]] = memref.extract_strided_metadata %[[SRC]]
  // CHECK: %[[OUTER:.*]] = affine.apply #[[$MUL]]()[%[[STRIDE]], %[[B]]]
  // CHECK: memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [%[[A]], %[[B]]], strides: [%[[OUTER]], %[[STRIDE]]]
  %view = memref.expand_shape %src [[0, 1]] output_shape [%a, %b]
    : memref<?xf32, strided<[?], offset: ?>> into memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %view : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

// Upstream's patterns are there as well.
// CHECK-LABEL: func @slice
// CHECK: memref.reinterpret_cast
func.func @slice(%src: memref<8x8xf32>, %i: index) -> memref<2x8xf32, strided<[8, 1], offset: ?>> {
  %view = memref.subview %src[%i, 0] [2, 8] [1, 1]
    : memref<8x8xf32> to memref<2x8xf32, strided<[8, 1], offset: ?>>
  return %view : memref<2x8xf32, strided<[8, 1], offset: ?>>
}

// An extent that cannot be derived by dividing by the others of its group.
// CHECK-LABEL: func @without_elements
// CHECK-SAME: %{{.*}}: memref<?x?xf64>, %[[A:.*]]: index, %[[B:.*]]: index
func.func @without_elements(%src: memref<?x?xf64>, %a: index, %b: index) -> index {
  // CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[A]], 9, %[[B]], 0]
  %view = memref.expand_shape %src [[0], [1, 2, 3]] output_shape [%a, 9, %b, 0]
    : memref<?x?xf64> into memref<?x9x?x0xf64>
  %c2 = arith.constant 2 : index
  %extent = memref.dim %view, %c2 : memref<?x9x?x0xf64>
  return %extent : index
}

// Constants become part of slices and views without a change of the dimensions that they drop.
// RUN: pit-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// The patterns are PIT's, which has to be loaded.
func.func private @index(!pit.index<[1, 24], coordinate = 1, tile = [1, 1], width = 32>)

// The dropped dimension is the sixth; six others have size 1.
// CHECK-LABEL: func @extract(
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0, 0, 0, 0, 2] [1, 24, 1, 1, 1, 1, 20] [1, 1, 1, 1, 1, 1, 1]
// CHECK-SAME: : tensor<1x24x1x1x1x1x24xi32> to tensor<1x24x1x1x1x20xi32>
func.func @extract(%a: tensor<1x24x1x1x1x1x24xi32>) -> tensor<1x24x1x1x1x20xi32> {
  %zero = arith.constant 0 : index
  %0 = tensor.extract_slice %a[0, 0, 0, 0, 0, %zero, 2] [1, 24, 1, 1, 1, 1, 20] [1, 1, 1, 1, 1, 1, 1]
    : tensor<1x24x1x1x1x1x24xi32> to tensor<1x24x1x1x1x20xi32>
  return %0 : tensor<1x24x1x1x1x20xi32>
}

// What is not 1 before is kept, also where it is 1 then.
// CHECK-LABEL: func @size(
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0] [1, 1, 2] [1, 1, 1] : tensor<1x1x2xf32> to tensor<1x2xf32>
// CHECK: %[[CAST:.*]] = tensor.cast %[[SLICE]] : tensor<1x2xf32> to tensor<?x2xf32>
// CHECK: return %[[CAST]]
func.func @size(%a: tensor<1x1x2xf32>) -> tensor<?x2xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = tensor.extract_slice %a[%zero, %zero, 0] [1, %one, 2] [1, 1, 1] : tensor<1x1x2xf32> to tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// CHECK-LABEL: func @insert(
// CHECK: %[[CAST:.*]] = tensor.cast %{{.*}} : tensor<3x?x2xf32> to tensor<3x1x2xf32>
// CHECK: tensor.insert_slice %[[CAST]] into %{{.*}}[0, 0, 0, 0] [3, 1, 1, 2] [1, 1, 1, 1] : tensor<3x1x2xf32> into tensor<3x1x1x2xf32>
func.func @insert(%a: tensor<3x?x2xf32>, %to: tensor<3x1x1x2xf32>) -> tensor<3x1x1x2xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = tensor.insert_slice %a into %to[0, %zero, 0, 0] [3, 1, %one, 2] [1, 1, 1, 1] : tensor<3x?x2xf32> into tensor<3x1x1x2xf32>
  return %0 : tensor<3x1x1x2xf32>
}

// The strides do not say which dimension is dropped; once the sizes are known, neither would these: the one that stays is named.
// CHECK-LABEL: func @view(
// CHECK: %[[FIRST:.*]] = memref.subview %{{.*}}[0, %{{.*}}, 0] [1, 1, 31] [1, 1, 1]
// CHECK-SAME: to memref<1x1x31xf32, strided<[?, ?, ?], offset: ?>>
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %[[STRIDES:.*]]:3 = memref.extract_strided_metadata %[[FIRST]]
// CHECK: memref.reinterpret_cast %[[FIRST]] to offset: [%[[OFFSET]]], sizes: [1, 31], strides: [%[[STRIDES]]#0, %[[STRIDES]]#2]
// CHECK: %[[SECOND:.*]] = memref.subview %{{.*}}[%{{.*}}, 0, 0] [1, 31, 1] [1, 1, 1]
// CHECK-SAME: to memref<1x31x1xf32, strided<[?, ?, ?], offset: ?>>
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %[[STRIDES:.*]]:3 = memref.extract_strided_metadata %[[SECOND]]
// CHECK: memref.reinterpret_cast %[[SECOND]] to offset: [%[[OFFSET]]], sizes: [31, 1], strides: [%[[STRIDES]]#1, %[[STRIDES]]#2]
func.func @view(%a: memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>, %i: index) {
  %one = arith.constant 1 : index
  %many = arith.constant 31 : index
  %0 = memref.subview %a[0, %i, 0] [%one, 1, %many] [1, 1, 1]
    : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %1 = memref.subview %a[%i, 0, 0] [1, %many, %one] [1, 1, 1]
    : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  "test.use"(%0, %1) : (memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>) -> ()
  return
}

// Of 1x31x1 the last dimension is dropped: without the first one it would be 31x1. The strides of the cast do not say it, the order does.
// CHECK-LABEL: func @cast(
// CHECK: memref.subview %{{.*}}[0, 0, %{{.*}}] [1, 31, 1] [1, 1, 1]
// CHECK-SAME: : memref<1x31x3xf32> to memref<1x31xf32, strided<[93, 3], offset: ?>>
func.func @cast(%a: memref<1x31x3xf32>, %i: index) {
  %0 = memref.cast %a : memref<1x31x3xf32> to memref<1x31x3xf32, strided<[?, ?, ?], offset: ?>>
  %1 = memref.subview %0[0, 0, %i] [1, 31, 1] [1, 1, 1]
    : memref<1x31x3xf32, strided<[?, ?, ?], offset: ?>> to memref<1x31xf32, strided<[?, ?], offset: ?>>
  "test.use"(%1) : (memref<1x31xf32, strided<[?, ?], offset: ?>>) -> ()
  return
}

// What would run over the end stays: it may never be reached.
// CHECK-LABEL: func @beyond(
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: tensor.extract_slice %{{.*}}[%[[FOUR]]] [2] [1] : tensor<5xf32> to tensor<2xf32>
func.func @beyond(%a: tensor<5xf32>) -> tensor<2xf32> {
  %four = arith.constant 4 : index
  %0 = tensor.extract_slice %a[%four] [2] [1] : tensor<5xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// A size that becomes known is not in the type yet; which dimensions go is clear.
// CHECK-LABEL: func.func @view_of_sizes(
// CHECK: memref.subview %{{.*}}[0, 0, 0, 0, 0] [1, 3, 1, 4, 1]
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %[[STRIDES:.*]]:5 = memref.extract_strided_metadata
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [3, 1, 4], strides: [%[[STRIDES]]#1, %[[STRIDES]]#2, %[[STRIDES]]#3]
func.func @view_of_sizes(%a: memref<?x3x?x?x?xf32, strided<[?, ?, ?, ?, ?], offset: ?>>) -> memref<?x1x?xf32, strided<[?, ?, ?], offset: ?>> {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %r = memref.subview %a[0, 0, 0, 0, 0] [1, %c3, 1, %c4, 1] [1, 1, 1, 1, 1] : memref<?x3x?x?x?xf32, strided<[?, ?, ?, ?, ?], offset: ?>> to memref<?x1x?xf32, strided<[?, ?, ?], offset: ?>>
  return %r : memref<?x1x?xf32, strided<[?, ?, ?], offset: ?>>
}

// A result lies in one piece: a view that was only cast to its type, as the strides of neither are known, is copied.
// RUN: pit-opt %s --convert-linalg-to-gpu | FileCheck %s

// CHECK-LABEL: func.func @slice(
// CHECK: %[[VIEW:.*]] = memref.subview
// CHECK: %[[ROWS:.*]] = memref.dim %[[VIEW]], %{{.*}}
// CHECK: %[[COLUMNS:.*]] = memref.dim %[[VIEW]], %{{.*}}
// CHECK: %[[COPY:.*]] = memref.alloc(%[[ROWS]], %[[COLUMNS]]) : memref<?x5x1x?xf32>
// CHECK: gpu.launch
// CHECK: return %[[COPY]]
func.func @slice(%x: memref<?x5x7x?xf32>, %m: index, %n: index) -> memref<?x5x1x?xf32> {
  %view = memref.subview %x[0, 0, 0, 0] [%m, 5, 1, %n] [1, 1, 2, 1] : memref<?x5x7x?xf32> to memref<?x5x1x?xf32, strided<[?, ?, ?, 1]>>
  %cast = memref.cast %view : memref<?x5x1x?xf32, strided<[?, ?, ?, 1]>> to memref<?x5x1x?xf32>
  return %cast : memref<?x5x1x?xf32>
}

// CHECK-LABEL: func.func @whole(
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @whole(%x: memref<4x5xf32>) -> memref<?x5xf32> {
  %cast = memref.cast %x : memref<4x5xf32> to memref<?x5xf32>
  return %cast : memref<?x5xf32>
}

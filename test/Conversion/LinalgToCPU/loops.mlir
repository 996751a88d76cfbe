// RUN: pit-opt %s --convert-linalg-to-cpu-loops=strict | FileCheck %s

// Rows are reduced side by side, each with its accumulator in a register.

// CHECK-LABEL: func @row_sums
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} iter_args({{.*}}) -> (f32, f32, f32, f32, f32, f32, f32, f32)
// CHECK-COUNT-8:     arith.addf
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} iter_args({{.*}}) -> (f32)
func.func @row_sums(%a: memref<?x?xf32>, %s: memref<?xf32>) {
  linalg.reduce { arith.addf } ins(%a : memref<?x?xf32>) outs(%s : memref<?xf32>) dimensions = [1]
  return
}

// Columns are contiguous in both operands, so the reduction goes outside.

// CHECK-LABEL: func @column_sums
// CHECK-SAME:    %[[A:.*]]: memref<?x?xf32>, %[[S:.*]]: memref<?xf32>
// CHECK:         scf.for %[[I:.*]] = %c0
// CHECK:           scf.for %[[J:.*]] = %c0
// CHECK:             memref.load %[[A]][%[[I]], %[[J]]]
// CHECK:             memref.store %{{.*}}, %[[S]][%[[J]]]
func.func @column_sums(%a: memref<?x?xf32>, %s: memref<?xf32>) {
  linalg.reduce { arith.addf } ins(%a : memref<?x?xf32>) outs(%s : memref<?xf32>) dimensions = [0]
  return
}

// A transposition is walked in tiles.

// CHECK-LABEL: func @transpose
// CHECK:         scf.for {{.*}} step %c16
// CHECK:           scf.for {{.*}} step %c16
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK:                 memref.load
// CHECK:                 memref.store
func.func @transpose(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  linalg.transpose ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) permutation = [1, 0]
  return
}

// Copies of contiguous buffers become memcpy later; others become loops.

// CHECK-LABEL: func @copies
// CHECK:         memref.copy
// CHECK:         scf.for
// CHECK:         return
func.func @copies(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %c: memref<4x8xf32, strided<[16, 1]>>) {
  memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32>
  memref.copy %a, %c : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  return
}

// A gather of columns, one strided copy per coordinate, becomes one pass along each row.

// CHECK-LABEL: func @gather_columns
// CHECK:         scf.for %[[ROW:.*]] = %c0
// CHECK:           scf.for
// CHECK:             memref.subview
// CHECK:             memref.load %{{.*}}[%[[ROW]]]
// CHECK:             memref.store %{{.*}}, %{{.*}}[%[[ROW]]]
func.func @gather_columns(%a: memref<32x64xf32>, %coords: memref<?xi32>, %n: index, %b: memref<32x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %coords[%i] : memref<?xi32>
    %1 = arith.index_cast %0 : i32 to index
    %from = memref.subview %a[0, %1] [32, 1] [1, 1] : memref<32x64xf32> to memref<32xf32, strided<[64], offset: ?>>
    %to = memref.subview %b[0, %i] [32, 1] [1, 1] : memref<32x?xf32> to memref<32xf32, strided<[?], offset: ?>>
    memref.copy %from, %to : memref<32xf32, strided<[64], offset: ?>> to memref<32xf32, strided<[?], offset: ?>>
  }
  return
}

// So is one of several leading dimensions. One whose elements are contiguous in the destination keeps its loops.

// CHECK-LABEL: func @gather_columns_of_batches
// CHECK:         scf.for %[[B:.*]] =
// CHECK:           scf.for %[[ROW:.*]] =
// CHECK:             scf.for %[[I:.*]] =
// CHECK:               memref.store %{{.*}}, %{{.*}}[%[[B]], %[[ROW]]]
// CHECK:         scf.for
// CHECK-NEXT:      memref.load %{{.*}} : memref<?xi64>
func.func @gather_columns_of_batches(%a: memref<4x32x64xf32>, %coords: memref<?xi64>, %b: memref<4x32x?xf32>,
                                     %c: memref<4x?x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %coords[%i] : memref<?xi64>
    %1 = arith.index_cast %0 : i64 to index
    %from = memref.subview %a[0, 0, %1] [4, 32, 1] [1, 1, 1] : memref<4x32x64xf32> to memref<4x32xf32, strided<[2048, 64], offset: ?>>
    %to = memref.subview %b[0, 0, %i] [4, 32, 1] [1, 1, 1] : memref<4x32x?xf32> to memref<4x32xf32, strided<[?, ?], offset: ?>>
    memref.copy %from, %to : memref<4x32xf32, strided<[2048, 64], offset: ?>> to memref<4x32xf32, strided<[?, ?], offset: ?>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %coords[%i] : memref<?xi64>
    %1 = arith.index_cast %0 : i64 to index
    %from = memref.subview %a[0, 0, %1] [4, 32, 1] [1, 1, 1] : memref<4x32x64xf32> to memref<4x32xf32, strided<[2048, 64], offset: ?>>
    %to = memref.subview %c[0, %i, 0] [4, 1, 32] [1, 1, 1] : memref<4x?x32xf32> to memref<4x32xf32, strided<[?, 1], offset: ?>>
    memref.copy %from, %to : memref<4x32xf32, strided<[2048, 64], offset: ?>> to memref<4x32xf32, strided<[?, 1], offset: ?>>
  }
  return
}

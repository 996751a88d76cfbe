// RUN: pit-opt %s --convert-linalg-to-cpu-loops | FileCheck %s
// RUN: pit-opt %s --convert-linalg-to-cpu-loops=strict | FileCheck %s --check-prefix=STRICT

// Sixteen partial sums of chunks of the row, then one of them and of what was there.

// CHECK-LABEL: func @whole
// CHECK:         %[[SUMS:.*]]:16 = scf.for {{.*}} step %c8192
// CHECK:           scf.for {{.*}} step %c16{{.*}} iter_args
// CHECK-COUNT-16:    arith.addf
// CHECK:             scf.yield
// CHECK:           scf.for {{.*}} step %c1
// CHECK-COUNT-16:  arith.addf
// CHECK:         arith.addf %[[SUMS]]#0, %[[SUMS]]#8
// STRICT-LABEL: func @whole
// STRICT:        scf.for {{.*}} step %c1{{[_0-9]*}} iter_args(%{{.*}} = %{{.*}}) -> (f32)
// STRICT-NOT:    scf.for
// STRICT:        return
func.func @whole(%a: memref<?xf32>, %s: memref<f32>) {
  linalg.reduce { arith.addf } ins(%a : memref<?xf32>) outs(%s : memref<f32>) dimensions = [0]
  return
}

// Rows side by side have a partial sum each.

// CHECK-LABEL: func @rows
// CHECK:         scf.for {{.*}} step %c512{{.*}} iter_args({{.*}}) -> (f32, f32, f32, f32, f32, f32, f32, f32)
// CHECK:           scf.for {{.*}} step %c1{{.*}} iter_args({{.*}}) -> (f32, f32, f32, f32, f32, f32, f32, f32)
func.func @rows(%a: memref<64x4096xf32>, %s: memref<64xf32>) {
  linalg.reduce { arith.addf } ins(%a : memref<64x4096xf32>) outs(%s : memref<64xf32>) dimensions = [1]
  return
}

// Columns: sums of 256 rows of a piece, which is in the first cache, are added to the results.

// CHECK-LABEL: func @columns
// CHECK:         %[[PARTS:.*]] = memref.alloca() : memref<1024xf32>
// CHECK:         scf.for %[[FIRST:.*]] = %c0{{.*}} step %c1024
// CHECK:           scf.for {{.*}} step %c256
// CHECK:             scf.for
// CHECK:               memref.store %{{.*}}, %[[PARTS]]
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK:                 memref.load %[[PARTS]]
// CHECK:                 memref.store %{{.*}}, %[[PARTS]]
// CHECK:             scf.for
// CHECK:               memref.load %[[PARTS]]
// CHECK:               memref.store %{{.*}}, %arg1
// STRICT-LABEL: func @columns
// STRICT-NOT:    memref.alloca
// STRICT:        return
func.func @columns(%a: memref<?x?xf32>, %s: memref<?xf32>) {
  linalg.reduce { arith.addf } ins(%a : memref<?x?xf32>) outs(%s : memref<?xf32>) dimensions = [0]
  return
}

// What has no rounding errors, and what is short, is computed as written.

// CHECK-LABEL: func @kept
// CHECK-NOT:     step %c{{[0-9]*[02-9]}}
// CHECK:         return
func.func @kept(%a: memref<5000xf32>, %b: memref<5000xi32>, %c: memref<200xf32>, %s: memref<f32>, %t: memref<i32>, %u: memref<f32>) {
  linalg.reduce { arith.maximumf } ins(%a : memref<5000xf32>) outs(%s : memref<f32>) dimensions = [0]
  linalg.reduce { arith.addi } ins(%b : memref<5000xi32>) outs(%t : memref<i32>) dimensions = [0]
  linalg.reduce { arith.addf } ins(%c : memref<200xf32>) outs(%u : memref<f32>) dimensions = [0]
  return
}

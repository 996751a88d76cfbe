// RUN: pit-opt %s --convert-linalg-to-cpu-loops | FileCheck %s
// RUN: pit-opt %s --convert-linalg-to-cpu-loops=strict | FileCheck %s --check-prefix=STRICT

// Chunks of the row, of which LLVM makes vectors of partial sums.

// CHECK-LABEL: func @whole
// CHECK:         %[[SUMS:.*]] = scf.for {{.*}} step %c8192{{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (f32)
// CHECK:           %[[PART:.*]] = scf.for {{.*}} step %c1{{[_0-9]*}} iter_args
// CHECK:             arith.addf {{.*}} fastmath<reassoc>
// CHECK:             scf.yield
// CHECK:           arith.addf %[[BEFORE]], %[[PART]] : f32
// CHECK:         arith.addf %{{.*}}, %[[SUMS]] : f32
// STRICT-LABEL: func @whole
// STRICT:        scf.for {{.*}} step %c1{{[_0-9]*}} iter_args(%{{.*}} = %{{.*}}) -> (f32)
// STRICT-NOT:    scf.for
// STRICT:        return
func.func @whole(%a: memref<?xf32>, %s: memref<f32>) {
  linalg.reduce { arith.addf } ins(%a : memref<?xf32>) outs(%s : memref<f32>) dimensions = [0]
  return
}

// Each row is such a sum.

// CHECK-LABEL: func @rows
// CHECK:         scf.for {{.*}} step %c1{{[_0-9]*}} {
// CHECK:           scf.for {{.*}} step %c8192{{.*}} iter_args({{.*}}) -> (f32)
// CHECK:             scf.for {{.*}} step %c1{{[_0-9]*}} iter_args({{.*}}) -> (f32)
// CHECK:               arith.addf {{.*}} fastmath<reassoc>
func.func @rows(%a: memref<64x4096xf32>, %s: memref<64xf32>) {
  linalg.reduce { arith.addf } ins(%a : memref<64x4096xf32>) outs(%s : memref<64xf32>) dimensions = [1]
  return
}

// Whose elements are no neighbours in memory have a partial sum each, side by side.

// CHECK-LABEL: func @scattered_rows
// CHECK:         scf.for {{.*}} step %c512{{.*}} iter_args({{.*}}) -> (f32, f32, f32, f32, f32, f32, f32, f32)
// CHECK:           scf.for {{.*}} step %c1{{[_0-9]*}} iter_args({{.*}}) -> (f32, f32, f32, f32, f32, f32, f32, f32)
func.func @scattered_rows(%a: memref<64x4096xf32, strided<[16384, 4]>>, %s: memref<64xf32>) {
  linalg.reduce { arith.addf } ins(%a : memref<64x4096xf32, strided<[16384, 4]>>) outs(%s : memref<64xf32>) dimensions = [1]
  return
}

// Of maxima of floats, sixteen are carried side by side, and combined as a tree.

// CHECK-LABEL: func @largest
// CHECK:         %[[FOUND:.*]]:16 = scf.for {{.*}} step %c16
// CHECK-COUNT-16:  arith.maximumf
// CHECK:         scf.for {{.*}} step %c1
// CHECK:           arith.maximumf
// CHECK:         arith.maximumf %{{.*}}, %[[FOUND]]#8
// STRICT-LABEL: func @largest
// STRICT:        step %c16
func.func @largest(%a: memref<64x5000xf32>, %s: memref<64xf32>) {
  linalg.reduce { arith.maximumf } ins(%a : memref<64x5000xf32>) outs(%s : memref<64xf32>) dimensions = [1]
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

// Integers have no rounding errors; and what is short is computed as written.

// CHECK-LABEL: func @kept
// CHECK-NOT:     step %c{{[0-9]*[02-9]}}
// CHECK-NOT:     fastmath
// CHECK:         return
func.func @kept(%b: memref<5000xi32>, %c: memref<20xf32>, %t: memref<i32>, %u: memref<f32>) {
  linalg.reduce { arith.addi } ins(%b : memref<5000xi32>) outs(%t : memref<i32>) dimensions = [0]
  linalg.reduce { arith.addf } ins(%c : memref<20xf32>) outs(%u : memref<f32>) dimensions = [0]
  return
}

// A window of few elements is in the body of the loop along which results are neighbours, and results are stored once.

// CHECK-LABEL: func @taps
// CHECK-COUNT-3: scf.for
// CHECK-NOT:     scf.for
// CHECK-COUNT-9: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         memref.store
// CHECK-NOT:     memref.store
// CHECK:         return
func.func @taps(%x: memref<10x10x64xf32>, %w: memref<3x3x64xf32>, %y: memref<8x8x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(h, w, c, i, j) -> (h + i, w + j, c)>, affine_map<(h, w, c, i, j) -> (i, j, c)>,
                                   affine_map<(h, w, c, i, j) -> (h, w, c)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<10x10x64xf32>, memref<3x3x64xf32>) outs(%y : memref<8x8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

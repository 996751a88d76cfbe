// RUN: pit-opt %s --convert-linalg-to-cpu-loops --split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-linalg-to-cpu-loops=strict --split-input-file | FileCheck %s --check-prefix=STRICT

// Neighbouring reductions that walk memory as one are one loop, of vectors if it is long.

// CHECK-LABEL: func @all
// CHECK:         %[[FLAT:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<123x77xf32> into memref<9471xf32>
// CHECK:         memref.load %[[FLAT]]
// CHECK:         arith.addf {{.*}} fastmath<reassoc>
// STRICT-LABEL: func @all
// STRICT:         %[[N:.*]] = arith.constant 9471 : index
// STRICT:         scf.for %{{.*}} to %[[N]]
// STRICT-NOT:     fastmath
func.func @all(%x: memref<123x77xf32>, %sum: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<123x77xf32>) outs(%sum : memref<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Rows with gaps, and reductions with a result between them, stay.

// CHECK-LABEL: func @stay
// CHECK-NOT:     memref.collapse_shape
func.func @stay(%x: memref<16x77xf32, strided<[80, 1]>>, %y: memref<4x5x6xf32>, %sum: memref<f32>, %sums: memref<5xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<16x77xf32, strided<[80, 1]>>) outs(%sum : memref<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>],
                  iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%y : memref<4x5x6xf32>) outs(%sums : memref<5xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// To tell positions in rows from those of the whole would take divisions.

// CHECK-LABEL: func @positions
// CHECK-NOT:     memref.collapse_shape
func.func @positions(%x: memref<20x30xi32>, %sum: memref<i32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<20x30xi32>) outs(%sum : memref<i32>) {
  ^bb0(%a: i32, %acc: i32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %0 = arith.muli %a, %k : i32
    %1 = arith.addi %acc, %0 : i32
    linalg.yield %1 : i32
  }
  return
}

// Running sums take one pass over the elements.
// RUN: pit-opt %s --convert-linalg-to-cpu-loops --canonicalize | FileCheck %s
// RUN: pit-opt %s --convert-linalg-to-cpu-loops=strict --canonicalize | FileCheck %s --check-prefix=STRICT

// Along rows, sums are in registers, four side by side, and have more digits than what is stored.

// CHECK-LABEL: func @rows
// CHECK:         scf.for %[[ROW:.*]] = %c0 to %c8 step %c4
// CHECK:           %{{.*}}:4 = scf.for %[[K:.*]] = %c0 to %c640 step %c1 iter_args(%[[BEFORE:[a-z0-9]+]] = {{.*}}) -> (f64, f64, f64, f64)
// CHECK-NOT:         scf.for
// CHECK:             memref.load %{{.*}}[%[[ROW]], %[[K]]]
// CHECK:             %[[NEXT:.*]] = arith.addf %[[BEFORE]], %{{.*}} : f64
// CHECK:             arith.truncf %[[NEXT]]
// CHECK:             memref.store
// CHECK:             scf.yield %[[NEXT]]
// STRICT-LABEL: func @rows
// STRICT:        iter_args({{.*}}) -> (f32, f32, f32, f32)
func.func @rows(%x: memref<8x640xf32>, %y: memref<8x640xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(r, q, k) -> (r, k)>, affine_map<(r, q, k) -> (r, q)>],
                  iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<8x640xf32>) outs(%y : memref<8x640xf32>) {
  ^bb0(%v: f32, %s: f32):
    %q = linalg.index 1 : index
    %k = linalg.index 2 : index
    %c = arith.cmpi ule, %k, %q : index
    %chosen = arith.select %c, %v, %zero : f32
    %t = arith.addf %s, %chosen : f32
    linalg.yield %t : f32
  }
  return
}

// Of columns, a row of sums is in a buffer. From the end on, without their own element.

// CHECK-LABEL: func @columns
// CHECK:         %[[SUMS:.*]] = memref.alloca() : memref<1024xi32>
// CHECK:         scf.for %[[POSITION:.*]] = %c0 to %c64
// CHECK-NEXT:      scf.for %[[COLUMN:.*]] = %c0 to %c8
// CHECK:             %[[BEFORE:.*]] = memref.load %[[SUMS]]
// CHECK:             %[[K:.*]] = arith.subi %c63, %[[POSITION]]
// CHECK:             %[[NEXT:.*]] = arith.addi
// CHECK:             %[[RESULT:.*]] = arith.addi %{{.*}}, %[[BEFORE]]
// CHECK:             memref.store %[[RESULT]], %{{.*}}[%[[K]], %[[COLUMN]]]
// CHECK:             memref.store %[[NEXT]], %[[SUMS]]
func.func @columns(%x: memref<64x8xi32>, %y: memref<64x8xi32>) {
  %zero = arith.constant 0 : i32
  linalg.generic {indexing_maps = [affine_map<(q, c, k) -> (k, c)>, affine_map<(q, c, k) -> (q, c)>],
                  iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<64x8xi32>) outs(%y : memref<64x8xi32>) {
  ^bb0(%v: i32, %s: i32):
    %q = linalg.index 0 : index
    %k = linalg.index 2 : index
    %c = arith.cmpi ugt, %k, %q : index
    %chosen = arith.select %c, %v, %zero : i32
    %t = arith.addi %s, %chosen : i32
    linalg.yield %t : i32
  }
  return
}

// What is chosen depends on the result, so that each has its own sum.

// CHECK-LABEL: func @own_elements
// CHECK-COUNT-2: scf.for
// CHECK:         arith.cmpi ule
func.func @own_elements(%x: memref<64x64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(q, k) -> (q, k)>, affine_map<(q, k) -> (q)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%v: f32, %s: f32):
    %q = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c = arith.cmpi ule, %k, %q : index
    %chosen = arith.select %c, %v, %zero : f32
    %t = arith.addf %s, %chosen : f32
    linalg.yield %t : f32
  }
  return
}

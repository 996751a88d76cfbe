// RUN: pit-opt %s --convert-contractions-to-cpu="vector-bits=512" --split-input-file | FileCheck %s

// Rows of A that are read for few columns are not packed. Of a known number of rows, those behind the last whole tile are a tile of
// their own, with an accumulator for each of their vectors and no more.

// CHECK-LABEL: func @few_columns(
// CHECK:         %[[A:.*]] = memref.reinterpret_cast %{{.*}} : memref<f32> to memref<?xf32>
// CHECK-COUNT-24: vector.load {{.*}} vector<16xf32>
// CHECK:         scf.for %{{.*}} iter_args
// CHECK:           memref.load %[[A]][
// CHECK-COUNT-24:  vector.fma
// CHECK-NOT:       vector.fma
// CHECK:           scf.yield
// CHECK:         scf.for %{{.*}} iter_args
// CHECK:           memref.load %[[A]][
// CHECK-COUNT-4:   vector.fma
// CHECK-NOT:       vector.fma
// CHECK:         return
func.func @few_columns(%a: memref<50x60xf32>, %b: memref<60x32xf32>, %c: memref<50x32xf32>) {
  linalg.matmul ins(%a, %b : memref<50x60xf32>, memref<60x32xf32>) outs(%c : memref<50x32xf32>)
  return
}

// -----

// Nor are near columns of A; those far from each other are transposed in registers while they are packed.

// CHECK-LABEL: func @near_columns(
// CHECK:         %[[A:.*]] = memref.reinterpret_cast %{{.*}} : memref<f32> to memref<?xf32>
// CHECK-NOT:     vector.shuffle
// CHECK:         scf.for %{{.*}} iter_args
// CHECK:           memref.load %[[A]][
// CHECK:         return
// CHECK-LABEL: func @far_columns(
// CHECK:         vector.shuffle
// CHECK:         return
func.func @near_columns(%a: memref<60x48xf32>, %b: memref<60x32xf32>, %c: memref<48x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, p) -> (p, i)>, affine_map<(i, j, p) -> (p, j)>,
                                   affine_map<(i, j, p) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<60x48xf32>, memref<60x32xf32>) outs(%c : memref<48x32xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

func.func @far_columns(%a: memref<60x480xf32>, %b: memref<60x32xf32>, %c: memref<480x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, p) -> (p, i)>, affine_map<(i, j, p) -> (p, j)>,
                                   affine_map<(i, j, p) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<60x480xf32>, memref<60x32xf32>) outs(%c : memref<480x32xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Packed, still: rows whose lines share places in the cache, what is extended, and what is read for many columns.

// CHECK-LABEL: func @same_places(
// CHECK:         memref.store {{.*}} : memref<12288xf32>
// CHECK-LABEL: func @extended(
// CHECK:         arith.extsi {{.*}} : i8 to i32
// CHECK:         memref.store {{.*}} : memref<2880xi32>
// CHECK-LABEL: func @many_columns(
// CHECK:         memref.store {{.*}} : memref<2880xf32>
func.func @same_places(%a: memref<48x1024xf32>, %b: memref<1024x32xf32>, %c: memref<48x32xf32>) {
  linalg.matmul ins(%a, %b : memref<48x1024xf32>, memref<1024x32xf32>) outs(%c : memref<48x32xf32>)
  return
}

func.func @extended(%a: memref<48x60xi8>, %b: memref<60x32xi8>, %c: memref<48x32xi32>) {
  linalg.matmul ins(%a, %b : memref<48x60xi8>, memref<60x32xi8>) outs(%c : memref<48x32xi32>)
  return
}

func.func @many_columns(%a: memref<48x60xf32>, %b: memref<60x1000xf32>, %c: memref<48x1000xf32>) {
  linalg.matmul ins(%a, %b : memref<48x60xf32>, memref<60x1000xf32>) outs(%c : memref<48x1000xf32>)
  return
}

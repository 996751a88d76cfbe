// RUN: pit-opt %s --convert-contractions-to-cpu | FileCheck %s

// Maximum instead of sum: not a contraction.
// CHECK-LABEL: func @max_plus
// CHECK:         linalg.generic
func.func @max_plus(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, p) -> (i, p)>, affine_map<(i, j, p) -> (p, j)>,
                                   affine_map<(i, j, p) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.maximumf %acc, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// A convolution's maps are no permutations.
// CHECK-LABEL: func @conv
// CHECK:         linalg.conv_1d
func.func @conv(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  linalg.conv_1d ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
  return
}

// A layout that has no strides.
// CHECK-LABEL: func @no_strides
// CHECK:         linalg.matmul
func.func @no_strides(%a: memref<8x8xf32, affine_map<(i, j) -> (i floordiv 2, j)>>, %b: memref<8x8xf32>,
                      %c: memref<8x8xf32>) {
  linalg.matmul ins(%a, %b : memref<8x8xf32, affine_map<(i, j) -> (i floordiv 2, j)>>, memref<8x8xf32>)
                outs(%c : memref<8x8xf32>)
  return
}

// Accumulation in f16 rounds after every step; it is left to the loops.
// CHECK-LABEL: func @half
// CHECK:         linalg.matmul
func.func @half(%a: memref<8x8xf16>, %b: memref<8x8xf16>, %c: memref<8x8xf16>) {
  linalg.matmul ins(%a, %b : memref<8x8xf16>, memref<8x8xf16>) outs(%c : memref<8x8xf16>)
  return
}

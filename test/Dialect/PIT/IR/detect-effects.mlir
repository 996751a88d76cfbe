// RUN: pit-opt %s --affine-scalrep | FileCheck %s

// Detection reads its source: what was stored there before is not dead because something else is stored behind it.
!i = !pit.index<[4, 64], coordinate = 1, tile = [1, 1], width = 32>
// CHECK-LABEL: func @bits
// CHECK: affine.store
// CHECK: pit.detect_bits_into
// CHECK: affine.store
func.func @bits(%x: memref<4x64xf32>, %b: memref<8xi32>, %v: f32, %w: f32) {
  affine.store %v, %x[0, 0] : memref<4x64xf32>
  pit.detect_bits_into values(%x : memref<4x64xf32>) outs(%b : memref<8xi32>) <kind = values, axes = [0, 1]> : !i
  affine.store %w, %x[0, 0] : memref<4x64xf32>
  return
}

// CHECK-LABEL: func @lists
// CHECK: affine.store
// CHECK: pit.detect_into
// CHECK: affine.store
func.func @lists(%x: memref<4x64xf32>, %o: memref<5xi64>, %c: memref<256xi32>, %v: f32, %w: f32) {
  affine.store %v, %x[0, 0] : memref<4x64xf32>
  pit.detect_into values(%x : memref<4x64xf32>) outs(%o, %c : memref<5xi64>, memref<256xi32>) <kind = values, axes = [0, 1]> : !i
  affine.store %w, %x[0, 0] : memref<4x64xf32>
  return
}

// With nothing in between it is dead.
// CHECK-LABEL: func @nothing
// CHECK-COUNT-1: affine.store
// CHECK-NOT: affine.store
func.func @nothing(%x: memref<4x64xf32>, %v: f32, %w: f32) {
  affine.store %v, %x[0, 0] : memref<4x64xf32>
  affine.store %w, %x[0, 0] : memref<4x64xf32>
  return
}

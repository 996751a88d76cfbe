// RUN: pit-opt %s --convert-contractions-to-cpu="features=avx512f,avx512vl,avx512bw" | FileCheck %s
// RUN: pit-opt %s --convert-contractions-to-cpu="features=avx512f" | FileCheck %s --check-prefix=WHOLE

// Rows of tiles at the edge of C are copied in vectors, of some elements where the CPU has masks.

// CHECK-LABEL: func @rows(
// CHECK:         vector.create_mask
// CHECK:         vector.maskedload
// CHECK:         vector.create_mask
// CHECK:         vector.maskedload
// CHECK:         vector.fma
// CHECK:         vector.maskedstore
// CHECK:         vector.maskedstore
// WHOLE-LABEL: func @rows(
// WHOLE-NOT:     vector.create_mask
// WHOLE:         vector.fma
// WHOLE:         arith.cmpi uge
// WHOLE-NEXT:    scf.if
// WHOLE:           vector.store
// WHOLE:         } else {
// WHOLE:           memref.store
func.func @rows(%a: memref<50x60xf32>, %b: memref<60x70xf32>, %c: memref<50x70xf32>) {
  linalg.matmul ins(%a, %b : memref<50x60xf32>, memref<60x70xf32>) outs(%c : memref<50x70xf32>)
  return
}

// Rows that are not contiguous are copied one by one.

// CHECK-LABEL: func @strided(
// CHECK-NOT:     vector.masked
// CHECK:         return
func.func @strided(%a: memref<50x60xf32>, %b: memref<60x70xf32>, %c: memref<50x70xf32, strided<[140, 2]>>) {
  linalg.matmul ins(%a, %b : memref<50x60xf32>, memref<60x70xf32>) outs(%c : memref<50x70xf32, strided<[140, 2]>>)
  return
}

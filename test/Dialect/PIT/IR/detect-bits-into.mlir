// RUN: pit-opt %s | pit-opt | FileCheck %s
// RUN: pit-opt %s --emit-bytecode | pit-opt | FileCheck %s

!blocks = !pit.index<[?, 512], coordinate = 1, tile = [32, 64], width = 32>
!given = !pit.index<[256, 4096], coordinate = 1, tile = [32, 64], width = 32>

// CHECK-LABEL: func @values
// CHECK: pit.detect_bits_into values(%{{.*}} : memref<?x512xbf16>) extents(%{{.*}}) outs(%{{.*}} : memref<?xi32>)
// CHECK-SAME: <kind = values, axes = [0, 1], tile = [32, 64]> rule 2 :
func.func @values(%x: memref<?x512xbf16>, %m: index, %bits: memref<?xi32>) {
  pit.detect_bits_into values(%x : memref<?x512xbf16>) extents(%m) outs(%bits : memref<?xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> rule 2 : !blocks
  return
}

// More words than are needed.
// CHECK-LABEL: func @blocks
// CHECK: pit.detect_bits_into by(%{{.*}} : memref<8x64xi1>) outs(%{{.*}} : memref<20xi32>)
func.func @blocks(%live: memref<8x64xi1>, %bits: memref<20xi32>) {
  pit.detect_bits_into by(%live : memref<8x64xi1>) outs(%bits : memref<20xi32>)
    <kind = blocks, axes = [0, 1], tile = [32, 64]> : !given
  return
}

// CHECK-LABEL: func @effects
// CHECK-NEXT: pit.detect_bits_into
// CHECK-NEXT: memref.load
// CHECK-NEXT: return
func.func @effects(%live: memref<8x64xi1>, %bits: memref<16xi32>, %i: index) -> i32 {
  pit.detect_bits_into by(%live : memref<8x64xi1>) outs(%bits : memref<16xi32>)
    <kind = blocks, axes = [0, 1], tile = [32, 64]> : !given
  %word = memref.load %bits[%i] : memref<16xi32>
  return %word : i32
}

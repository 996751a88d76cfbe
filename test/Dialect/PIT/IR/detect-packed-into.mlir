// RUN: pit-opt %s | pit-opt | FileCheck %s
// RUN: pit-opt %s -mlir-print-op-generic | pit-opt | FileCheck %s

!strips = !pit.index<[?, 2048], coordinate = 1, tile = [32, 1], width = 32>
!tall = !pit.index<[64, 1024], coordinate = 1, tile = [64, 16], width = 32>

// CHECK-LABEL: func @dynamic
// CHECK: pit.detect_packed_into %{{.*}} : memref<?x2048xbf16> extents(%{{[^)]*}})
// CHECK-SAME: outs(%{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} : memref<?xi32>, memref<?xi32>, memref<?xbf16>)
// CHECK-SAME: <kind = values, axes = [0, 1], tile = [32, 1]> rule 2 most_live 110 :
func.func @dynamic(%x: memref<?x2048xbf16>, %m: index, %counts: memref<?xi32>, %coords: memref<?xi32>,
                   %values: memref<?xbf16>) {
  pit.detect_packed_into %x : memref<?x2048xbf16> extents(%m)
    outs(%counts, %coords, %values : memref<?xi32>, memref<?xi32>, memref<?xbf16>)
    <kind = values, axes = [0, 1], tile = [32, 1]> rule 2 most_live 110 : !strips
  return
}

// CHECK-LABEL: func @by_mask
// CHECK: pit.detect_packed_into %{{.*}} : memref<64x1024xf16> by(%{{.*}} : memref<1x64xi1>)
// CHECK-SAME: <kind = blocks, axes = [0, 1], tile = [64, 16]> most_live 110 :
func.func @by_mask(%x: memref<64x1024xf16>, %live: memref<1x64xi1>, %counts: memref<1xi32>, %coords: memref<1024xi32>,
                   %values: memref<65536xf16>) {
  pit.detect_packed_into %x : memref<64x1024xf16> by(%live : memref<1x64xi1>)
    outs(%counts, %coords, %values : memref<1xi32>, memref<1024xi32>, memref<65536xf16>)
    <kind = blocks, axes = [0, 1], tile = [64, 16]> most_live 110 : !tall
  return
}

// Lists are written, and read behind it.
// CHECK-LABEL: func @effects
// CHECK-NEXT: pit.detect_packed_into
// CHECK-NEXT: memref.load
// CHECK-NEXT: return
func.func @effects(%x: memref<64x1024xf16>, %counts: memref<1xi32>, %coords: memref<1024xi32>,
                   %values: memref<65536xf16>, %i: index) -> i32 {
  pit.detect_packed_into %x : memref<64x1024xf16>
    outs(%counts, %coords, %values : memref<1xi32>, memref<1024xi32>, memref<65536xf16>)
    <kind = values, axes = [0, 1], tile = [64, 16]> : !tall
  %n = memref.load %counts[%i] : memref<1xi32>
  return %n : i32
}

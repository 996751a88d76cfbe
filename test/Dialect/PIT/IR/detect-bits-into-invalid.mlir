// RUN: pit-opt %s --split-input-file --verify-diagnostics

!i = !pit.index<[64, 512], coordinate = 1, tile = [32, 64], width = 32>
func.func @source(%x: memref<64x512xf32>, %bits: memref<2xi32>) {
  // expected-error @below {{D1: a values pattern takes 'values', any other kind takes 'by'}}
  pit.detect_bits_into by(%x : memref<64x512xf32>) outs(%bits : memref<2xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> : !i
  return
}

// -----

!i = !pit.index<[64, 512], coordinate = 1, tile = [32, 64], width = 32>
func.func @tile(%x: memref<64x512xf32>, %bits: memref<2xi32>) {
  // expected-error @below {{D2: the micro-tile of the index differs from the pattern's along axis 1}}
  pit.detect_bits_into values(%x : memref<64x512xf32>) outs(%bits : memref<2xi32>)
    <kind = values, axes = [0, 1], tile = [32, 32]> : !i
  return
}

// -----

!i = !pit.index<[?, 512], coordinate = 1, tile = [32, 64], width = 32>
func.func @extents(%x: memref<?x512xf32>, %bits: memref<2xi32>) {
  // expected-error @below {{D3: got 0 extents for 1 dynamic extents of the index}}
  pit.detect_bits_into values(%x : memref<?x512xf32>) outs(%bits : memref<2xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> : !i
  return
}

// -----

// 33 micro-tiles of a strip take two words.
!i = !pit.index<[64, 2100], coordinate = 1, tile = [32, 64], width = 32>
func.func @words(%x: memref<64x2100xf32>, %bits: memref<3xi32>) {
  // expected-error @below {{D6: the bitmap of 2 segments takes 4 words, got 3}}
  pit.detect_bits_into values(%x : memref<64x2100xf32>) outs(%bits : memref<3xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> : !i
  return
}

// -----

!i = !pit.index<[64, 512], coordinate = 1, tile = [32, 64], width = 32>
func.func @tensor(%x: tensor<64x512xf32>, %bits: memref<2xi32>) {
  // expected-error @below {{operand #0 must be strided memref of any type values, but got 'tensor<64x512xf32>'}}
  pit.detect_bits_into values(%x : tensor<64x512xf32>) outs(%bits : memref<2xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> : !i
  return
}

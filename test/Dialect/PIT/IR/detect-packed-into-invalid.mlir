// RUN: pit-opt %s -split-input-file -verify-diagnostics

!i = !pit.index<[64, 1024], coordinate = 1, tile = [32, 1], width = 32>
func.func @tile(%x: memref<64x1024xbf16>, %n: memref<2xi32>, %c: memref<2048xi32>, %v: memref<65536xbf16>) {
  // expected-error @below {{D2: the micro-tile of the index differs from the pattern's along axis 1}}
  pit.detect_packed_into %x : memref<64x1024xbf16> outs(%n, %c, %v : memref<2xi32>, memref<2048xi32>, memref<65536xbf16>)
    <kind = values, axes = [0, 1], tile = [32, 2]> : !i
  return
}

// -----

!i = !pit.index<[?, 1024], coordinate = 1, tile = [32, 1], width = 32>
func.func @extents(%x: memref<?x1024xbf16>, %n: memref<2xi32>, %c: memref<2048xi32>, %v: memref<65536xbf16>) {
  // expected-error @below {{D3: got 0 extents for 1 dynamic extents of the index}}
  pit.detect_packed_into %x : memref<?x1024xbf16> outs(%n, %c, %v : memref<2xi32>, memref<2048xi32>, memref<65536xbf16>)
    <kind = values, axes = [0, 1], tile = [32, 1]> : !i
  return
}

// -----

// Eight rows are fewer than a chunk of the swizzle has.
!i = !pit.index<[64, 1024], coordinate = 1, tile = [8, 1], width = 32>
func.func @rows(%x: memref<64x1024xbf16>, %n: memref<8xi32>, %c: memref<8192xi32>, %v: memref<65536xbf16>) {
  // expected-error @below {{D7: only micro-tiles of 16, 32 or 64 rows by 1, 2, 4, 8 or 16 elements}}
  pit.detect_packed_into %x : memref<64x1024xbf16> outs(%n, %c, %v : memref<8xi32>, memref<8192xi32>, memref<65536xbf16>)
    <kind = values, axes = [0, 1], tile = [8, 1]> : !i
  return
}

// -----

// What is packed is multiplied with zeros beside it.
!i = !pit.index<[64, 1024], coordinate = 1, tile = [32, 1], width = 32>
func.func @absent(%x: memref<64x1024xbf16>, %n: memref<2xi32>, %c: memref<2048xi32>, %v: memref<65536xbf16>) {
  // expected-error @below {{whose absent value is zero, are packed}}
  pit.detect_packed_into %x : memref<64x1024xbf16> outs(%n, %c, %v : memref<2xi32>, memref<2048xi32>, memref<65536xbf16>)
    <kind = values, axes = [0, 1], absent = neg_inf, tile = [32, 1]> : !i
  return
}

// -----

!i = !pit.index<[64, 1024], coordinate = 1, tile = [32, 1], width = 32>
func.func @element(%x: memref<64x1024xbf16>, %n: memref<2xi32>, %c: memref<2048xi32>, %v: memref<65536xf16>) {
  // expected-error @below {{D7: packs 'bf16' into 'memref<65536xf16>'}}
  pit.detect_packed_into %x : memref<64x1024xbf16> outs(%n, %c, %v : memref<2xi32>, memref<2048xi32>, memref<65536xf16>)
    <kind = values, axes = [0, 1], tile = [32, 1]> : !i
  return
}

// -----

// 1032 k are two parts.
!i = !pit.index<[64, 1032], coordinate = 1, tile = [32, 1], width = 32>
func.func @lists(%x: memref<64x1032xbf16>, %n: memref<4xi32>, %c: memref<4096xi32>, %v: memref<65536xbf16>) {
  // expected-error @below {{D8: 4 lists take 131072 elements, got 'memref<65536xbf16>'}}
  pit.detect_packed_into %x : memref<64x1032xbf16> outs(%n, %c, %v : memref<4xi32>, memref<4096xi32>, memref<65536xbf16>)
    <kind = values, axes = [0, 1], tile = [32, 1]> : !i
  return
}

// -----

!i = !pit.index<[64, 1024], coordinate = 1, tile = [32, 1], width = 32>
func.func @share(%x: memref<64x1024xbf16>, %n: memref<2xi32>, %c: memref<2048xi32>, %v: memref<65536xbf16>) {
  // expected-error @below {{D7: most_live is from 0 to 256, not 257}}
  pit.detect_packed_into %x : memref<64x1024xbf16> outs(%n, %c, %v : memref<2xi32>, memref<2048xi32>, memref<65536xbf16>)
    <kind = values, axes = [0, 1], tile = [32, 1]> most_live 257 : !i
  return
}

// -----

!i = !pit.index<[64, 1024], coordinate = 1, tile = [32, 1], width = 32>
func.func @strided(%x: memref<64x1024xbf16>, %live: memref<2x1024xi1, strided<[2048, 1]>>, %n: memref<2xi32>,
                   %c: memref<2048xi32>, %v: memref<65536xbf16>) {
  // expected-error @below {{D7: a mask must be contiguous, got 'memref<2x1024xi1, strided<[2048, 1]>>'}}
  pit.detect_packed_into %x : memref<64x1024xbf16> by(%live : memref<2x1024xi1, strided<[2048, 1]>>)
    outs(%n, %c, %v : memref<2xi32>, memref<2048xi32>, memref<65536xbf16>) <kind = blocks, axes = [0, 1], tile = [32, 1]> : !i
  return
}

// -----

!i = !pit.index<[64, 1024], coordinate = 1, tile = [32, 1], width = 32>
func.func @no_mask(%x: memref<64x1024xbf16>, %n: memref<2xi32>, %c: memref<2048xi32>, %v: memref<65536xbf16>) {
  // expected-error @below {{D1: a values pattern takes 'values', any other kind takes 'by'}}
  pit.detect_packed_into %x : memref<64x1024xbf16> outs(%n, %c, %v : memref<2xi32>, memref<2048xi32>, memref<65536xbf16>)
    <kind = blocks, axes = [0, 1], tile = [32, 1]> : !i
  return
}

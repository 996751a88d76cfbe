// RUN: pit-opt %s --pit-lower-access -split-input-file -verify-diagnostics

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
func.func @whole_read(%x: tensor<4x8x2xf32>, %i: !i) -> tensor<32x2xf32> {
  // expected-error @below {{covers a whole tensor; run --pit-tile-rules first}}
  %r = pit.sread %x[%i] dims = [0, 1] : tensor<4x8x2xf32>, !i -> tensor<32x2xf32>
  return %r : tensor<32x2xf32>
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
func.func @whole_write(%p: tensor<32x2xf32>, %x: tensor<4x8x2xf32>, %i: !i) -> tensor<4x8x2xf32> {
  // expected-error @below {{covers a whole tensor; run --pit-tile-rules first}}
  %r = pit.swrite %p into %x[%i] store dims = [0, 1] : tensor<32x2xf32>, tensor<4x8x2xf32>, !i
  return %r : tensor<4x8x2xf32>
}

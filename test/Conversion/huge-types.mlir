// Passes that compute with extents refuse what no memory holds, so that none of them overflows.
// RUN: pit-opt %s --convert-attention-to-gpu --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --convert-contractions-to-cpu --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --convert-contractions-to-hopper --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --convert-contractions-to-mma --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --convert-detect-to-gpu --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --convert-invert-to-gpu --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --convert-linalg-to-cpu-loops --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --convert-linalg-to-gpu --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --convert-linalg-to-pit --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --convert-sums-to-gpu --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --pit-expand-tiles --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --pit-materialize-marks --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --pit-tile-rules --split-input-file --verify-diagnostics -o /dev/null

func.func @extent(%a: memref<8x9223372036854775807xf32>, %b: memref<9223372036854775807x16xf32>, %c: memref<8x16xf32>) {
  // expected-error @below {{has a tensor or buffer of 2^56 bytes or more: 'memref<8x9223372036854775807xf32>'}}
  linalg.matmul ins(%a, %b : memref<8x9223372036854775807xf32>, memref<9223372036854775807x16xf32>) outs(%c : memref<8x16xf32>)
  return
}

// -----

// expected-error @below {{has a tensor or buffer of 2^56 bytes or more: 'tensor<4294967296x4194304xf32>'}}
func.func @product(%a: tensor<4294967296x4194304xf32>) {
  return
}

// -----

// expected-error @below {{2^56 bytes or more: 'memref<0x36028797018963968xi16>'}}
func.func @without_elements(%a: memref<0x36028797018963968xi16>) {
  return
}

// -----

// expected-error @below {{2^56 bytes or more: 'memref<4x8xf32, strided<[9223372036854775807, 1]>>'}}
func.func @stride(%a: memref<4x8xf32, strided<[9223372036854775807, 1]>>) {
  return
}

// -----

// expected-error @below {{2^56 bytes or more: 'memref<4x8xf32, strided<[8, -18014398509481984]>>'}}
func.func @negative_stride(%a: memref<4x8xf32, strided<[8, -18014398509481984]>>) {
  return
}

// -----

// expected-error @below {{2^56 bytes or more: 'memref<4x8xf32, strided<[8, 1], offset: 18014398509481984>>'}}
func.func @offset(%a: memref<4x8xf32, strided<[8, 1], offset: 18014398509481984>>) {
  return
}

// -----

// expected-error @below {{2^56 bytes or more: 'tensor<4xvector<18014398509481984xf32>>'}}
func.func @vectors(%a: tensor<4xvector<18014398509481984xf32>>) {
  return
}

// -----

// expected-error @below {{2^56 bytes or more: 'tensor<9007199254740992xcomplex<f32>>'}}
func.func @complex(%a: tensor<9007199254740992xcomplex<f32>>) {
  return
}

// -----

// expected-error @below {{2^56 bytes or more: 'tensor<36028797018963968xi12>'}}
func.func @odd_bits(%a: tensor<36028797018963968xi12>) {
  return
}

// -----

// expected-error @below {{has an index of 2^56 points or more: '!pit.index<[4294967296, ?, 16777216], coordinate = 1, tile = [1, 1, 1], width = 64>'}}
func.func @index(%a: !pit.index<[4294967296, ?, 16777216], coordinate = 1, tile = [1, 1, 1], width = 64>) {
  return
}

// -----

// expected-error @below {{has an index of 2^56 points or more: '!pit.index_buffer<}}
func.func @micro_tile(%a: !pit.index_buffer<!pit.index<[?, 8], coordinate = 1, tile = [9223372036854775807, 1], width = 64>>) {
  return
}

// -----

// The largest that there may be.
func.func private @index_fits(!pit.index<[?, 72057594037927935], coordinate = 1, tile = [1, 1], width = 64>)
func.func @fits(%z: tensor<9007199254740991xcomplex<f32>>, %v: tensor<3xvector<4503599627370496xf32>>, %a: memref<1048576x17179869183xf32>, %b: memref<?x8xf32, strided<[?, 1], offset: ?>>, %c: memref<*xf32>) {
  return
}

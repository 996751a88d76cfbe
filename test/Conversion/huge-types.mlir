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

// The largest that there may be.
func.func @fits(%a: memref<1048576x17179869183xf32>, %b: memref<?x8xf32, strided<[?, 1], offset: ?>>, %c: memref<*xf32>) {
  return
}

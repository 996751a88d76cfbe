// RUN: pit-opt %s --split-input-file --verify-diagnostics

func.func @element(%q: memref<64x2x32xf32>, %offsets: memref<5xi64>) {
  // expected-error @below {{S1: operands are [rows, heads, width] of bf16 or f16, with known heads and width}}
  pit.attend_sequences %q, %q, %q sequences(%offsets : memref<5xi64>) outs(%q) {extent = 16 : i64, scale = 0.25 : f32}
    : memref<64x2x32xf32>, memref<64x2x32xf32>, memref<64x2x32xf32>, memref<64x2x32xf32>
  return
}

// -----

func.func @shape(%q: memref<64x2x32xbf16>, %k: memref<64x4x32xbf16>, %offsets: memref<5xi64>) {
  // expected-error @below {{S1: 'memref<64x4x32xbf16>' is no operand beside 'memref<64x2x32xbf16>'}}
  pit.attend_sequences %q, %k, %q sequences(%offsets : memref<5xi64>) outs(%q) {extent = 16 : i64, scale = 0.25 : f32}
    : memref<64x2x32xbf16>, memref<64x4x32xbf16>, memref<64x2x32xbf16>, memref<64x2x32xbf16>
  return
}

// -----

func.func @extent(%q: memref<64x2x32xbf16>, %offsets: memref<5xi64>) {
  // expected-error @below {{S2: sequences have at least one position, not 0}}
  pit.attend_sequences %q, %q, %q sequences(%offsets : memref<5xi64>) outs(%q) {extent = 0 : i64, scale = 0.25 : f32}
    : memref<64x2x32xbf16>, memref<64x2x32xbf16>, memref<64x2x32xbf16>, memref<64x2x32xbf16>
  return
}

// -----

func.func @mixed(%q: memref<64x2x32xbf16>, %offsets: tensor<5xi64>) {
  // expected-error @below {{S3: mixes tensors and buffers}}
  pit.attend_sequences %q, %q, %q sequences(%offsets : tensor<5xi64>) outs(%q) {extent = 16 : i64, scale = 0.25 : f32}
    : memref<64x2x32xbf16>, memref<64x2x32xbf16>, memref<64x2x32xbf16>, memref<64x2x32xbf16>
  return
}

// -----

func.func @result(%q: tensor<64x2x32xbf16>, %offsets: tensor<5xi64>) {
  // expected-error @below {{S3: has the type of 'init' as its result on tensors, and none on buffers}}
  pit.attend_sequences %q, %q, %q sequences(%offsets : tensor<5xi64>) outs(%q) {extent = 16 : i64, scale = 0.25 : f32}
    : tensor<64x2x32xbf16>, tensor<64x2x32xbf16>, tensor<64x2x32xbf16>, tensor<64x2x32xbf16>
  return
}

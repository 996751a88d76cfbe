// RUN: pit-opt %s --convert-attention-to-gpu --split-input-file --verify-diagnostics

func.func @nested(%q: memref<64x2x32xbf16>, %offsets: memref<5xi64>, %cond: i1) {
  scf.if %cond {
    // expected-error @below {{is not at the top level of its function, from which kernels are launched}}
    pit.attend_sequences %q, %q, %q sequences(%offsets : memref<5xi64>) outs(%q) {extent = 16 : i64, scale = 0.25 : f32}
      : memref<64x2x32xbf16>, memref<64x2x32xbf16>, memref<64x2x32xbf16>, memref<64x2x32xbf16>
  }
  return
}

// -----

func.func @width(%q: memref<64x2x48xbf16>, %offsets: memref<5xi64>) {
  // expected-error @below {{has no kernel for 'memref<64x2x48xbf16>': contiguous buffers with 32, 64 or 128 elements per head}}
  pit.attend_sequences %q, %q, %q sequences(%offsets : memref<5xi64>) outs(%q) {extent = 16 : i64, scale = 0.25 : f32}
    : memref<64x2x48xbf16>, memref<64x2x48xbf16>, memref<64x2x48xbf16>, memref<64x2x48xbf16>
  return
}

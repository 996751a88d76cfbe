// Where nobody plans, an op without a plan is an error, as nothing else computes it.
// RUN: pit-opt %s --convert-attention-to-gpu=plan=false --verify-diagnostics

func.func @unplanned(%q: memref<64x2x32xbf16>, %offsets: memref<5xi64>) {
  // expected-error @below {{has no plan, which '--pit-plan-kernels' makes}}
  pit.attend_sequences %q, %q, %q sequences(%offsets : memref<5xi64>) outs(%q) {extent = 16 : i64, scale = 0.25 : f32}
    : memref<64x2x32xbf16>, memref<64x2x32xbf16>, memref<64x2x32xbf16>, memref<64x2x32xbf16>
  return
}

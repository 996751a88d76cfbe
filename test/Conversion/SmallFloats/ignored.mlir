// What the pass does not take is as it was.
// RUN: pit-opt %s > %t.before
// RUN: pit-opt %s --pit-expand-small-floats > %t.after
// RUN: diff %t.before %t.after

// Formats without signed zeros, or without a mantissa.
func.func @other_formats(%x: f8E4M3FNUZ, %y: f8E8M0FNU, %z: f32) -> (f32, f32, f8E4M3FNUZ, f8E4M3FNUZ) {
  %0 = arith.extf %x : f8E4M3FNUZ to f32
  %1 = arith.extf %y : f8E8M0FNU to f32
  %2 = arith.truncf %z : f32 to f8E4M3FNUZ
  %3 = arith.addf %x, %2 : f8E4M3FNUZ
  return %0, %1, %2, %3 : f32, f32, f8E4M3FNUZ, f8E4M3FNUZ
}

func.func @other_rounding(%x: f32) -> f8E4M3FN {
  %0 = arith.truncf %x toward_zero : f32 to f8E4M3FN
  return %0 : f8E4M3FN
}

func.func @other_width(%x: f128) -> (f8E4M3FN, f128) {
  %0 = arith.truncf %x : f128 to f8E4M3FN
  %1 = arith.extf %0 : f8E4M3FN to f128
  return %0, %1 : f8E4M3FN, f128
}

func.func @wider(%x: f16, %y: bf16, %z: f32) -> (f32, bf16, f32) {
  %0 = arith.extf %x : f16 to f32
  %1 = arith.truncf %z : f32 to bf16
  %2 = arith.addf %1, %y : bf16
  %3 = math.exp %z : f32
  return %0, %2, %3 : f32, bf16, f32
}

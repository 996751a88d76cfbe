// RUN: pit-opt %s --pit-check-cpu-code --split-input-file --verify-diagnostics

// All of it has code.
module {
  llvm.func @f(%x: i32) -> i32 {
    llvm.return %x : i32
  }
  module @inner {
    llvm.mlir.global constant @c(1 : i32) : i32
  }
}

// -----

// One error, of the first op, though the casts come before it.
llvm.func @f(%x: i8) -> f32 {
  %0 = builtin.unrealized_conversion_cast %x : i8 to f8E4M3FN
  // expected-error @below {{'arith.extf' op of type '(f8E4M3FN) -> f32' has no code for the CPU}}
  %1 = arith.extf %0 : f8E4M3FN to f32
  %2 = arith.addf %1, %1 : f32
  llvm.return %2 : f32
}

// -----

// What is inside of a function says more than the function.
func.func @f(%x: complex<f32>) {
  // expected-error @below {{'complex.re' op of type '(complex<f32>) -> f32' has no code for the CPU}}
  %0 = complex.re %x : complex<f32>
  llvm.return
}

// -----

// Nothing but a cast is left.
llvm.func @f(%x: i8) -> i16 {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op of type '(i8) -> i16' has no code for the CPU}}
  %0 = builtin.unrealized_conversion_cast %x : i8 to i16
  llvm.return %0 : i16
}

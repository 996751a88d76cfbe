// RUN: pit-opt %s -convert-contractions-to-hopper="multiprocessors=0" -verify-diagnostics
// RUN: not pit-opt %s -convert-contractions-to-hopper="f32-products=bf16x9" 2>&1 | FileCheck %s

// CHECK: error: f32-products must be simt, tf32 or tf32x3, not bf16x9

// expected-error @+1 {{multiprocessors must be positive, not 0}}
module {
  func.func @nothing() {
    return
  }
}

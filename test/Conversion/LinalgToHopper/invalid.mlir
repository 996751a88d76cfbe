// RUN: not pit-opt %s -convert-contractions-to-hopper="multiprocessors=-1" 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: not pit-opt %s -convert-contractions-to-hopper="chip=sm_100a" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not pit-opt %s -convert-contractions-to-hopper="card=b200" 2>&1 | FileCheck %s --check-prefix=CARD
// RUN: not pit-opt %s -convert-contractions-to-hopper="f32-products=bf16x9" 2>&1 | FileCheck %s

// CHECK: error: f32-products must be simt, tf32 or tf32x3, not bf16x9

// LESS: error: multiprocessors must not be negative, not -1
// CHIP: error: chip 'sm_100a' has no wgmma; those that have: sm_90a
// CARD: error: unknown card 'b200' with chip 'sm_90a'; known are: h100, h200
module {
  func.func @nothing() {
    return
  }
}

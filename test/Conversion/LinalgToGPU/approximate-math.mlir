// RUN: pit-opt %s -approximate-math-for-gpu -verify-diagnostics -split-input-file | FileCheck %s

gpu.module @kernels {
  // What allows an approximation becomes the instruction, everything else a polynomial.
  // CHECK-LABEL: func @functions
  // CHECK: %[[L:.*]] = arith.constant 1.44269502 : f32
  // CHECK: %[[X:.*]] = arith.mulf %{{.*}}, %[[L]] : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%[[X]])
  // CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"
  // erf takes eight terms of a polynomial and an exponential.
  // CHECK-COUNT-7: "llvm.fma.f32"
  // CHECK: "llvm.nvvm.ex2.approx.ftz.f"
  // CHECK: "llvm.copysign.f32"
  // CHECK-NOT: ex2
  // CHECK: llvm.call_intrinsic "llvm.fma.f32"
  // CHECK-NOT: math.exp
  func.func @functions(%x: f32) -> (f32, f32, f32, f32) {
    %0 = math.exp %x fastmath<afn> : f32
    %1 = math.rsqrt %x fastmath<afn> : f32
    %2 = math.erf %x fastmath<afn> : f32
    %3 = math.exp %x : f32
    return %0, %1, %2, %3 : f32, f32, f32, f32
  }
}

// -----

// A Gaussian unit is one polynomial and one power of two, in whatever order it is written.
gpu.module @kernels {
  // CHECK-LABEL: func @gelu(
  // CHECK-SAME: %[[X:.*]]: f32
  // CHECK-DAG: %[[END:.*]] = arith.constant 15.5563{{[0-9]*}} : f32
  // CHECK-DAG: %[[SIZE:.*]] = llvm.call_intrinsic "llvm.nvvm.fmin.f"(%{{.*}}, %[[END]])
  // CHECK-COUNT-8: "llvm.fma.f32"
  // CHECK: %[[HALF:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"
  // CHECK: %[[MAX:.*]] = llvm.call_intrinsic "llvm.nvvm.fmax.nan.f"(%[[X]], %{{.*}})
  // CHECK: %[[OTHER:.*]] = arith.negf %[[SIZE]]
  // CHECK: llvm.call_intrinsic "llvm.fma.f32"(%[[OTHER]], %[[HALF]], %[[MAX]])
  // CHECK-NOT: copysign
  // CHECK-NOT: arith.mulf
  func.func @gelu(%x: f32) -> f32 {
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %root = arith.constant 0.707106769 : f32
    %0 = arith.mulf %x, %root : f32
    %1 = math.erf %0 fastmath<afn> : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %x, %half : f32
    %4 = arith.mulf %3, %2 : f32
    return %4 : f32
  }
  // What is rounded needs fewer terms; not if something else uses it, too.
  // CHECK-LABEL: func @rounded(
  // CHECK-COUNT-5: "llvm.fma.f32"
  // CHECK: ex2
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  // CHECK-LABEL: func @rounded_to_f16(
  // CHECK-COUNT-6: "llvm.fma.f32"
  // CHECK: ex2
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  // CHECK-LABEL: func @rounded_and_not(
  // CHECK-COUNT-8: "llvm.fma.f32"
  // CHECK: ex2
  func.func @rounded(%x: f32) -> bf16 {
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %root = arith.constant 0.707106769 : f32
    %0 = arith.mulf %x, %root : f32
    %1 = math.erf %0 fastmath<afn> : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %x, %2 : f32
    %4 = arith.mulf %3, %half : f32
    %5 = arith.truncf %4 : f32 to bf16
    return %5 : bf16
  }
  func.func @rounded_to_f16(%x: f32) -> f16 {
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %root = arith.constant 0.707106769 : f32
    %0 = arith.mulf %x, %root : f32
    %1 = math.erf %0 fastmath<afn> : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %x, %2 : f32
    %4 = arith.mulf %3, %half : f32
    %pinned = llvm.inline_asm "", "=f,0" %4 : (f32) -> f32
    %5 = arith.truncf %pinned : f32 to f16
    return %5 : f16
  }
  func.func @rounded_and_not(%x: f32) -> (bf16, f32) {
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %root = arith.constant 0.707106769 : f32
    %0 = arith.mulf %x, %root : f32
    %1 = math.erf %0 fastmath<afn> : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %x, %2 : f32
    %4 = arith.mulf %3, %half : f32
    %5 = arith.truncf %4 : f32 to bf16
    return %5, %4 : bf16, f32
  }
  // A unit of a unit, and a scale as a divisor.
  // CHECK-LABEL: func @twice(
  // CHECK-COUNT-2: "llvm.nvvm.fmax.nan.f"
  // CHECK-NOT: copysign
  // CHECK-NOT: arith.mulf
  func.func @twice(%x: f32) -> f32 {
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %root = arith.constant 1.41421354 : f32
    %0 = arith.divf %x, %root : f32
    %1 = math.erf %0 fastmath<afn> : f32
    %2 = arith.addf %one, %1 : f32
    %3 = arith.mulf %half, %2 : f32
    %4 = arith.mulf %x, %3 : f32
    %5 = arith.divf %4, %root : f32
    %6 = math.erf %5 fastmath<afn> : f32
    %7 = arith.addf %6, %one : f32
    %8 = arith.mulf %7, %4 : f32
    %9 = arith.mulf %8, %half : f32
    return %9 : f32
  }
  // Powers of such a scale are no numbers of 32 bits.
  // CHECK-LABEL: func @steep(
  // CHECK: copysign
  // CHECK-NOT: "llvm.nvvm.fmax.nan.f"
  func.func @steep(%x: f32) -> f32 {
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %scale = arith.constant 1.0e6 : f32
    %0 = arith.mulf %x, %scale : f32
    %1 = math.erf %0 fastmath<afn> : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %x, %half : f32
    %4 = arith.mulf %3, %2 : f32
    return %4 : f32
  }
  // These are none: of another value, with another factor, a scale below 0, or of an erf that is to be exact. What is
  // used elsewhere stays for that.
  // CHECK-LABEL: func @others(
  // CHECK: copysign
  // CHECK: "llvm.nvvm.fmax.nan.f"
  // CHECK: copysign
  // CHECK-NOT: "llvm.nvvm.fmax.nan.f"
  // CHECK: return
  func.func @others(%x: f32, %y: f32) -> (f32, f32, f32, f32, f32, f32) {
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %root = arith.constant 0.707106769 : f32
    %below = arith.constant -0.707106769 : f32
    %0 = arith.mulf %x, %root : f32
    %1 = math.erf %0 fastmath<afn> : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %x, %half : f32
    %4 = arith.mulf %3, %2 : f32
    %5 = arith.mulf %y, %half : f32
    %6 = arith.mulf %5, %2 : f32
    %7 = arith.mulf %x, %root : f32
    %8 = arith.mulf %7, %2 : f32
    %9 = arith.mulf %x, %below : f32
    %10 = math.erf %9 fastmath<afn> : f32
    %11 = arith.addf %10, %one : f32
    %12 = arith.mulf %3, %11 : f32
    %13 = math.erf %0 : f32
    %14 = arith.addf %13, %one : f32
    %15 = arith.mulf %3, %14 : f32
    return %4, %6, %8, %12, %15, %3 : f32, f32, f32, f32, f32, f32
  }
}

// -----

gpu.module @kernels {
  func.func @double(%x: f64) -> f64 {
    // expected-error @below {{on 'f64' has no code for the device}}
    %0 = math.sin %x : f64
    return %0 : f64
  }
}

// -----

// What is left of f64 after a power by logarithms is too little.
gpu.module @kernels {
  func.func @power(%x: f64) -> f64 {
    // expected-error @below {{on 'f64' has no code for the device}}
    %0 = math.powf %x, %x : f64
    return %0 : f64
  }
}

// -----

gpu.module @kernels {
  // Arguments are reduced in f64, where thousands of turns leave digits.
  // CHECK-LABEL: func @circular
  // CHECK-NOT: math.
  // CHECK: arith.extf %{{.*}} : f32 to f64
  // CHECK: llvm.call_intrinsic "llvm.floor.f64"
  // CHECK-NOT: math.
  // CHECK: llvm.call_intrinsic "llvm.copysign.f32"
  // CHECK-NOT: math.
  // CHECK: return
  func.func @circular(%x: f32) -> (f32, f32, f32) {
    %0 = math.sin %x : f32
    %1 = math.cos %x : f32
    %2 = math.atan %x : f32
    return %0, %1, %2 : f32, f32, f32
  }
}

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

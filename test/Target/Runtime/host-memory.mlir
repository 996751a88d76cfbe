// Buffers of entry points for the CPU are the runtime's, which keeps them for the next call; others are the C library's.
// RUN: pit-opt %s --pit-to-cpu="entry-points=true" | FileCheck %s
// RUN: pit-opt %s --pit-to-cpu | FileCheck %s --check-prefix=WITHOUT
// RUN: pit-compile %s -o %t.so
// RUN: pit-run-loaded --load %t.so --random=const:1 --print | FileCheck %s --check-prefix=VALUE

// CHECK-NOT: @malloc
// CHECK: llvm.func @pit_rt_free(!llvm.ptr)
// CHECK: llvm.func @pit_rt_allocate(i64) -> (!llvm.ptr {llvm.noalias})
// CHECK: call @pit_rt_allocate
// CHECK: call @pit_rt_free
// CHECK-NOT: @malloc
// WITHOUT: llvm.func @malloc(i64)
// VALUE: 1024

func.func @main(%x: tensor<4x4xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %q = linalg.matmul ins(%p, %p : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = tensor.empty() : tensor<f32>
  %one = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce ins(%q : tensor<4x4xf32>) outs(%one : tensor<f32>) dimensions = [0, 1] (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  }
  return %r : tensor<f32>
}

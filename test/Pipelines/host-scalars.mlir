// What the host computes of scalars, beside launches: functions, 8-bit floats and bf16, for which it has no instructions.
// UNSUPPORTED: sanitizer
// RUN: %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --random const:1 --print --check | FileCheck %s
// RUN: pit-opt %s --pit-to-cuda="chip=sm_90a" | FileCheck %s --check-prefix=HOST
// CHECK:      result 0: 4xf32 = 2.718{{[0-9]*}}
// CHECK-NEXT: result 1: 4xf32 = 2.75
// CHECK-NEXT: result 2: 4xf32 = 2.71875
// CHECK-NEXT: result 3: 4xi8 = 67
// CHECK-COUNT-4: bit-identical
// HOST-NOT: math.
// HOST-NOT: arith.
// HOST: llvm.func @pit_main

func.func @main(%s: f32, %h: bf16) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi8>) {
  %exp = math.exp %s : f32
  %small = arith.truncf %exp : f32 to f8E4M3FN
  %rounded = arith.extf %small : f8E4M3FN to f32
  %exph = math.exp %h : bf16
  %halves = arith.extf %exph : bf16 to f32
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%exp : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.fill ins(%rounded : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.fill ins(%halves : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // A kernel takes the number itself.
  %e8 = tensor.empty() : tensor<4xi8>
  %3 = linalg.map ins(%0 : tensor<4xf32>) outs(%e8 : tensor<4xi8>) (%x: f32, %o: i8) {
    %y = arith.bitcast %small : f8E4M3FN to i8
    linalg.yield %y : i8
  }
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi8>
}

// RUN: pit-opt %s --approximate-math-for-cpu | FileCheck %s

// CHECK-LABEL: func @f32
// CHECK-NOT:     math.exp
// CHECK:         math.fma
func.func @f32(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @f64
// CHECK:         math.exp {{.*}} : f64
func.func @f64(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  return %0 : f64
}

// Arguments are reduced in f64, where thousands of turns leave digits; test/Python/test_functions.py has the digits.
// CHECK-LABEL: func @circular
// CHECK-NOT:     math.{{sin|cos|atan}}
// CHECK:         arith.extf {{.*}} : vector<4xf32> to vector<4xf64>
// CHECK:         math.floor {{.*}} : vector<4xf64>
// CHECK:         arith.truncf {{.*}} : vector<4xf64> to vector<4xf32>
// CHECK-NOT:     math.{{sin|cos|atan}}
// CHECK:         return
func.func @circular(%x: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %0 = math.sin %x : vector<4xf32>
  %1 = math.cos %x : vector<4xf32>
  %2 = math.atan %x : vector<4xf32>
  return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// Not by a function of the compiler's runtime library.
// CHECK-LABEL: func @twice
// CHECK-NOT:     f64 to bf16
// CHECK:         arith.truncf {{.*}} : f64 to f32
// CHECK:         arith.truncf {{.*}} : f32 to bf16
func.func @twice(%x: f64) -> bf16 {
  %0 = arith.truncf %x : f64 to bf16
  return %0 : bf16
}

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

// Arguments and results of every kind: tensors of all element types, scalars, rank 0, empty tensors.
// What is written can be read back as an input.

// RUN: rm -rf %t && mkdir %t
// RUN: pit-run %s --random iota --random const:0.5 --random const:2 --random bool:1 --print --check \
// RUN:   --output %t/first | FileCheck %s
// RUN: pit-run %s --input %t/first.0.npy --input %t/first.1.npy --input %t/first.5.npy \
// RUN:   --input %t/first.3.npy --print | FileCheck %s
// RUN: pit-run %s --entry narrow --random iota --random iota --random iota --random iota --random iota \
// RUN:   --output %t/narrow --print | FileCheck %s --check-prefix=NARROW
// RUN: pit-run %s --entry narrow --input %t/narrow.0.npy --input %t/narrow.1.npy --input %t/narrow.2.npy \
// RUN:   --input %t/narrow.3.npy --input %t/narrow.4.npy --print | FileCheck %s --check-prefix=NARROW
// RUN: pit-run %s --entry scalar --random const:41 --print | FileCheck %s --check-prefix=SCALAR
// RUN: pit-run %s --entry empty --random normal@0x3 --print --check | FileCheck %s --check-prefix=EMPTY
// RUN: pit-run %s --entry nothing | count 0

// CHECK:      result 0: 2x3xf32 = 0 1 2 3 4 5
// CHECK-NEXT: result 1: f32 = 0.5
// CHECK-NEXT: result 2: 3x2xf32 = 0 3 1 4 2 5
// CHECK-NEXT: result 3: 2xi1 = 1 1
// CHECK-NEXT: result 4: i1 = 1
// CHECK-NEXT: result 5: i64 = 2
func.func @main(%a: tensor<2x3xf32>, %s: tensor<f32>, %i: index, %b: tensor<2xi1>)
    -> (tensor<2x3xf32>, tensor<f32>, tensor<3x2xf32>, tensor<2xi1>, i1, index) {
  %true = arith.constant true
  %empty = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%empty : tensor<3x2xf32>) permutation = [1, 0]
  return %a, %s, %t, %b, %true, %i
    : tensor<2x3xf32>, tensor<f32>, tensor<3x2xf32>, tensor<2xi1>, i1, index
}

// NARROW:      result 0: 3xf16 = 0 1 2
// NARROW-NEXT: result 1: 3xbf16 = 0 1 2
// NARROW-NEXT: result 2: 3xf64 = 0 1 2
// NARROW-NEXT: result 3: 3xi8 = 0 1 2
// NARROW-NEXT: result 4: 3xi32 = 0 1 2
func.func @narrow(%a: tensor<3xf16>, %b: tensor<3xbf16>, %c: tensor<3xf64>, %d: tensor<3xi8>, %e: tensor<3xi32>)
    -> (tensor<3xf16>, tensor<3xbf16>, tensor<3xf64>, tensor<3xi8>, tensor<3xi32>) {
  return %a, %b, %c, %d, %e : tensor<3xf16>, tensor<3xbf16>, tensor<3xf64>, tensor<3xi8>, tensor<3xi32>
}

// SCALAR: result 0: i32 = 42
func.func @scalar(%a: i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = arith.addi %a, %one : i32
  return %r : i32
}

// EMPTY:      result 0: 0x3xf32 ={{$}}
// EMPTY-NEXT: check: result 0: bit-identical (0 elements)
func.func @empty(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  return %a : tensor<?x3xf32>
}

func.func @nothing() {
  return
}

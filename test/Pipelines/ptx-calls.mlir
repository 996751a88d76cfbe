// Functions that call each other, with marks of their own, are one on the device.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a least-us=0" --mlir-print-ir-after=convert-linalg-to-pit -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=DONE --input-file=%t.mlir
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=PASSES

// PASSES: pit-inline-calls{all=true

// CHECK-LABEL: func.func @main(
// CHECK-NOT: call @
// CHECK: pit.detect
// CHECK: pit.generic
// DONE: gpu.launch_func
func.func private @product(%a: tensor<64x8xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}}, %m: tensor<64xi1>, %b: tensor<8x5xf32>) -> tensor<64x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x5xf32>) -> tensor<64x5xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x8xf32>, tensor<8x5xf32>) outs(%f : tensor<64x5xf32>) -> tensor<64x5xf32>
  return %r : tensor<64x5xf32>
}
func.func @main(%a: tensor<64x8xf32>, %m: tensor<64xi1>, %b: tensor<8x5xf32>) -> tensor<64x5xf32> {
  %r = func.call @product(%a, %m, %b) : (tensor<64x8xf32>, tensor<64xi1>, tensor<8x5xf32>) -> tensor<64x5xf32>
  return %r : tensor<64x5xf32>
}

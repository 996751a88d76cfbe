// What --dump-pass-pipeline prints gives the same module again.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a features=+ptx83 tile-size=128 dense-variants=false" --dump-pass-pipeline > %t.once 2> %t.dump
// RUN: %python %S/Inputs/cut.py %t.dump %t
// RUN: pit-opt %s @%t.0 > %t.twice && diff %t.once %t.twice
// RUN: FileCheck %s --input-file=%t.once

// CHECK: func.func @main
// CHECK-NOT: memref.load
// CHECK: gpu.launch_func @main_kernels::@main_0
// CHECK: gpu.binary @main_kernels
func.func @main(%a: tensor<64x128xf32> {pit.sparse = {
      source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>, absent = "zero"}},
    %b: tensor<128x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x32xf32>) outs(%z : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %c : tensor<64x32xf32>
}

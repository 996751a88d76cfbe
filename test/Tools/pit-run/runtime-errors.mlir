// What compiled code finds wrong with its data is an error before any output is written.

// RUN: rm -rf %t && mkdir %t
// RUN: pit-run %s --random topk-gate:2 --random normal --check --output %t/good
// RUN: not pit-run %s --random topk-gate:3 --random normal --output %t/out 2>&1 | FileCheck %s --check-prefix=CAPACITY
// CAPACITY: pit-run: error: rule {{.*}}: capacity exceeded: {{[0-9]+}} live micro-tiles where at most {{[0-9]+}} fit

// RUN: pit-run %s --entry padded --random normal --random lengths:0:8 --random normal --check --output %t/padded
// RUN: not pit-run %s --entry padded --random normal --random lengths:9:9 --random normal --output %t/out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LENGTH
// LENGTH: pit-run: error: rule {{.*}}: index out of range: 9 is not in [0, 8]

// RUN: ls %t | FileCheck %s --check-prefix=FILES --implicit-check-not=out
// FILES: good.0.npy

func.func @main(%gate: tensor<16x8xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>,
                                                       absent = "zero", at_most = 2 : i64}},
                %w: tensor<8x4xf32>) -> tensor<16x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  %r = linalg.matmul ins(%gate, %w : tensor<16x8xf32>, tensor<8x4xf32>) outs(%f : tensor<16x4xf32>) -> tensor<16x4xf32>
  return %r : tensor<16x4xf32>
}

func.func @padded(%x: tensor<3x8x4xf32> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>,
                                                       pad = "right", absent = "zero"}},
                  %lengths: tensor<3xi64>, %w: tensor<3x4x5xf32>) -> tensor<3x8x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x8x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x8x5xf32>) -> tensor<3x8x5xf32>
  %r = linalg.batch_matmul ins(%x, %w : tensor<3x8x4xf32>, tensor<3x4x5xf32>)
                           outs(%f : tensor<3x8x5xf32>) -> tensor<3x8x5xf32>
  return %r : tensor<3x8x5xf32>
}

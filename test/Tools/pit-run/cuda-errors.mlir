// What kernels find wrong with their data is an error on a device as on the CPU, before any output is written.

// RUN: rm -rf %t && mkdir %t
// RUN: %cuda pit-run %s --target cuda --random topk-gate:2 --random normal --check --output %t/good
// RUN: not %cuda pit-run %s --target cuda --random topk-gate:3 --random normal --output %t/out 2>&1 | FileCheck %s --check-prefix=CAPACITY
// CAPACITY: pit-run: error: rule {{.*}}: capacity exceeded: {{[0-9]+}} live micro-tiles where at most {{[0-9]+}} fit
// RUN: not %cuda pit-run %S/runtime-errors.mlir --target cuda --entry padded --random normal --random lengths:9:9 --random normal --output %t/out 2>&1 | FileCheck %s --check-prefix=LENGTH
// LENGTH: pit-run: error: rule {{.*}}: index out of range: 9 is not in [0, 8]
// RUN: ls %t | FileCheck %s --check-prefix=FILES --implicit-check-not=out
// FILES: good.0.npy

func.func @main(%gate: tensor<16x8xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>,
                                                       absent = "zero", at_most = 2 : i64}},
                %x: tensor<16x4xf32>, %w: tensor<8x4x4xf32>) -> tensor<16x4xf32> {
  %zero = arith.constant 0.0 : f32
  %eh = tensor.empty() : tensor<16x8x4xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%eh : tensor<16x8x4xf32>) -> tensor<16x8x4xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(t, e, n, k) -> (t, k)>, affine_map<(t, e, n, k) -> (e, k, n)>, affine_map<(t, e, n, k) -> (t, e, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<16x4xf32>, tensor<8x4x4xf32>) outs(%zh : tensor<16x8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<16x8x4xf32>
  %e = tensor.empty() : tensor<16x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(t, n, e) -> (t, e)>, affine_map<(t, n, e) -> (t, e, n)>, affine_map<(t, n, e) -> (t, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%gate, %h : tensor<16x8xf32>, tensor<16x8x4xf32>) outs(%f : tensor<16x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<16x4xf32>
  return %r : tensor<16x4xf32>
}

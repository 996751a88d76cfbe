// What compiled code finds wrong with its data is the status of its call, also when an older error is still unread.

// RUN: rm -rf %t && mkdir %t
// RUN: pit-compile %s -o %t/model.so
// RUN: pit-run-loaded --load %t/model.so --random topk-gate:2 --random normal --output %t/good
// RUN: not pit-run-loaded --load %t/model.so --random topk-gate:3 --random normal --output %t/out 2>&1 | FileCheck %s
// CHECK: pit-run: error: rule {{.*}}: capacity exceeded: {{[0-9]+}} live micro-tiles where at most {{[0-9]+}} fit
// RUN: ls %t | FileCheck %s --check-prefix=FILES --implicit-check-not=out
// FILES: good.0.npy
// RUN: %cc -std=c11 -pedantic-errors -Wall -Wextra -Werror -I %t -I %pit_src/runtime/include %S/Inputs/overflow.c %t/model.so %pit_lib/libpit_runtime.so -Wl,-rpath,%t:%pit_lib -o %t/overflow
// RUN: %t/overflow | FileCheck %s --check-prefix=CALL
// CALL: sparse 0, dense 3, dense again 3, sparse again 0
// CALL-NEXT: unrelated

func.func @main(%gate: tensor<16x8xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>,
                                                       absent = "zero", at_most = 2 : i64}},
                %w: tensor<8x4xf32>) -> tensor<16x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  %r = linalg.matmul ins(%gate, %w : tensor<16x8xf32>, tensor<8x4xf32>) outs(%f : tensor<16x4xf32>) -> tensor<16x4xf32>
  return %r : tensor<16x4xf32>
}

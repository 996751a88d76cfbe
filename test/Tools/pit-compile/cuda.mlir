// The same for a GPU: kernels lie in the shared object as PTX. The driver here computes nothing.

// RUN: rm -rf %t && mkdir %t
// RUN: pit-compile %s -o %t/model.so --chip sm_90a --manifest %t/model.json
// RUN: FileCheck %s --input-file=%t/model.h --check-prefix=HEADER
// RUN: FileCheck %s --input-file=%t/model.json --check-prefix=JSON
// RUN: grep -c "target sm_90a" %t/model.so
// RUN: %python %S/Inputs/symbols.py %t/model.so | FileCheck %s --check-prefix=SYMBOLS
// SYMBOLS: foreign:{{$}}
// SYMBOLS-NEXT: defined: pit_main pit_main_shapes pit_main_xla pit_program{{$}}
// HEADER: for cuda, sm_90a
// HEADER: int32_t pit_main(
// JSON: "chip": "sm_90a"
// JSON: "target": "cuda"

// RUN: %cc -std=c11 -pedantic-errors -Wall -Wextra -Werror -I %t -I %pit_src/runtime/include %S/Inputs/launch.c %t/model.so %pit_lib/libpit_runtime.so -Wl,-rpath,%t:%pit_lib -o %t/launch
// RUN: %fake-cuda FAKE_CUDA_TRACE=%t/trace %t/launch | FileCheck %s --check-prefix=LAUNCH
// RUN: FileCheck %s --input-file=%t/trace --check-prefix=TRACE
// LAUNCH: extents 100 32, workspace {{[1-9][0-9]*}}
// LAUNCH-NEXT: ok
// TRACE: load {{[0-9]+}} kernels
// TRACE-NOT: synchronize
// TRACE: launch main_dense_0
// TRACE: launch early main_dense_contraction_0

// RUN: %fake-cuda FAKE_CUDA_TRACE=%t/loaded pit-run-loaded --load %t/model.so --random normal@100x64 --random bool:0.3@100 --random normal --bench 1 --output %t/out | FileCheck %s --check-prefix=ROWS
// RUN: FileCheck %s --input-file=%t/loaded --check-prefix=TRACE
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// RUN: %fake-cuda pit-run --load %t/model.so --target cuda --random normal@100x64 --random bool:0.3@100 --random normal | FileCheck %s --check-prefix=FULL
// FULL: result 0: 100x32xf32
// RUN: not pit-run-loaded --load %t/model.so --random ones@100x64 --random ones@100 --random ones 2>&1 | FileCheck %s --check-prefix=DRIVER
// DRIVER: pit-run: error: target 'cuda': no CUDA driver
// RUN: not %fake-cuda FAKE_CUDA_STATUS=3,0,70,64 pit-run-loaded --load %t/model.so --random ones@100x64 --random ones@100 --random ones --output %t/bad 2>&1 | FileCheck %s --check-prefix=STATUS
// STATUS: pit-run: error: rule 0: capacity exceeded: 70 live micro-tiles where at most 64 fit
// FILES: out.0.npy
// ROWS: result 0: 100x32xf32
// ROWS: bench: 0.250 ms (median of 1, device time)

func.func @main(%a: tensor<?x64xf32> {pit.sparse = {
      source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
    %live: tensor<?xi1>, %b: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x32xf32>) outs(%z : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %c : tensor<?x32xf32>
}

// What pit-run asks of the CUDA driver, and its diagnostics, with a driver that computes nothing.

// RUN: rm -rf %t && mkdir %t
// RUN: %fake-cuda FAKE_CUDA_TRACE=%t/trace pit-run %s --target cuda --random normal@100x64 --random bool:0.3@100 --random normal --random randint:5:6 --bench 1 --output %t/out > %t/text
// RUN: FileCheck %s --input-file=%t/text --check-prefix=TEXT
// RUN: FileCheck %s --input-file=%t/trace
// RUN: ls %t | FileCheck %s --check-prefix=FILES

// TEXT: result 0: 100x32xf32
// TEXT: result 1: i64
// TEXT: bench: sparse 0.250 ms, dense 0.250 ms, 1.00x (medians of 1, device time)
// FILES: out.0.npy
// FILES: out.1.npy

// Inputs go in, nothing else is allocated than workspace, results and the status word.
// CHECK: copy in 25600
// CHECK: copy in 100
// CHECK: copy in 8192
// CHECK-NOT: pool
// CHECK: load {{[0-9]+}} kernels
// CHECK-NOT: synchronize
// CHECK: launch early main_contraction_{{[0-9]+}} grid {{[0-9]+}},1,1 block {{[0-9]+}},1,1 shared {{[1-9][0-9]*}} args ptr
// CHECK-NOT: synchronize
// CHECK: copy out 32
// CHECK: synchronize
// CHECK: copy out 12800
// Further runs load nothing.
// CHECK-NOT: DEAD

// A device is not asked for its chip where one is given, and where none is known there is an error.
// RUN: %fake-cuda pit-run %s --target auto --chip sm_80 --random normal@10x64 --random bool:0.3@10 --random normal --random ones | FileCheck %s --check-prefix=AUTO
// AUTO: result 0: 10x32xf32
// RUN: not %fake-cuda pit-run %s --target cuda --chip sm_12 --random normal@10x64 --random bool:0.3@10 --random normal --random ones 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: unknown chip 'sm_12'
// RUN: not %fake-cuda FAKE_CUDA_CAPABILITY=70 pit-run %s --target cuda --random ones 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: pit-run: error: no known chip fits 'Fake 0' of compute capability 7.0; --chip names one
// RUN: %fake-cuda FAKE_CUDA_CAPABILITY=99 pit-run %s --target cuda --random normal@10x64 --random bool:0.3@10 --random normal --random ones | FileCheck %s --check-prefix=AUTO

// No device.
// RUN: not %fake-cuda FAKE_CUDA_DEVICES=0 pit-run %s --target cuda --random ones 2>&1 | FileCheck %s --check-prefix=NODEVICE
// NODEVICE: pit-run: error: target 'cuda': no CUDA device
// RUN: not env PIT_CUDA_DRIVER=%t/none.so pit-run %s --target cuda --random ones 2>&1 | FileCheck %s --check-prefix=NODRIVER
// NODRIVER: pit-run: error: target 'cuda': no CUDA driver: {{.*}}none.so: cannot open shared object file
// RUN: %fake-cuda FAKE_CUDA_DEVICES=0 pit-run %s --target auto --random normal@10x64 --random bool:0.3@10 --random normal --random ones --check | FileCheck %s --check-prefix=CPU
// CPU: check: result 0: bit-identical

// The driver's errors are named, and leave no files.
// RUN: rm -rf %t && mkdir %t
// RUN: not %fake-cuda FAKE_CUDA_FAIL=cuLaunchKernelEx:2:700 pit-run %s --target cuda --random normal@10x64 --random bool:0.3@10 --random normal --random ones --output %t/out 2>&1 | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: pit-run: error: cuLaunchKernelEx: main_{{[a-z_0-9]+}}: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700)
// RUN: not %fake-cuda FAKE_CUDA_FAIL=cuMemAlloc_v2:2:2 pit-run %s --target cuda --random normal@10x64 --random bool:0.3@10 --random normal --random ones --output %t/out 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: pit-run: error: cuMemAlloc: out of memory (CUDA_ERROR_OUT_OF_MEMORY, 2)

// What kernels report.
// RUN: not %fake-cuda FAKE_CUDA_STATUS=3,0,70,64 pit-run %s --target cuda --random normal@10x64 --random bool:0.3@10 --random normal --random ones --output %t/out 2>&1 | FileCheck %s --check-prefix=STATUS
// STATUS: pit-run: error: rule 0 (cuda.mlir:{{.*}}): capacity exceeded: 70 live micro-tiles where at most 64 fit
// RUN: ls %t | count 0

func.func @main(%a: tensor<?x64xf32> {pit.sparse = {
      source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
    %live: tensor<?xi1>, %b: tensor<64x32xf32>, %n: i64) -> (tensor<?x32xf32>, i64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x32xf32>) outs(%z : tensor<?x32xf32>) -> tensor<?x32xf32>
  %two = arith.constant 2 : i64
  %k = arith.muli %n, %two : i64
  return %c, %k : tensor<?x32xf32>, i64
}

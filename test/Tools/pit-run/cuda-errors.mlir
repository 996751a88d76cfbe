// What kernels find wrong with their data is an error on a device as on the CPU, before any output is written.

// RUN: rm -rf %t && mkdir %t
// RUN: %cuda pit-run %S/runtime-errors.mlir --target cuda --random topk-gate:2 --random normal --check --output %t/good
// RUN: not %cuda pit-run %S/runtime-errors.mlir --target cuda --random topk-gate:3 --random normal --output %t/out 2>&1 | FileCheck %s --check-prefix=CAPACITY
// CAPACITY: pit-run: error: rule {{.*}}: capacity exceeded: {{[0-9]+}} live micro-tiles where at most {{[0-9]+}} fit
// RUN: not %cuda pit-run %S/runtime-errors.mlir --target cuda --entry padded --random normal --random lengths:9:9 --random normal --output %t/out 2>&1 | FileCheck %s --check-prefix=LENGTH
// LENGTH: pit-run: error: rule {{.*}}: index out of range: 9 is not in [0, 8]
// RUN: ls %t | FileCheck %s --check-prefix=FILES --implicit-check-not=out
// FILES: good.0.npy

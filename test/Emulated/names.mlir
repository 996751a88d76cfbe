// Functions with names that no kernel may have, on the CPU and as kernels.
// UNSUPPORTED: sanitizer
// RUN: %emulated-cuda pit-run %s --entry=a.b --target=cuda --chip=sm_90a --random=normal --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry="two words" --target=cuda --chip=sm_80 --random=normal --check --quiet | FileCheck %s
// RUN: pit-run %s --entry="two words" --target=cpu --random=normal --check --quiet | FileCheck %s
// CHECK: check: result 0: {{bit-identical|agrees}}
func.func @a.b(%x: tensor<40xf32>) -> tensor<40xf32> {
  %r = arith.addf %x, %x : tensor<40xf32>
  return %r : tensor<40xf32>
}
func.func @"two words"(%x: tensor<40xf32>) -> tensor<40xf32> {
  %r = arith.mulf %x, %x : tensor<40xf32>
  return %r : tensor<40xf32>
}

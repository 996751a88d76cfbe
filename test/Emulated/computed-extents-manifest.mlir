// A host that reads manifests finds the message of a check that does not hold in one of the program's constants.
// REQUIRES: numpy
// UNSUPPORTED: sanitizer
// RUN: rm -rf %t && mkdir -p %t
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a -o %t/program.mlir
// RUN: pit-translate --pit-to-ptx %t/program.mlir -o %t/kernels.ptx
// RUN: pit-translate --pit-to-manifest %t/program.mlir -o %t/manifest.json
// RUN: env LD_LIBRARY_PATH=%pit_lib/emulated-cuda %numpy-python -B %S/Inputs/wrong_manifest.py %pit_src/benchmarks/gpu %t | FileCheck %s
// CHECK: 4 [0. 1. 2. 3.]
// CHECK-NEXT: 5 {{.*}}computed-extents-manifest.mlir:[[#@LINE+10]]:8: 'tensor.cast': dimension 0 of its operand is 5, of its result 4
// CHECK-NEXT: 10 status 4 from rule
// The build without checks has none.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a unchecked-extents" | FileCheck %s --check-prefix=UNCHECKED --implicit-check-not=_messages --implicit-check-not=pit.status
// UNCHECKED: func.func @cast(
func.func @cast(%x: tensor<?xf32>, %extent: tensor<1xi64>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %extent[%c0] : tensor<1xi64>
  %n = arith.index_cast %a : i64 to index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = tensor.cast %s : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}

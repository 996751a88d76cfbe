// What cannot be lowered is one error with a place, and no module is printed.
// RUN: split-file %s %t
// RUN: not pit-opt %t/complex.mlir --pit-to-ptx="chip=sm_90a" 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not pit-opt %t/wide.mlir --pit-to-ptx="chip=sm_90a" 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not pit-opt %t/format.mlir --pit-to-cpu 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not pit-opt %t/format.mlir --pit-to-ptx="chip=sm_90a" 2>&1 | FileCheck %s --check-prefix=FORMAT-KERNEL
// RUN: not pit-opt %t/host.mlir --pit-to-cuda="chip=sm_90a" 2>&1 | FileCheck %s --check-prefix=HOST

// KERNEL: complex.mlir:4:10: error: computes with complex numbers, which have no code for the device
// KERNEL-NOT: error:
// WIDE: wide.mlir:2:8: error: computes with 'f128', which no device computes with
// WIDE-NOT: error:
// FORMAT: format.mlir:4:10: error: 'arith.extf' op of type '(f8E4M3FNUZ) -> f32' has no code for the CPU
// FORMAT-NOT: error:
// FORMAT-NOT: llvm.func
// FORMAT-KERNEL: format.mlir:4:10: error: 'arith.extf' op in a kernel is not in the LLVM or NVVM dialect
// FORMAT-KERNEL-NOT: error:
// HOST: host.mlir:2:8: error: 'arith.truncf' op of type '(f32) -> f8E4M3FNUZ' has no code for the CPU
// HOST-NOT: error:
// HOST-NOT: llvm.func

//--- complex.mlir
func.func @main(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.map ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) (%x: f32, %i: f32) {
    %c = complex.create %x, %x : complex<f32>
    %d = complex.mul %c, %c : complex<f32>
    %p = complex.re %d : complex<f32>
    linalg.yield %p : f32
  }
  return %r : tensor<5xf32>
}

//--- wide.mlir
func.func @main(%a: tensor<?x5xf128>) -> tensor<?x5xf128> {
  %r = arith.addf %a, %a : tensor<?x5xf128>
  return %r : tensor<?x5xf128>
}

//--- format.mlir
func.func @main(%a: tensor<5xf8E4M3FNUZ>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.map ins(%a : tensor<5xf8E4M3FNUZ>) outs(%e : tensor<5xf32>) (%x: f8E4M3FNUZ, %i: f32) {
    %c = arith.extf %x : f8E4M3FNUZ to f32
    linalg.yield %c : f32
  }
  return %r : tensor<5xf32>
}

//--- host.mlir
func.func @main(%s: f32) -> tensor<4xi8> {
  %x = arith.truncf %s : f32 to f8E4M3FNUZ
  %y = arith.bitcast %x : f8E4M3FNUZ to i8
  %e = tensor.empty() : tensor<4xi8>
  %f = linalg.fill ins(%y : i8) outs(%e : tensor<4xi8>) -> tensor<4xi8>
  return %f : tensor<4xi8>
}

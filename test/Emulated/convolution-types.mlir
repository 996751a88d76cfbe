// Convolutions of i8 and of f64 with zeros around, of channels that are padded to what is copied at a time, as products of windows.
// UNSUPPORTED: sanitizer
// RUN: split-file %s %t
// RUN: pit-opt %t/i8.mlir --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=I8
// RUN: pit-opt %t/f64.mlir --pit-to-ptx="chip=sm_80" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=F64
// RUN: %emulated-cuda pit-run %t/i8.mlir --target=cuda --chip=sm_90a --random randint:-128:128 --check | FileCheck %s
// RUN: %emulated-cuda pit-run %t/f64.mlir --target=cuda --chip=sm_80 --random normal --check | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}
// I8: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
// F64: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64

//--- i8.mlir
func.func @main(%x: tensor<2x9x11x24xi8>, %w: tensor<3x3x24x40xi8>) -> tensor<2x9x11x40xi32> {
  %none = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %none : i8
  } : tensor<2x9x11x24xi8> to tensor<2x11x13x24xi8>
  %e = tensor.empty() : tensor<2x9x11x40xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<2x9x11x40xi32>) -> tensor<2x9x11x40xi32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<2x11x13x24xi8>, tensor<3x3x24x40xi8>) outs(%z : tensor<2x9x11x40xi32>) -> tensor<2x9x11x40xi32>
  return %r : tensor<2x9x11x40xi32>
}

//--- f64.mlir
func.func @main(%x: tensor<2x9x11x10xf64>, %w: tensor<3x3x10x20xf64>) -> tensor<2x5x6x20xf64> {
  %zero = arith.constant 0.0 : f64
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f64
  } : tensor<2x9x11x10xf64> to tensor<2x11x13x10xf64>
  %e = tensor.empty() : tensor<2x5x6x20xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<2x5x6x20xf64>) -> tensor<2x5x6x20xf64>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%p, %w : tensor<2x11x13x10xf64>, tensor<3x3x10x20xf64>) outs(%z : tensor<2x5x6x20xf64>) -> tensor<2x5x6x20xf64>
  return %r : tensor<2x5x6x20xf64>
}

// RUN: pit-opt %s -convert-contractions-to-hopper=multiprocessors=1 | FileCheck %s
// RUN: not pit-opt %s -convert-contractions-to-hopper=multiprocessors=-1 2>&1 | FileCheck %s --check-prefix=NONE

// A part of a device may have one multiprocessor, and none has less.
// CHECK: gpu.launch_func
// NONE: multiprocessors must not be negative, not -1
func.func @product(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%c : memref<128x256xf32>)
  return
}

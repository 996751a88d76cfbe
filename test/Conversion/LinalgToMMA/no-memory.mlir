// RUN: pit-opt %s -convert-contractions-to-mma="shared-memory=16383" | FileCheck %s --check-prefix=LESS
// RUN: pit-opt %s -convert-contractions-to-mma="shared-memory=16384" | FileCheck %s

// Two stages are what it takes.
// LESS-NOT: gpu.
// LESS: linalg.matmul
// CHECK: gpu.launch_func
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.mma.sync
func.func @matmul(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%c : memref<128x256xf32>)
  return
}

// RUN: pit-opt %s --convert-contractions-to-mma --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: pit-opt %s --convert-contractions-to-mma | FileCheck %s

// Batches have kernels with wgmma alone.
// REMARK: [Missed] kernel | {{.*}}Function=batches | {{.*}}Reason="dense GEMM: it has an axis of batches, for which there are kernels with wgmma alone"
// CHECK-LABEL: func.func @batches
// CHECK-NOT: gpu.launch_func
func.func @batches(%a: memref<4x128x64xbf16>, %b: memref<4x64x256xbf16>, %c: memref<4x128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x128x256xf32>)
  linalg.batch_matmul ins(%a, %b : memref<4x128x64xbf16>, memref<4x64x256xbf16>) outs(%c : memref<4x128x256xf32>)
  return
}

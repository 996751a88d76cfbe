// A tensor map of a memref, by the pass that calls for it: the box in the driver's order of axes, and enumerators as they
// are passed.
// UNSUPPORTED: sanitizer

// RUN: rm -f %t.trace
// RUN: mlir-opt %s --pass-pipeline="builtin.module(convert-nvgpu-to-nvvm,gpu-to-llvm,reconcile-unrealized-casts)" -o %t.mlir
// RUN: %fake-cuda FAKE_CUDA_TRACE=%t.trace mlir-runner %t.mlir --entry-point-result=void --shared-libs=%pit_lib/libpit_mgpu_runtime.so
// RUN: FileCheck %s --input-file=%t.trace
// CHECK: allocate 25600
// CHECK-NEXT: tensor map type 9 rank 2 extents 128,100 stride 256 box 64,8 modes 0 3 2 1
// CHECK-NEXT: allocate 128
// CHECK-NEXT: copy in 128
func.func @main() {
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %t = gpu.wait async
  %matrix, %t0 = gpu.alloc async [%t] () : memref<100x128xbf16>
  %rows = memref.cast %matrix : memref<100x128xbf16> to memref<*xbf16>
  %map = nvgpu.tma.create.descriptor %rows box[%c8, %c64] : memref<*xbf16>
      -> !nvgpu.tensormap.descriptor<tensor = memref<8x64xbf16, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = nan, interleave = none>
  gpu.wait [%t0]
  return
}

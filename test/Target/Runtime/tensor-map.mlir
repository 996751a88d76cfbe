// Tensor maps are made on the host, and passed by value: the argument points to their 128 bytes.
// RUN: pit-opt %s -split-input-file --convert-launches-to-runtime | FileCheck %s

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xbf16, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>

// CHECK-LABEL: func.func @pit_run(
// CHECK: %[[SIXTEEN:.*]] = llvm.mlir.constant(16 : i64)
// CHECK: %[[MAP:.*]] = llvm.alloca %{{.*}} x i64 {alignment = 64 : i64}
// CHECK: llvm.call @pit_rt_tensor_map(%{{.*}}, %[[MAP]],
// CHECK: llvm.store %[[MAP]], %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: llvm.call @pit_rt_launch
module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a", features = "+ptx80">, kernels = <[
    #gpu.kernel_metadata<"first", !llvm.func<void (ptr, i64)>>]>, assembly = "the code">]
  func.func @run(%a: memref<?x512xbf16>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %n = arith.constant 5 : i64
    %u = memref.cast %a : memref<?x512xbf16> to memref<*xbf16>
    %map = nvgpu.tma.create.descriptor %u box[%c64, %c64] : memref<*xbf16> -> !map
    gpu.launch_func @k::@first clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%map : !map, %n : i64)
    return
  }
}

// -----

// Copies that round f32 to tf32; what one launch signals to another is passed as it is.
!rounded = !nvgpu.tensormap.descriptor<tensor = memref<64x32xf32, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>

// CHECK-LABEL: func.func @pit_rounded(
// CHECK: %[[TF32:.*]] = llvm.mlir.constant(32 : i32)
// CHECK: llvm.call @pit_rt_tensor_map(%{{.*}}, %[[MAP:[^,]*]], %[[TF32]],
// CHECK: llvm.store %[[MAP]], %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: llvm.call @pit_rt_launch
// CHECK-NOT: pit.
module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a", features = "+ptx80">, kernels = <[
    #gpu.kernel_metadata<"first", !llvm.func<void (ptr, ptr)>>]>, assembly = "the code">]
  func.func @rounded(%a: memref<?x512xf32>, %flags: memref<i32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %u = memref.cast %a : memref<?x512xf32> to memref<*xf32>
    %map = pit.rounded_tensor_map %u box[%c64, %c32] to tf32 : memref<*xf32> -> !rounded
    %told = pit.signaled %map : !rounded
    %flag = pit.signaled %flags : memref<i32>
    gpu.launch_func @k::@first blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%told : !rounded, %flag : memref<i32>)
    return
  }
}

// What the host passes to kernels.
// RUN: pit-opt %s | pit-opt | FileCheck %s
// RUN: pit-opt %s --cse --canonicalize | FileCheck %s --check-prefix=ONCE

!map = !nvgpu.tensormap.descriptor<tensor = memref<128x32xf32, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>

// ONCE-LABEL: func.func @launch_ops
// ONCE-COUNT-1: pit.rounded_tensor_map
// ONCE-NOT: pit.rounded_tensor_map
// ONCE: return
func.func @launch_ops(%a: memref<*xf32>, %flags: memref<i32>) -> (!map, !map, !map, memref<i32>) {
  %c128 = arith.constant 128 : index
  %c32 = arith.constant 32 : index
  // CHECK: %[[MAP:.*]] = pit.rounded_tensor_map %{{.*}} box[%{{.*}}, %{{.*}}] to tf32 : memref<*xf32> -> <tensor = memref<128x32xf32, 3>
  %map = pit.rounded_tensor_map %a box[%c128, %c32] to tf32 : memref<*xf32> -> !map
  %again = pit.rounded_tensor_map %a box[%c128, %c32] to tf32 : memref<*xf32> -> !map
  // CHECK: pit.signaled %[[MAP]] : !nvgpu.tensormap.descriptor<
  %told = pit.signaled %map : !map
  // CHECK: pit.signaled %{{.*}} : memref<i32>
  %buffer = pit.signaled %flags : memref<i32>
  return %map, %again, %told, %buffer : !map, !map, !map, memref<i32>
}

!windows = !nvgpu.tensormap.descriptor<tensor = memref<128x64xbf16, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>

// CHECK-LABEL: func.func @windows
func.func @windows(%a: memref<*xbf16>) -> !windows {
  %c128 = arith.constant 128 : index
  %c64 = arith.constant 64 : index
  // CHECK: pit.window_tensor_map %{{.*}} box[%{{.*}}, %{{.*}}] of <size = [3, 3], strides = [1, 1], dilations = [2, 2], low = [2, 2], positions = [56, 56]> : memref<*xbf16> -> <tensor = memref<128x64xbf16, 3>
  %map = pit.window_tensor_map %a box[%c128, %c64] of <size = [3, 3], strides = [1, 1], dilations = [2, 2], low = [2, 2], positions = [56, 56]>
    : memref<*xbf16> -> !windows
  return %map : !windows
}

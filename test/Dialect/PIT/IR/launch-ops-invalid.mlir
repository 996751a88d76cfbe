// RUN: pit-opt %s -split-input-file -verify-diagnostics

!map = !nvgpu.tensormap.descriptor<tensor = memref<128x32xf32, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>
func.func @elements(%a: memref<*xbf16>, %n: index) {
  // expected-error @below {{H1: rounds f32 to tf32, not 'bf16', in tiles of 'f32', to 'tf32'}}
  %0 = pit.rounded_tensor_map %a box[%n, %n] to tf32 : memref<*xbf16> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<128x32xf32, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>
func.func @rounded(%a: memref<*xf32>, %n: index) {
  // expected-error @below {{H1: rounds f32 to tf32, not 'f32', in tiles of 'f32', to 'bf16'}}
  %0 = pit.rounded_tensor_map %a box[%n, %n] to bf16 : memref<*xf32> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<128x32xf32, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>
func.func @box(%a: memref<*xf32>, %n: index) {
  // expected-error @below {{H2: has 1 extents of a box for a tile of 2 axes}}
  %0 = pit.rounded_tensor_map %a box[%n] to tf32 : memref<*xf32> -> !map
  return
}

// -----

func.func @signaled(%a: tensor<4xf32>) {
  // expected-error @below {{'pit.signaled' op operand #0 must be}}
  %0 = pit.signaled %a : tensor<4xf32>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<128x64xbf16, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>
func.func @windows(%a: memref<*xbf16>, %n: index) {
  // expected-error @below {{W1: has 3 extents of a box and a tile of 2 axes; windows have two}}
  %0 = pit.window_tensor_map %a box[%n, %n, %n] of <size = [3], strides = [1], dilations = [1], low = [0], positions = [8]>
    : memref<*xbf16> -> !map
  return
}

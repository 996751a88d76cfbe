// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file | FileCheck %s
// RUN: pit-opt %s -convert-contractions-to-hopper -convert-linalg-to-gpu -split-input-file -o /dev/null

// What the kernels cannot take stays for the generic path.
// CHECK-NOT: gpu.launch_func
// CHECK-NOT: gpu.module

// Sums that start from something else.
func.func @accumulates(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>) {
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%c : memref<128x256xf32>)
  return
}

// -----

// Something else is written between the fill and the product.
// CHECK-LABEL: @overwritten
// CHECK-NOT: gpu.launch_func
func.func @overwritten(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>, %v: f32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  memref.store %v, %c[%c0, %c0] : memref<128x256xf32>
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%c : memref<128x256xf32>)
  return
}

// -----

// CHECK-LABEL: @columns
// CHECK-NOT: gpu.launch_func
func.func @columns(%a: memref<128x64xbf16>, %b: memref<64x252xbf16>, %c: memref<128x252xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x252xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x252xbf16>) outs(%c : memref<128x252xf32>)
  return
}

// -----

// Rows that are not aligned to 16 bytes.
// CHECK-LABEL: @unaligned
// CHECK-NOT: gpu.launch_func
func.func @unaligned(%a: memref<128x60xbf16>, %b: memref<60x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x60xbf16>, memref<60x256xbf16>) outs(%c : memref<128x256xf32>)
  return
}

// -----

// CHECK-LABEL: @dynamic_depth
// CHECK-NOT: gpu.launch_func
func.func @dynamic_depth(%a: memref<128x?xbf16>, %b: memref<?x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x?xbf16>, memref<?x256xbf16>) outs(%c : memref<128x256xf32>)
  return
}

// -----

// CHECK-LABEL: @types
// CHECK-NOT: gpu.launch_func
func.func @types(%a: memref<128x64xf32>, %b: memref<64x256xf32>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x256xf32>) outs(%c : memref<128x256xf32>)
  return
}

// -----

// Inputs that are changed on the way, here by a function of one operand.
// CHECK-LABEL: @negated
// CHECK-NOT: gpu.launch_func
func.func @negated(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%c : memref<128x256xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %xf = arith.extf %x : bf16 to f32
    %xn = arith.negf %xf : f32
    %yf = arith.extf %y : bf16 to f32
    %p = arith.mulf %xn, %yf : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A scalar of the device is needed on both sides: no launch can stand between.
// CHECK-LABEL: @amid
// CHECK-NOT: gpu.launch_func
func.func @amid(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>, %s: memref<1xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %v = memref.load %s[%c0] : memref<1xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%c : memref<128x256xf32>)
  memref.store %v, %c[%c0, %c0] : memref<128x256xf32>
  return
}

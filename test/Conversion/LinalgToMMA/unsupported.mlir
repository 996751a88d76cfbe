// RUN: pit-opt %s -convert-contractions-to-mma -split-input-file | FileCheck %s
// RUN: pit-opt %s -convert-contractions-to-mma -convert-linalg-to-gpu -split-input-file -o /dev/null

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

// CHECK-LABEL: @types
// CHECK-NOT: gpu.launch_func
func.func @types(%a: memref<128x64xf32>, %b: memref<64x256xf32>, %c: memref<128x256xf64>) {
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%c : memref<128x256xf64>)
  linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x256xf32>) outs(%c : memref<128x256xf64>)
  return
}

// -----

// CHECK-LABEL: @integers
// CHECK-NOT: gpu.launch_func
func.func @integers(%a: memref<128x64xi16>, %b: memref<64x256xi16>, %c: memref<128x256xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<128x256xi32>)
  linalg.matmul ins(%a, %b : memref<128x64xi16>, memref<64x256xi16>) outs(%c : memref<128x256xi32>)
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

// -----

// What another place of the sums is needed for is not taken along.
// CHECK-LABEL: @first_column
// CHECK: gpu.launch_func
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @first_column(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<128x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%sum : memref<128x256xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, 0)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sum, %sum : memref<128x256xf32>, memref<128x256xf32>) outs(%c : memref<128x256xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  memref.dealloc %sum : memref<128x256xf32>
  return
}

// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file | FileCheck %s
// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: Function=unaligned_batches | {{.*}}Reason="batched GEMM: B has matrices of batches that are 2052 elements of bf16 apart; the copy engine needs a multiple of 8"
// REMARK: Function=dynamic_columns | {{.*}}Reason="batched GEMM: C has rows that are an unknown number of elements apart
// REMARK: Function=two_axes | {{.*}}Reason="dense GEMM: it has 2 batch axes, on both inputs and the result; kernels take one", {{.*}}Suggestion="collapse axes that lie one behind the other"
// REMARK: Function=vectors | {{.*}}Reason="dense GEMM: it multiplies by a vector: there is no axis of rows, or none of columns"
// REMARK: Function=unknown_strides | {{.*}}Reason="batched GEMM: A has matrices of batches that are an unknown number of elements apart

// CHECK-LABEL: @unaligned_batches
// CHECK-NOT: gpu.launch_func
func.func @unaligned_batches(%a: memref<4x128x32xbf16>, %b: memref<4x32x64xbf16, strided<[2052, 64, 1]>>, %c: memref<4x128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x128x64xf32>)
  linalg.batch_matmul ins(%a, %b : memref<4x128x32xbf16>, memref<4x32x64xbf16, strided<[2052, 64, 1]>>) outs(%c : memref<4x128x64xf32>)
  return
}

// -----

// CHECK-LABEL: @dynamic_columns
// CHECK-NOT: gpu.launch_func
func.func @dynamic_columns(%a: memref<4x128x32xbf16>, %b: memref<4x?x32xbf16>, %c: memref<4x128x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x128x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>,
                                   affine_map<(b, m, n, k) -> (b, m, n)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<4x128x32xbf16>, memref<4x?x32xbf16>) outs(%c : memref<4x128x?xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Two axes of batches that do not lie one behind the other.
// CHECK-LABEL: @two_axes
// CHECK-NOT: gpu.launch_func
func.func @two_axes(%a: memref<2x3x128x32xbf16>, %b: memref<3x2x64x32xbf16>, %c: memref<2x3x128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<2x3x128x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (h, b, n, k)>,
                                   affine_map<(b, h, m, n, k) -> (b, h, m, n)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x3x128x32xbf16>, memref<3x2x64x32xbf16>) outs(%c : memref<2x3x128x64xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// CHECK-LABEL: @vectors
// CHECK-NOT: gpu.launch_func
func.func @vectors(%a: memref<4x128x32xbf16>, %b: memref<4x32xbf16>, %c: memref<4x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x128xf32>)
  linalg.batch_matvec ins(%a, %b : memref<4x128x32xbf16>, memref<4x32xbf16>) outs(%c : memref<4x128xf32>)
  return
}

// -----

// CHECK-LABEL: @unknown_strides
// CHECK-NOT: gpu.launch_func
func.func @unknown_strides(%a: memref<4x128x32xbf16, strided<[?, 32, 1]>>, %b: memref<4x32x64xbf16>, %c: memref<4x128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x128x64xf32>)
  linalg.batch_matmul ins(%a, %b : memref<4x128x32xbf16, strided<[?, 32, 1]>>, memref<4x32x64xbf16>) outs(%c : memref<4x128x64xf32>)
  return
}

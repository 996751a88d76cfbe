// Products of which the call knows k, the columns, or how far rows are apart. A loop for rows that are multiples of 16 bytes stands beside the other one.
// RUN: pit-opt %s -convert-contractions-to-mma -split-input-file | FileCheck %s

// CHECK-LABEL: @depth
// CHECK-SAME:    (%[[A:.*]]: memref<128x?xbf16>
// CHECK-DAG:     %[[K:.*]] = memref.dim %[[A]], %c1
// CHECK-DAG:     %{{.*}}, %{{.*}}, %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[A]]
// CHECK-DAG:     arith.index_cast %[[K]] : index to i32
// CHECK-DAG:     arith.index_cast %[[STRIDES]]#0 : index to i32
// CHECK:         gpu.launch_func @depth_kernels::@depth_contraction_0
// CHECK:         llvm.func @depth_contraction_0
// CHECK:           %[[IS_ALIGNED:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i32
// CHECK:           scf.if %[[IS_ALIGNED]]
// CHECK:             nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16
// CHECK:           } else {
func.func @depth(%a: memref<128x?xbf16>, %b: memref<?x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x?xbf16>, memref<?x256xbf16>) outs(%c : memref<128x256xf32>)
  return
}

// -----

// CHECK-LABEL: @columns
// CHECK-SAME:    %[[C:[^ ]*]]: memref<128x?xf32>
// CHECK:         %[[N:.*]] = memref.dim %[[C]], %c1
// CHECK:         arith.ceildivui %[[N]]
// CHECK:         gpu.launch_func @columns_kernels::@columns_contraction_0
func.func @columns(%a: memref<128x64xf32>, %b: memref<64x?xf32>, %c: memref<128x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x?xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x?xf32>) outs(%c : memref<128x?xf32>)
  return
}

// -----

// CHECK-LABEL: @part
// CHECK:         %[[PART:.*]] = memref.subview
// CHECK:         memref.extract_strided_metadata %[[PART]]
// CHECK:         gpu.launch_func @part_kernels::@part_contraction_0
func.func @part(%whole: memref<128x?xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.subview %whole[0, 0] [128, 64] [1, 1] : memref<128x?xbf16> to memref<128x64xbf16, strided<[?, 1]>>
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16, strided<[?, 1]>>, memref<64x256xbf16>) outs(%c : memref<128x256xf32>)
  return
}

// -----

// Rows may go backwards here.
// CHECK-LABEL: @unknown
// CHECK-NOT:     gpu.launch_func
func.func @unknown(%a: memref<128x64xbf16, strided<[?, 1]>>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16, strided<[?, 1]>>, memref<64x256xbf16>) outs(%c : memref<128x256xf32>)
  return
}

// -----

// How many tiles there are is known where it runs: for few large ones, blocks have small ones.
// CHECK-LABEL: func.func @extents
// CHECK: %[[FEW:.*]] = arith.cmpi ult, %[[LARGE:.*]], %c128
// CHECK: arith.select %[[FEW]], %{{.*}}, %[[LARGE]]
// CHECK: gpu.launch_func
// CHECK: llvm.func @extents_contraction_0
// CHECK: arith.cmpi {{.*}}, %c128_i32
// CHECK: scf.if
// CHECK: } else {
func.func @extents(%a: memref<?x64xbf16>, %b: memref<64x256xbf16>, %c: memref<?x256xf32>) {
  pit.contract dense ins(%a, %b : memref<?x64xbf16>, memref<64x256xbf16>) outs(%c : memref<?x256xf32>)
    {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
     listed = array<i1: false, false, false>}
  return
}

// -----

// A place that only the call knows.
// CHECK-LABEL: func.func @place
// CHECK: memref.extract_strided_metadata
// CHECK: gpu.launch_func
func.func @place(%a: memref<128x64xbf16, strided<[64, 1], offset: ?>>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16, strided<[64, 1], offset: ?>>, memref<64x256xbf16>) outs(%c : memref<128x256xf32>)
  return
}

// RUN: pit-opt %s -convert-detect-to-gpu -canonicalize -cse -split-input-file | FileCheck %s

// One launch, which writes the words into the result, and a zero behind
// them.
!blocks = !pit.index<[4096, 4096], coordinate = 1, tile = [32, 64], width = 32>
// CHECK-LABEL: func.func @values(
// CHECK-SAME: %[[X:.*]]: memref<4096x4096xbf16>, %[[BITS:.*]]: memref<257xi32>, %{{.*}}: memref<4xi64> {pit.status})
// CHECK: %[[POINTER:.*]] = memref.extract_strided_metadata %[[BITS]]
// CHECK: gpu.launch_func @values_kernels::@values_detect_0 {{.*}} args({{.*}}%base_buffer
// CHECK-NOT: gpu.launch_func
// CHECK: llvm.func @values_detect_0(
// CHECK: llvm.load {{.*}} invariant {alignment = 16 : i64, nontemporal} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK-NOT: llvm.func
func.func @values(%x: memref<4096x4096xbf16>, %bits: memref<257xi32>) {
  pit.detect_bits_into values(%x : memref<4096x4096xbf16>) outs(%bits : memref<257xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> : !blocks
  return
}

// -----

// A block mask has one element per micro-tile.
!given = !pit.index<[?, 4096], coordinate = 1, tile = [32, 64], width = 32>
// CHECK-LABEL: func.func @blocks(
// CHECK: gpu.launch_func @blocks_kernels::@blocks_detect_0
// CHECK-NOT: gpu.launch_func
func.func @blocks(%live: memref<?x64xi1>, %m: index, %bits: memref<?xi32>) {
  pit.detect_bits_into by(%live : memref<?x64xi1>) extents(%m) outs(%bits : memref<?xi32>)
    <kind = blocks, axes = [0, 1], tile = [32, 64]> : !given
  return
}

// -----

// Micro-tiles so large that there are 32 words: blocks write bytes of them, and
// nobody counts.
!large = !pit.index<[4096, 4000], coordinate = 1, tile = [128, 128], width = 32>
// CHECK-LABEL: func.func @large(
// CHECK: gpu.launch_func @large_kernels::@large_detect_0 blocks in (%c128, %c1, %c1)
// CHECK: llvm.func @large_detect_0(
// CHECK-NOT: llvm.intr.ctpop
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : i8, !llvm.ptr<1>
func.func @large(%x: memref<4096x4000xbf16>, %bits: memref<32xi32>) {
  pit.detect_bits_into values(%x : memref<4096x4000xbf16>) outs(%bits : memref<32xi32>)
    <kind = values, axes = [0, 1], tile = [128, 128]> : !large
  return
}

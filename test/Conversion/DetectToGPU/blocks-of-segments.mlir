// RUN: pit-opt %s -convert-detect-to-gpu -canonicalize | FileCheck %s

// Where segments lie along two axes, one of them the innermost: as many blocks as there are stretches of that, for each of the other.
!i = !pit.index<[70, 10, 24], coordinate = 0, tile = [1, 1, 1], width = 32>
// CHECK-LABEL: func.func @segments
// CHECK: gpu.launch_func  @segments_kernels::@segments_detect_0 blocks in (%c10, %c1, %c1)
func.func @segments(%x: memref<70x10x24xf32>, %o: memref<241xi64>, %c: memref<16800xi32>) {
  pit.detect_into values(%x : memref<70x10x24xf32>) outs(%o, %c : memref<241xi64>, memref<16800xi32>)
    <kind = values, axes = [0, 1, 2]> : !i
  return
}

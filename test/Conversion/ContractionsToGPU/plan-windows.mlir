// Convolutions through the copy engine, and what threads have to find themselves.
// RUN: pit-opt %s --pit-plan-kernels="chip=sm_90a" | FileCheck %s
// RUN: pit-opt %s --pit-plan-kernels="chip=sm_80" | FileCheck %s --check-prefix=WARPS
// RUN: pit-opt %s --pit-plan-kernels="chip=sm_90a" --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#a = affine_map<(t, m, n, k) -> (m, t, k)>
#b = affine_map<(t, m, n, k) -> (t, k, n)>
#c = affine_map<(t, m, n, k) -> (m, n)>

// CHECK-LABEL: func @usual
// CHECK: plan <family = implicit_gemm, tile =
// WARPS-LABEL: func @usual
// WARPS: plan <family = implicit_gemm, engine = mma_sync
func.func @usual(%a: memref<32x56x56x128xbf16>, %b: memref<9x128x128xbf16>, %c: memref<100352x128xf32>) {
  pit.contract windows ins(%a, %b : memref<32x56x56x128xbf16>, memref<9x128x128xbf16>) outs(%c : memref<100352x128xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>, window = #pit.window<size = [3, 3], strides = [1, 1], dilations = [1, 1], low = [1, 1], positions = [56, 56]>}
  return
}

// CHECK-LABEL: func @single
// CHECK: plan <family = implicit_gemm, engine = simt
// REMARK: Function=single | {{.*}}Reason="convolution: inputs are f32;
func.func @single(%a: memref<32x56x56x128xf32>, %b: memref<9x128x128xf32>, %c: memref<100352x128xf32>) {
  pit.contract windows ins(%a, %b : memref<32x56x56x128xf32>, memref<9x128x128xf32>) outs(%c : memref<100352x128xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>, window = #pit.window<size = [3, 3], strides = [1, 1], dilations = [1, 1], low = [1, 1], positions = [56, 56]>}
  return
}

// CHECK-LABEL: func @columns
// CHECK: plan <family = implicit_gemm, engine = mma_sync
// REMARK: Function=columns | {{.*}}Reason="convolution: B has rows that are 12 elements of bf16 apart
func.func @columns(%a: memref<2x9x16xbf16>, %b: memref<3x16x12xbf16>, %c: memref<14x12xf32>) {
  pit.contract windows ins(%a, %b : memref<2x9x16xbf16>, memref<3x16x12xbf16>) outs(%c : memref<14x12xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>, window = #pit.window<size = [3], strides = [1], dilations = [1], low = [0], positions = [7]>}
  return
}

// CHECK-LABEL: func @far
// CHECK: plan <family = implicit_gemm, engine = mma_sync
// REMARK: Function=far | {{.*}}Reason="convolution: windows are 9 apart; the copy engine takes up to 8"
func.func @far(%a: memref<2x30x16xbf16>, %b: memref<3x16x16xbf16>, %c: memref<8x16xf32>) {
  pit.contract windows ins(%a, %b : memref<2x30x16xbf16>, memref<3x16x16xbf16>) outs(%c : memref<8x16xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>, window = #pit.window<size = [3], strides = [9], dilations = [1], low = [0], positions = [4]>}
  return
}

// CHECK-LABEL: func @large
// CHECK: plan <family = implicit_gemm, engine = mma_sync
// REMARK: Function=large | {{.*}}Reason="convolution: windows of 200 elements, 1 apart, or what is around the input, are larger than the copy engine reads"
func.func @large(%a: memref<1x230x9x16xbf16>, %b: memref<600x16x16xbf16>, %c: memref<217x16xf32>) {
  pit.contract windows ins(%a, %b : memref<1x230x9x16xbf16>, memref<600x16x16xbf16>) outs(%c : memref<217x16xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>, window = #pit.window<size = [200, 3], strides = [1, 1], dilations = [1, 1], low = [0, 0], positions = [31, 7]>}
  return
}

// CHECK-LABEL: func @channels
// CHECK-NOT: plan
// CHECK: return
// REMARK: Function=channels | {{.*}}Reason="convolution: channels of A are not contiguous, or no multiple of 8"
func.func @channels(%a: memref<2x9x12xbf16>, %b: memref<3x12x16xbf16>, %c: memref<14x16xf32>) {
  pit.contract windows ins(%a, %b : memref<2x9x12xbf16>, memref<3x12x16xbf16>) outs(%c : memref<14x16xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>, window = #pit.window<size = [3], strides = [1], dilations = [1], low = [0], positions = [7]>}
  return
}

// Groups and few channels are for kernels whose threads copy: chunks of 16 bytes may be of any place in a window and any group.
// CHECK-LABEL: func @groups(
// CHECK: pit.contract windows {{.*}} plan <family = implicit_gemm, engine = mma_sync, tile = [64, 64, 32]
// REMARK: Function=groups | {{.*}}Reason="convolution: it is grouped: the copy engine would read channels of other groups"
func.func @groups(%a: memref<2x9x128xbf16>, %b: memref<3x64x64xbf16>, %c: memref<14x64xf32>) {
  pit.contract windows ins(%a, %b : memref<2x9x128xbf16>, memref<3x64x64xbf16>) outs(%c : memref<14x64xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>,
     window = #pit.window<size = [3], strides = [1], dilations = [1], low = [0], positions = [7]>}
  return
}

// CHECK-LABEL: func @stem(
// CHECK: pit.contract windows {{.*}} plan <family = implicit_gemm, engine = mma_sync, tile = [128, 64, 32], warp_tile = [64, 32]
// REMARK: Function=stem | {{.*}}Reason="convolution: 8 channels of a place in a window would take steps of 64"
func.func @stem(%a: memref<128x230x8xbf16>, %b: memref<7x8x64xbf16>, %c: memref<28672x64xf32>) {
  pit.contract windows ins(%a, %b : memref<128x230x8xbf16>, memref<7x8x64xbf16>) outs(%c : memref<28672x64xf32>)
    {indexing_maps = [#a, #b, #c], listed = array<i1: false, false, false>,
     window = #pit.window<size = [7], strides = [1], dilations = [1], low = [0], positions = [224]>}
  return
}

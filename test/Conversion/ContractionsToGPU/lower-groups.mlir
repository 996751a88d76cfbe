// RUN: pit-opt %s --pit-lower-contracts | FileCheck %s

// Columns of a group read its own channels.
// CHECK-DAG: #[[$GROUP:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, (d2 floordiv 64) * 32 + d3)>
// CHECK-LABEL: func.func @groups(
// CHECK: linalg.generic {indexing_maps = [#[[$GROUP]],
// CHECK-SAME: memref<56x3x64xbf16>, memref<3x32x128xbf16>
func.func @groups(%a: memref<4x14x64xbf16>, %b: memref<3x32x128xbf16>, %c: memref<56x128xf32>) {
  pit.contract windows ins(%a, %b : memref<4x14x64xbf16>, memref<3x32x128xbf16>) outs(%c : memref<56x128xf32>)
    {indexing_maps = [affine_map<(t, m, n, k) -> (m, t, k)>, affine_map<(t, m, n, k) -> (t, k, n)>, affine_map<(t, m, n, k) -> (m, n)>],
     listed = array<i1: false, false, false>,
     window = #pit.window<size = [3], strides = [1], dilations = [1], low = [1], positions = [14]>}
  return
}

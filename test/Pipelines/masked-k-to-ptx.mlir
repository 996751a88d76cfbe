// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a least-us=0" | pit-translate --pit-to-manifest | FileCheck %s

// A product written dense, where a mask says which k count: one launch finds
// them, and one gathers both operands, multiplies and rounds. Nothing else is
// launched, and no zeros are stored.

// CHECK: "kernel": "main_detect_0"
// CHECK: "kernel": "main_contraction_0"
// CHECK-NOT: "kernel":
func.func @main(
    %a: tensor<456x264xbf16> {pit.sparse = {
      source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
    %live: tensor<456xi1>,
    %b: tensor<456x328xbf16>) -> tensor<264x328xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<264x328xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<264x328xf32>) -> tensor<264x328xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(k,m)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<456x264xbf16>, tensor<456x328xbf16>)
    outs(%init : tensor<264x328xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    } -> tensor<264x328xf32>
  %e2 = tensor.empty() : tensor<264x328xbf16>
  %c = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<264x328xf32>) outs(%e2 : tensor<264x328xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<264x328xbf16>
  return %c : tensor<264x328xbf16>
}

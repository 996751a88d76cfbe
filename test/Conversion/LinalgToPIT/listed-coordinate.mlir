// Which dimension of positions is listed is for products to say. The sum over sequences would read less if sequences were.
// RUN: pit-opt %s --convert-linalg-to-pit | FileCheck %s
// CHECK-LABEL: func.func @gradient
// CHECK: pit.detect {{.*}}<[4, 32], coordinate = 1, tile = [1, 1], width = 32>
#rows = affine_map<(b, t, n, k) -> (b, t, k)>
#weights = affine_map<(b, t, n, k) -> (k, n)>
#columns = affine_map<(b, t, n, k) -> (b, t, n)>
#all = affine_map<(b, t, n) -> (b, t, n)>
func.func @gradient(%a: tensor<4x32x64xbf16>, %b: tensor<4x32x96xbf16>, %lengths: tensor<4xi64>, %wa: tensor<64x32xbf16>, %wb: tensor<96x32xbf16>)
    -> (tensor<4x32x32xbf16>, tensor<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %sa = pit.sparse %a by(%lengths : tensor<4xi64>) <kind = lengths, axes = [0, 1]> : tensor<4x32x64xbf16>
  %sb = pit.sparse %b by(%lengths : tensor<4xi64>) <kind = lengths, axes = [0, 1]> : tensor<4x32x96xbf16>
  %e = tensor.empty() : tensor<4x32x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %pa = linalg.generic {indexing_maps = [#rows, #weights, #columns], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%sa, %wa : tensor<4x32x64xbf16>, tensor<64x32xbf16>) outs(%z : tensor<4x32x32xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %p = arith.mulf %lw, %rw : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x32x32xf32>
  %pb = linalg.generic {indexing_maps = [#rows, #weights, #columns], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%sb, %wb : tensor<4x32x96xbf16>, tensor<96x32xbf16>) outs(%z : tensor<4x32x32xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %p = arith.mulf %lw, %rw : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x32x32xf32>
  %ed = tensor.empty() : tensor<4x32x32xbf16>
  %d = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%pa, %pb : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%ed : tensor<4x32x32xbf16>) {
  ^bb0(%l: f32, %r: f32, %o: bf16):
    %t = arith.addf %l, %r : f32
    %n = arith.truncf %t : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<4x32x32xbf16>
  %ep = tensor.empty() : tensor<32x32xf32>
  %zp = linalg.fill ins(%zero : f32) outs(%ep : tensor<32x32xf32>) -> tensor<32x32xf32>
  %positions = linalg.generic {indexing_maps = [#all, affine_map<(b, t, n) -> (t, n)>], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%d : tensor<4x32x32xbf16>) outs(%zp : tensor<32x32xf32>) {
  ^bb0(%l: bf16, %acc: f32):
    %w = arith.extf %l : bf16 to f32
    %t = arith.addf %acc, %w : f32
    linalg.yield %t : f32
  } -> tensor<32x32xf32>
  return %d, %positions : tensor<4x32x32xbf16>, tensor<32x32xf32>
}

// RUN: pit-opt %s --pit-normalize --split-input-file | FileCheck %s

// Sums are stored in the order of axes in which their only reader has them.
// CHECK-DAG: #[[$STORED:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: func @weights
// CHECK: tensor.empty() : tensor<8x32x48xf32>
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [{{[^]]*}}, #[[$STORED]]]
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]]]{{.*}} ins(%[[SUM]] : tensor<8x32x48xf32>)
func.func @weights(%x: tensor<64x32xbf16>, %g: tensor<64x8x48xbf16>) -> tensor<8x32x48xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x8x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x8x48xf32>) -> tensor<32x8x48xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d, e, f, t) -> (t, d)>, affine_map<(d, e, f, t) -> (t, e, f)>, affine_map<(d, e, f, t) -> (d, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %g : tensor<64x32xbf16>, tensor<64x8x48xbf16>) outs(%z : tensor<32x8x48xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<32x8x48xf32>
  %re = tensor.empty() : tensor<8x32x48xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(e, d, f) -> (d, e, f)>, affine_map<(e, d, f) -> (e, d, f)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<32x8x48xf32>) outs(%re : tensor<8x32x48xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<8x32x48xbf16>
  return %r : tensor<8x32x48xbf16>
}

// -----

// Not where the last axis moves, along which elements are stored together, nor where somebody else reads the sums.
// CHECK-LABEL: func @last_axis
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]{{.*}} outs(%{{.*}} : tensor<64x48xf32>)
// CHECK-LABEL: func @two_readers
// CHECK: linalg.generic {{.*}}"reduction"]{{.*}} outs(%{{.*}} : tensor<4x64x48xf32>)
func.func @last_axis(%x: tensor<64x32xf32>, %y: tensor<32x48xf32>) -> tensor<48x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %s = linalg.matmul ins(%x, %y : tensor<64x32xf32>, tensor<32x48xf32>) outs(%z : tensor<64x48xf32>) -> tensor<64x48xf32>
  %re = tensor.empty() : tensor<48x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<64x48xf32>) outs(%re : tensor<48x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32
  } -> tensor<48x64xf32>
  return %r : tensor<48x64xf32>
}

func.func @two_readers(%x: tensor<4x64x32xf32>, %y: tensor<4x32x48xf32>) -> (tensor<64x4x48xf32>, tensor<4x64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x64x48xf32>) -> tensor<4x64x48xf32>
  %s = linalg.batch_matmul ins(%x, %y : tensor<4x64x32xf32>, tensor<4x32x48xf32>) outs(%z : tensor<4x64x48xf32>) -> tensor<4x64x48xf32>
  %re = tensor.empty() : tensor<64x4x48xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, b, j) -> (b, i, j)>, affine_map<(i, b, j) -> (i, b, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<4x64x48xf32>) outs(%re : tensor<64x4x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32
  } -> tensor<64x4x48xf32>
  return %r, %s : tensor<64x4x48xf32>, tensor<4x64x48xf32>
}

// Scores may skip along queries or along keys, what reduces them along queries. All skip along queries, so that nothing is
// written to a full tensor and gathered again before the end.
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit | FileCheck %s
// RUN: pit-run %s --target=cpu --random=normal --random=prefix:20:60 --check | FileCheck %s --check-prefix=VALUE

// CHECK-LABEL: func.func @self_attention
// CHECK: pit.detect
// CHECK-NOT: pit.swrite
// CHECK-NOT: pit.sread
// CHECK-COUNT-8: pit.generic
// CHECK-NOT: pit.generic
// CHECK: pit.swrite
// CHECK-NOT: pit.swrite
// CHECK: return
// VALUE: bit-identical
#id = affine_map<(b, q, k) -> (b, q, k)>
#q = affine_map<(b, q, k) -> (b, q)>
#k = affine_map<(b, q, k) -> (b, k)>
func.func @self_attention(%x: tensor<2x64x32xf32>, %mask: tensor<2x64xi1>) -> tensor<2x64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %square = tensor.empty() : tensor<2x64x64xf32>
  %from0 = linalg.fill ins(%zero : f32) outs(%square : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %s = linalg.batch_matmul
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%x, %x : tensor<2x64x32xf32>, tensor<2x64x32xf32>) outs(%from0 : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %masked = linalg.generic {indexing_maps = [#id, #k, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<2x64x64xf32>, tensor<2x64xi1>) outs(%square : tensor<2x64x64xf32>) {
  ^bb0(%e: f32, %m: i1, %o: f32):
    %r = arith.select %m, %e, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x64x64xf32>
  %row = tensor.empty() : tensor<2x64xf32>
  %fromLow = linalg.fill ins(%low : f32) outs(%row : tensor<2x64xf32>) -> tensor<2x64xf32>
  %max = linalg.generic {indexing_maps = [#id, #q], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<2x64x64xf32>) outs(%fromLow : tensor<2x64xf32>) {
  ^bb0(%e: f32, %o: f32):
    %r = arith.maximumf %e, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x64xf32>
  %e = linalg.generic {indexing_maps = [#id, #q, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %max : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%square : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x64x64xf32>
  %fromZero = linalg.fill ins(%zero : f32) outs(%row : tensor<2x64xf32>) -> tensor<2x64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #q], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<2x64x64xf32>) outs(%fromZero : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x64xf32>
  %p = linalg.generic {indexing_maps = [#id, #q, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%square : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x64x64xf32>
  %rows = tensor.empty() : tensor<2x64x32xf32>
  %out0 = linalg.fill ins(%zero : f32) outs(%rows : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  %o = linalg.batch_matmul ins(%p, %x : tensor<2x64x64xf32>, tensor<2x64x32xf32>) outs(%out0 : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, q, d) -> (b, q, d)>, affine_map<(b, q, d) -> (b, q)>, affine_map<(b, q, d) -> (b, q, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o, %mask : tensor<2x64x32xf32>, tensor<2x64xi1>) outs(%rows : tensor<2x64x32xf32>) {
  ^bb0(%e1: f32, %m: i1, %old: f32):
    %v = arith.select %m, %e1, %zero : f32
    linalg.yield %v : f32
  } -> tensor<2x64x32xf32>
  return %r : tensor<2x64x32xf32>
}

// Layers of the same extents: each product is rounded as it is stored, into a buffer of its own, so that two launches do all
// of it. (With one buffer for both results, the second product would overwrite what it reads, and be rounded by a third launch.)
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-manifest | FileCheck %s
// CHECK-COUNT-2: "kernel": "main_contraction_{{[0-9]+}}"
// CHECK-NOT: "kernel"
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<512x512xbf16>, %w: tensor<512x512xbf16>, %v: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<512x512xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %s0 = linalg.matmul ins(%x, %w : tensor<512x512xbf16>, tensor<512x512xbf16>) outs(%f0 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %e1 = tensor.empty() : tensor<512x512xbf16>
  %r0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s0 : tensor<512x512xf32>) outs(%e1 : tensor<512x512xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %m = arith.maximumf %a, %zero : f32
    %t = arith.truncf %m : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<512x512xbf16>
  %s1 = linalg.matmul ins(%r0, %v : tensor<512x512xbf16>, tensor<512x512xbf16>) outs(%f0 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %r1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s1 : tensor<512x512xf32>) outs(%e1 : tensor<512x512xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %m = arith.maximumf %a, %zero : f32
    %t = arith.truncf %m : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<512x512xbf16>
  return %r1 : tensor<512x512xbf16>
}

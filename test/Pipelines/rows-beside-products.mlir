// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a | FileCheck %s

// Rows divided by their sum are multiplied by a matrix. The kernel of the product has a tensor map of them, and stands
// behind the one that computes them, though something else is computed from the same sums later.
// CHECK: gpu.launch_func {{ ?}}@mm_kernels::@mm_rows_0
// CHECK: gpu.launch_func {{ ?}}@mm_kernels::@mm_contraction_0
// CHECK: gpu.launch_func {{ ?}}@mm_kernels::@mm_0
#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>
func.func @mm(%x: tensor<512x1024xf32>, %w: tensor<1024x1024xbf16>) -> (tensor<512x1024xbf16>, tensor<512x1024xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %a = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<512x1024xf32>) outs(%f : tensor<512xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  } -> tensor<512xf32>
  %e2 = tensor.empty() : tensor<512x1024xbf16>
  %n = linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %a : tensor<512x1024xf32>, tensor<512xf32>) outs(%e2 : tensor<512x1024xbf16>) {
  ^bb0(%l: f32, %m: f32, %o: bf16):
    %d = arith.divf %l, %m : f32
    %t = arith.truncf %d : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<512x1024xbf16>
  %e3 = tensor.empty() : tensor<512x1024xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %p = linalg.matmul ins(%n, %w : tensor<512x1024xbf16>, tensor<1024x1024xbf16>) outs(%f3 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %e4 = tensor.empty() : tensor<512x1024xbf16>
  %pb = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<512x1024xf32>) outs(%e4 : tensor<512x1024xbf16>) {
  ^bb0(%l: f32, %o: bf16):
    %t = arith.truncf %l : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<512x1024xbf16>
  %e5 = tensor.empty() : tensor<512x1024xbf16>
  %q = linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %a : tensor<512x1024xf32>, tensor<512xf32>) outs(%e5 : tensor<512x1024xbf16>) {
  ^bb0(%l: f32, %m: f32, %o: bf16):
    %d = arith.mulf %l, %m : f32
    %t = arith.truncf %d : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<512x1024xbf16>
  return %pb, %q : tensor<512x1024xbf16>, tensor<512x1024xbf16>
}

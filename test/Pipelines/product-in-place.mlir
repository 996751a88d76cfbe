// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a | FileCheck %s

// The rounded sums are added to what may be the product's own A: tiles must not be written where others are still read,
// so the product reads a copy.
#row = affine_map<(r, j) -> (r, j)>

// CHECK: %[[C:.*]] = memref.alloc()
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK: %[[ROWS:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK: %[[CAST:.*]] = memref.cast %[[ROWS]]
// CHECK: %[[MAP:.*]] = nvgpu.tma.create.descriptor %[[CAST]]
// CHECK: %[[PC:.*]] = memref.reinterpret_cast %[[C]] to offset: [0], sizes: []
// CHECK: gpu.launch_func {{ ?}}@in_place_kernels::@in_place_contraction_0 {{.*}} args(%[[MAP]] : {{.*}}%[[PC]] : memref<bf16
// CHECK-NOT: gpu.launch_func
// CHECK: return %[[C]]
func.func @in_place(%x: tensor<1024x1024xbf16>, %q: tensor<1024x1024xbf16>, %w: tensor<1024x1024xbf16>, %c: i1) -> tensor<1024x1024xbf16> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1024x1024xbf16>
  %p2 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1024x1024xbf16>) outs(%e0 : tensor<1024x1024xbf16>) {
  ^bb0(%l: bf16, %oo: bf16):
    %t = arith.mulf %l, %l : bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  %sel = arith.select %c, %p2, %q : tensor<1024x1024xbf16>
  %e = tensor.empty() : tensor<1024x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %p = linalg.matmul ins(%sel, %w : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) outs(%f : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %y = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1024x1024xf32>) outs(%p2 : tensor<1024x1024xbf16>) {
  ^bb0(%l: f32, %oo: bf16):
    %t = arith.truncf %l : f32 to bf16
    %u = arith.addf %t, %oo : bf16
    linalg.yield %u : bf16
  } -> tensor<1024x1024xbf16>
  return %y : tensor<1024x1024xbf16>
}

// Truth values are operands behind a product along listed rows: a mask that its result is multiplied with. Without, a loop over
// listed tiles would compute it, a thread for each element.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a least-us=0" --remarks-filter-passed=.* -o %t 2>&1 | FileCheck %s
// CHECK: in the epilogue of the product
// CHECK: Family="GEMM of listed rows", Instructions=wgmma
// CHECK-NOT: loop over listed tiles

func.func @main(%a: tensor<256x128xbf16>, %b: tensor<128x64xbf16>, %live: tensor<256xi1>) -> tensor<256x64xbf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<256x64xf32>) -> tensor<256x64xf32>
  %p = linalg.matmul ins(%a, %b : tensor<256x128xbf16>, tensor<128x64xbf16>) outs(%f : tensor<256x64xf32>) -> tensor<256x64xf32>
  %o = tensor.empty() : tensor<256x64xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %live : tensor<256x64xf32>, tensor<256xi1>) outs(%o : tensor<256x64xbf16>) {
  ^bb0(%x: f32, %l: i1, %out: bf16):
    %r = arith.truncf %x : f32 to bf16
    %w = arith.uitofp %l : i1 to bf16
    %m = arith.mulf %r, %w : bf16
    linalg.yield %m : bf16
  } -> tensor<256x64xbf16>
  return %y : tensor<256x64xbf16>
}

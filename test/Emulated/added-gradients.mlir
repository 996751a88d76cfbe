// A gradient of weights that is added to the one of batches before: the sum of live rows starts from zeros, and what was there is added behind it. In f32,
// whose products have no kernel of listed rows, the dense kernel adds it.
// REQUIRES: numpy
// UNSUPPORTED: sanitizer
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a least-us=0" --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: %emulated-cuda %pit-python %t %numpy-python %S/compared.py %s --entry main --options least-us=0 --prefix 3 --error 1e-2 | FileCheck %s
// RUN: %emulated-cuda %pit-python %t %numpy-python %S/compared.py %s --entry single --options least-us=0 --prefix 3 --error 1e-5 | FileCheck %s
// KERNELS-NOT: + kernels   loop over
// KERNELS: kernels   grouped GEMM of ragged k
// KERNELS-NOT: + kernels   loop over
// KERNELS: kernels   dense GEMM
// KERNELS-NOT: + kernels   loop over
// CHECK: as dense

#x = affine_map<(b, s, k, n) -> (b, s, k)>
#y = affine_map<(b, s, k, n) -> (b, s, n)>
#w = affine_map<(b, s, k, n) -> (k, n)>
#a = affine_map<(s, k, n) -> (s, k)>
#b = affine_map<(s, k, n) -> (s, n)>
#c = affine_map<(s, k, n) -> (k, n)>

func.func @main(%x: tensor<4x512x96xbf16>, %dy: tensor<4x512x136xbf16>, %before: tensor<96x136xf32>, %live: tensor<4x512xi1>) -> tensor<96x136xf32> {
  %d = pit.sparse %dy by(%live : tensor<4x512xi1>) <kind = mask, axes = [0, 1]> : tensor<4x512x136xbf16>
  %s = linalg.generic {indexing_maps = [#x, #y, #w], iterator_types = ["reduction", "reduction", "parallel", "parallel"]}
      ins(%x, %d : tensor<4x512x96xbf16>, tensor<4x512x136xbf16>) outs(%before : tensor<96x136xf32>) {
  ^bb0(%l: bf16, %r: bf16, %o: f32):
    %l0 = arith.extf %l : bf16 to f32
    %r0 = arith.extf %r : bf16 to f32
    %p = arith.mulf %l0, %r0 : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<96x136xf32>
  return %s : tensor<96x136xf32>
}

func.func @single(%x: tensor<512x96xf32>, %dy: tensor<512x136xf32>, %before: tensor<96x136xf32>, %live: tensor<512xi1>) -> tensor<96x136xf32> {
  %d = pit.sparse %dy by(%live : tensor<512xi1>) <kind = mask, axes = [0]> : tensor<512x136xf32>
  %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%x, %d : tensor<512x96xf32>, tensor<512x136xf32>) outs(%before : tensor<96x136xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<96x136xf32>
  return %s : tensor<96x136xf32>
}

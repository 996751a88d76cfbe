// Gradients of a linear layer of padded sequences: by its input, along live rows, by its weights and its bias, as sums of live rows in parts of
// their list, and by a factor of each column, whose terms are products.
// REQUIRES: numpy
// UNSUPPORTED: sanitizer
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a least-us=0" --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: %emulated-cuda %pit-python %t %numpy-python %S/compared.py %s --options least-us=0 --prefix 3 --error 1e-2 | FileCheck %s
// RUN: %emulated-cuda EMULATED_CUDA_BLOCKS=last EMULATED_CUDA_TIMING=early %pit-python %t %numpy-python %S/compared.py %s --options least-us=0 --prefix 3 --error 1e-2 | FileCheck %s
// One sequence, whose axis is no loop.
// RUN: sed s/4x512/1x512/g %s > %t.one.mlir
// RUN: pit-opt %t.one.mlir --pit-to-ptx="chip=sm_90a least-us=0" --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %emulated-cuda %pit-python %t %numpy-python %S/compared.py %t.one.mlir --options least-us=0 --prefix 3 --error 1e-2 | FileCheck %s
// ONE-COUNT-2: kernels   sums of listed rows
// ONE-NOT: loop over listed tiles
// KERNELS-DAG: kernels   grouped GEMM of ragged k
// KERNELS-DAG: kernels   sums of listed rows
// CHECK-COUNT-4: as dense

#dx = affine_map<(b, s, k, n) -> (b, s, k)>
#dy = affine_map<(b, s, k, n) -> (b, s, n)>
#w = affine_map<(b, s, k, n) -> (k, n)>
#row = affine_map<(b, s, n) -> (b, s)>
#id = affine_map<(b, s, n) -> (b, s, n)>
#column = affine_map<(b, s, n) -> (n)>
#two = affine_map<(k, n) -> (k, n)>
#one = affine_map<(n) -> (n)>

func.func @main(%x: tensor<4x512x96xbf16>, %w: tensor<96x136xbf16>, %dy: tensor<4x512x136xbf16>, %live: tensor<4x512xi1>)
    -> (tensor<4x512x96xbf16>, tensor<96x136xbf16>, tensor<136xbf16>, tensor<136xf32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  // The loss does not read what is padding.
  %e0 = tensor.empty() : tensor<4x512x136xbf16>
  %d = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%live, %dy : tensor<4x512xi1>, tensor<4x512x136xbf16>) outs(%e0 : tensor<4x512x136xbf16>) {
  ^bb0(%l: i1, %v: bf16, %o: bf16):
    %r = arith.select %l, %v, %none : bf16
    linalg.yield %r : bf16
  } -> tensor<4x512x136xbf16>

  %e1 = tensor.empty() : tensor<4x512x96xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x512x96xf32>) -> tensor<4x512x96xf32>
  %s1 = linalg.generic {indexing_maps = [#dy, #w, #dx], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%d, %w : tensor<4x512x136xbf16>, tensor<96x136xbf16>) outs(%z1 : tensor<4x512x96xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %a0 = arith.extf %a : bf16 to f32
    %b0 = arith.extf %b : bf16 to f32
    %p = arith.mulf %a0, %b0 : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x512x96xf32>
  %e2 = tensor.empty() : tensor<4x512x96xbf16>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s1 : tensor<4x512x96xf32>) outs(%e2 : tensor<4x512x96xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x512x96xbf16>

  %e3 = tensor.empty() : tensor<96x136xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<96x136xf32>) -> tensor<96x136xf32>
  %s3 = linalg.generic {indexing_maps = [#dx, #dy, #w], iterator_types = ["reduction", "reduction", "parallel", "parallel"]}
      ins(%x, %d : tensor<4x512x96xbf16>, tensor<4x512x136xbf16>) outs(%z3 : tensor<96x136xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %a0 = arith.extf %a : bf16 to f32
    %b0 = arith.extf %b : bf16 to f32
    %p = arith.mulf %a0, %b0 : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<96x136xf32>
  %e4 = tensor.empty() : tensor<96x136xbf16>
  %dw = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
      ins(%s3 : tensor<96x136xf32>) outs(%e4 : tensor<96x136xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<96x136xbf16>

  %e5 = tensor.empty() : tensor<136xf32>
  %z5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<136xf32>) -> tensor<136xf32>
  %s5 = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%d : tensor<4x512x136xbf16>) outs(%z5 : tensor<136xf32>) {
  ^bb0(%v: bf16, %o: f32):
    %v0 = arith.extf %v : bf16 to f32
    %r = arith.addf %v0, %o : f32
    linalg.yield %r : f32
  } -> tensor<136xf32>
  %e6 = tensor.empty() : tensor<136xbf16>
  %db = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%s5 : tensor<136xf32>) outs(%e6 : tensor<136xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<136xbf16>

  %z7 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<136xf32>) -> tensor<136xf32>
  %dg = linalg.generic {indexing_maps = [#id, #id, #column], iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%d, %dy : tensor<4x512x136xbf16>, tensor<4x512x136xbf16>) outs(%z7 : tensor<136xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %a0 = arith.extf %a : bf16 to f32
    %b0 = arith.extf %b : bf16 to f32
    %p = arith.mulf %a0, %b0 : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<136xf32>
  return %dx, %dw, %db, %dg : tensor<4x512x96xbf16>, tensor<96x136xbf16>, tensor<136xbf16>, tensor<136xf32>
}

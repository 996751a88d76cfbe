// A training step of y = relu(x) w, whose ReLU is marked: the gradient by x is wanted where values live, is computed as
// a whole, and is read in blocks by a product, beside the one for the weight. No kernel skips micro-tiles of 32 along
// the sum of the latter, so that it is dense for these; selection takes 64 x 64 instead.
// RUN: pit-opt %s --pit-select-micro-tiles=chip=sm_90a --remarks-filter=pit-selection -o /dev/null 2>&1 | FileCheck %s --check-prefix=SELECT
// SELECT: products read it as rows and as k, as forward and gradients do; chosen: 64x64
// RUN: pit-opt %s --pit-select-micro-tiles=chip=sm_80 -o - | FileCheck %s --check-prefix=OTHER
// OTHER: pit.sparse {{.*}}tile = [32, 64]
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a least-us=0" --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS-NOT: loop over listed tiles
// KERNELS-COUNT-3: Family="SpMM of live blocks"
// KERNELS-NOT: loop over listed tiles
// RUN: pit-opt %s --convert-linalg-to-pit="kernels list-kernels" --remarks-filter=pit-rules -o /dev/null 2>&1 | FileCheck %s --check-prefix=DENSE
// DENSE: a GPU has no kernel that skips micro-tiles of these extents in such a product; blocks of 64 x 64 are skipped in all

#id = affine_map<(i, j) -> (i, j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<256x512xbf16>, %w: tensor<512x128xbf16>, %dy: tensor<256x128xbf16>, %v: tensor<512x192xbf16>) -> (tensor<256x128xbf16>, tensor<512x128xbf16>, tensor<256x192xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %0 = tensor.empty() : tensor<256x512xbf16>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<256x512xbf16>) outs(%0 : tensor<256x512xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %r = arith.maximumf %a, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<256x512xbf16>
  %h = pit.sparse %1 <kind = values, axes = [0, 1], tile = [32, 64]> : tensor<256x512xbf16>
  %2 = tensor.empty() : tensor<256x128xbf16>
  %3 = linalg.fill ins(%zero : bf16) outs(%2 : tensor<256x128xbf16>) -> tensor<256x128xbf16>
  %y = linalg.matmul ins(%h, %w : tensor<256x512xbf16>, tensor<512x128xbf16>) outs(%3 : tensor<256x128xbf16>) -> tensor<256x128xbf16>
  %4 = tensor.empty() : tensor<512x128xbf16>
  %5 = linalg.fill ins(%zero : bf16) outs(%4 : tensor<512x128xbf16>) -> tensor<512x128xbf16>
  %dw = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%h, %dy : tensor<256x512xbf16>, tensor<256x128xbf16>) outs(%5 : tensor<512x128xbf16>) -> tensor<512x128xbf16>
  %6 = linalg.fill ins(%zero : bf16) outs(%0 : tensor<256x512xbf16>) -> tensor<256x512xbf16>
  %7 = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%dy, %w : tensor<256x128xbf16>, tensor<512x128xbf16>) outs(%6 : tensor<256x512xbf16>) -> tensor<256x512xbf16>
  %dh = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%h, %7 : tensor<256x512xbf16>, tensor<256x512xbf16>) outs(%0 : tensor<256x512xbf16>) {
  ^bb0(%a: bf16, %g: bf16, %o: bf16):
    %live = arith.cmpf une, %a, %zero : bf16
    %r = arith.select %live, %g, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<256x512xbf16>
  %8 = tensor.empty() : tensor<256x192xbf16>
  %9 = linalg.fill ins(%zero : bf16) outs(%8 : tensor<256x192xbf16>) -> tensor<256x192xbf16>
  %dx = linalg.matmul ins(%dh, %v : tensor<256x512xbf16>, tensor<512x192xbf16>) outs(%9 : tensor<256x192xbf16>) -> tensor<256x192xbf16>
  return %y, %dw, %dx : tensor<256x128xbf16>, tensor<512x128xbf16>, tensor<256x192xbf16>
}

// Masks of weights for GPUs: kept by blocks of 64 x 64, which one reduction finds for all products.
// DEFINE: %{select} = pit-opt %s --pit-infer-marks=blocks=true --pit-normalize --pit-select-marks="rows=true blocks=true"
// RUN: %{select} | FileCheck %s
// RUN: %{select} --remarks-filter=pit-rules -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-COUNT-2: found: the program itself says what is zero here
// REMARK-DAG: Function=uneven{{.*}}GPUs skip blocks of 64 x 64{{.*}}not kept
// REMARK-DAG: Function=wide{{.*}}GPUs skip blocks of 64 x 64{{.*}}not kept

#id = affine_map<(i, j) -> (i, j)>

// An element for each weight: forward, and the gradient of the weight, which nobody reads where the mask is false.
// CHECK-LABEL: func.func @elements
// CHECK-SAME: %[[MASK:[a-z0-9]+]]: tensor<128x192xi1>)
// CHECK: tensor.expand_shape %[[MASK]] {{\[\[}}0, 1], [2, 3]] output_shape [2, 64, 3, 64]
// CHECK: %[[LIVE:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel", "reduction"]} ins(%{{.*}} : tensor<2x64x3x64xi1>)
// CHECK: pit.sparse %[[MASK]] by(%[[LIVE]] : tensor<2x3xi1>) <kind = blocks, axes = [0, 1], tile = [64, 64]>
func.func @elements(%x: tensor<256x192xbf16>, %w: tensor<128x192xbf16>, %dy: tensor<256x128xbf16>, %mask: tensor<128x192xi1>)
    -> (tensor<256x128xbf16>, tensor<128x192xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : bf16
  %ew = tensor.empty() : tensor<128x192xbf16>
  %masked = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %w : tensor<128x192xi1>, tensor<128x192xbf16>) outs(%ew : tensor<128x192xbf16>) {
  ^bb0(%m: i1, %a: bf16, %o: bf16):
    %r = arith.select %m, %a, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<128x192xbf16>
  %ey = tensor.empty() : tensor<256x128xbf16>
  %fy = linalg.fill ins(%none : bf16) outs(%ey : tensor<256x128xbf16>) -> tensor<256x128xbf16>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %masked : tensor<256x192xbf16>, tensor<128x192xbf16>) outs(%fy : tensor<256x128xbf16>) -> tensor<256x128xbf16>
  %ed = tensor.empty() : tensor<128x192xbf16>
  %fd = linalg.fill ins(%none : bf16) outs(%ed : tensor<128x192xbf16>) -> tensor<128x192xbf16>
  %dw = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%dy, %x : tensor<256x128xbf16>, tensor<256x192xbf16>) outs(%fd : tensor<128x192xbf16>) -> tensor<128x192xbf16>
  %kept = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %dw : tensor<128x192xi1>, tensor<128x192xbf16>) outs(%ed : tensor<128x192xbf16>) {
  ^bb0(%m: i1, %a: bf16, %o: bf16):
    %r = arith.select %m, %a, %none : bf16
    linalg.yield %r : bf16
  } -> tensor<128x192xbf16>
  return %y, %kept : tensor<256x128xbf16>, tensor<128x192xbf16>
}

// Blocks whose sum of magnitudes is above a threshold: what the mask repeats follows from data.
// CHECK-LABEL: func.func @magnitudes
// CHECK: %[[MASK:.*]] = tensor.collapse_shape {{.*}} : tensor<4x32x3x64xi1> into tensor<128x192xi1>
// CHECK: pit.sparse %[[MASK]] by(%{{.*}} : tensor<2x3xi1>) <kind = blocks, axes = [0, 1], tile = [64, 64]>
func.func @magnitudes(%x: tensor<256x192xbf16>, %w: tensor<128x192xbf16>, %sums: tensor<4x3xf32>, %most: tensor<f32>) -> tensor<256x128xbf16> {
  %zero = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : bf16
  %em = tensor.empty() : tensor<4x32x3x64xi1>
  %alive = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, c)>, affine_map<(a, b, c, d) -> ()>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sums, %most : tensor<4x3xf32>, tensor<f32>) outs(%em : tensor<4x32x3x64xi1>) {
  ^bb0(%s: f32, %t: f32, %o: i1):
    %r = arith.cmpf ogt, %s, %t : f32
    linalg.yield %r : i1
  } -> tensor<4x32x3x64xi1>
  %mask = tensor.collapse_shape %alive [[0, 1], [2, 3]] : tensor<4x32x3x64xi1> into tensor<128x192xi1>
  %ew = tensor.empty() : tensor<128x192xbf16>
  %masked = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %w : tensor<128x192xi1>, tensor<128x192xbf16>) outs(%ew : tensor<128x192xbf16>) {
  ^bb0(%m: i1, %a: bf16, %o: bf16):
    %r = arith.select %m, %a, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<128x192xbf16>
  %ey = tensor.empty() : tensor<256x128xbf16>
  %fy = linalg.fill ins(%none : bf16) outs(%ey : tensor<256x128xbf16>) -> tensor<256x128xbf16>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %masked : tensor<256x192xbf16>, tensor<128x192xbf16>) outs(%fy : tensor<256x128xbf16>) -> tensor<256x128xbf16>
  return %y : tensor<256x128xbf16>
}

// Rows of which no whole number is in a block have no such kernel.
// CHECK-LABEL: func.func @uneven
// CHECK-NOT: pit.sparse
func.func @uneven(%x: tensor<256x192xbf16>, %w: tensor<100x192xbf16>, %mask: tensor<100x192xi1>) -> tensor<256x100xbf16> {
  %zero = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : bf16
  %ew = tensor.empty() : tensor<100x192xbf16>
  %masked = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %w : tensor<100x192xi1>, tensor<100x192xbf16>) outs(%ew : tensor<100x192xbf16>) {
  ^bb0(%m: i1, %a: bf16, %o: bf16):
    %r = arith.select %m, %a, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<100x192xbf16>
  %ey = tensor.empty() : tensor<256x100xbf16>
  %fy = linalg.fill ins(%none : bf16) outs(%ey : tensor<256x100xbf16>) -> tensor<256x100xbf16>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %masked : tensor<256x192xbf16>, tensor<100x192xbf16>) outs(%fy : tensor<256x100xbf16>) -> tensor<256x100xbf16>
  return %y : tensor<256x100xbf16>
}

// So are products whose sums stay f32.
// CHECK-LABEL: func.func @wide
// CHECK-NOT: pit.sparse
func.func @wide(%x: tensor<256x192xbf16>, %w: tensor<128x192xbf16>, %mask: tensor<128x192xi1>) -> tensor<256x128xf32> {
  %zero = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<128x192xbf16>
  %masked = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %w : tensor<128x192xi1>, tensor<128x192xbf16>) outs(%ew : tensor<128x192xbf16>) {
  ^bb0(%m: i1, %a: bf16, %o: bf16):
    %r = arith.select %m, %a, %zero : bf16
    linalg.yield %r : bf16
  } -> tensor<128x192xbf16>
  %ey = tensor.empty() : tensor<256x128xf32>
  %fy = linalg.fill ins(%none : f32) outs(%ey : tensor<256x128xf32>) -> tensor<256x128xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %masked : tensor<256x192xbf16>, tensor<128x192xbf16>) outs(%fy : tensor<256x128xf32>) -> tensor<256x128xf32>
  return %y : tensor<256x128xf32>
}

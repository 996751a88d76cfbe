// A written mark of blocks on weights: for GPUs, the op in front of the products that read them whole stays dense. On CPUs, it is computed in packed blocks.
// DEFINE: %{convert} = pit-opt %s --pit-materialize-marks --pit-normalize
// RUN: %{convert} --convert-linalg-to-pit="kernels=true list-kernels=true" | FileCheck %s
// RUN: %{convert} --convert-linalg-to-pit | FileCheck %s --check-prefix=CPU

// CHECK-LABEL: func.func @main
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: pit.generic {{.*}}packed = array<i1: false, false, false>
// CHECK-NOT: pit.generic
// CPU-LABEL: func.func @main
// CPU: pit.generic {{.*}}packed = array<i1: false, true>
// CPU: pit.generic {{.*}}packed = array<i1: false, true, false>
func.func @main(%x: tensor<256x192xbf16>, %w: tensor<128x192xbf16>, %live: tensor<2x3xi1>) -> tensor<256x128xf32> {
  %two = arith.constant 2.0 : bf16
  %none = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<128x192xbf16>
  %scaled = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<128x192xbf16>) outs(%ew : tensor<128x192xbf16>) attrs = {pit.sparse = {source = "blocks", from = 2 : i64,
        axes = array<i64: 0, 1>, granularity = array<i64: 64, 64>}} {
  ^bb0(%a: bf16, %o: bf16):
    %r = arith.mulf %a, %two : bf16
    linalg.yield %r : bf16
  } -> tensor<128x192xbf16>
  %ey = tensor.empty() : tensor<256x128xf32>
  %fy = linalg.fill ins(%none : f32) outs(%ey : tensor<256x128xf32>) -> tensor<256x128xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %scaled : tensor<256x192xbf16>, tensor<128x192xbf16>) outs(%fy : tensor<256x128xf32>) -> tensor<256x128xf32>
  return %y : tensor<256x128xf32>
}

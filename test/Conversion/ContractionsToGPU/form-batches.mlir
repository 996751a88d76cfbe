// A product for each batch, and elementwise work on all of them, are one op where the chip has kernels of them.
// RUN: pit-opt %s --pit-form-kernels="chip=sm_90a" -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-form-kernels="chip=sm_80" -split-input-file | FileCheck %s --check-prefix=WARPS

#id = affine_map<(b, m, n) -> (b, m, n)>
#batch = affine_map<(b, m, n) -> (b)>
#bias = affine_map<(b, m, n) -> (b, n)>

// CHECK-DAG: #[[$BMK:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[$BKN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[$B:.*]] = affine_map<(d0, d1, d2, d3) -> (d0)>
// CHECK-DAG: #[[$BN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
// CHECK-DAG: #[[$BMN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func @batches(
// CHECK-SAME: %[[X:.*]]: tensor<4x?x256xbf16>, %[[W:.*]]: tensor<4x256x128xbf16>, %[[S:.*]]: tensor<4xf32>, %[[BIAS:.*]]: tensor<4x128xbf16>)
// CHECK: pit.contract batches ins(%[[X]], %[[W]] : {{.*}}) with(%[[S]], %[[BIAS]] : {{.*}}) outs({{.*}} : tensor<4x?x128xbf16>) {indexing_maps = [#[[$BMK]], #[[$BKN]], #[[$B]], #[[$BN]], #[[$BMN]]]
// CHECK-SAME: epilogue {
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: linalg
// CHECK: return
// WARPS-LABEL: func @batches(
// WARPS-NOT: pit.contract
func.func @batches(%x: tensor<4x?x256xbf16>, %w: tensor<4x256x128xbf16>, %scale: tensor<4xf32>, %bias: tensor<4x128xbf16>) -> tensor<4x?x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c1 : tensor<4x?x256xbf16>
  %0 = tensor.empty(%m) : tensor<4x?x128xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x?x128xf32>) -> tensor<4x?x128xf32>
  %2 = linalg.batch_matmul ins(%x, %w : tensor<4x?x256xbf16>, tensor<4x256x128xbf16>) outs(%1 : tensor<4x?x128xf32>) -> tensor<4x?x128xf32>
  %3 = tensor.empty(%m) : tensor<4x?x128xbf16>
  %4 = linalg.generic {indexing_maps = [#id, #batch, #bias, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%2, %scale, %bias : tensor<4x?x128xf32>, tensor<4xf32>, tensor<4x128xbf16>) outs(%3 : tensor<4x?x128xbf16>) {
  ^bb0(%s: f32, %f: f32, %c: bf16, %o: bf16):
    %5 = arith.mulf %s, %f : f32
    %6 = arith.extf %c : bf16 to f32
    %7 = arith.addf %5, %6 : f32
    %8 = arith.truncf %7 : f32 to bf16
    linalg.yield %8 : bf16
  } -> tensor<4x?x128xbf16>
  return %4 : tensor<4x?x128xbf16>
}

// -----

// What lies between each other, as heads do: maps say where. All batches read one A.
// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// CHECK-DAG: #[[$NBK:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
// CHECK-DAG: #[[$BMN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func @shared(
// CHECK: pit.contract batches ins({{.*}} : tensor<64x256xf16>, tensor<128x4x256xf16>) outs({{.*}} : tensor<4x64x128xf32>) {indexing_maps = [#[[$MK]], #[[$NBK]], #[[$BMN]]]
// CHECK-NOT: linalg
// CHECK: return
func.func @shared(%x: tensor<64x256xf16>, %w: tensor<128x4x256xf16>) -> tensor<4x64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x64x128xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (n, b, k)>,
                                        affine_map<(b, m, n, k) -> (b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x256xf16>, tensor<128x4x256xf16>) outs(%1 : tensor<4x64x128xf32>) {
  ^bb0(%a: f16, %b: f16, %s: f32):
    %af = arith.extf %a : f16 to f32
    %bf = arith.extf %b : f16 to f32
    %p = arith.mulf %af, %bf : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x64x128xf32>
  return %2 : tensor<4x64x128xf32>
}

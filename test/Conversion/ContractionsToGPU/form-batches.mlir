// A product for each batch, and elementwise work on all of them, are one op.
// RUN: pit-opt %s --pit-form-kernels="chip=sm_90a" -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-form-kernels="chip=sm_80" -split-input-file | FileCheck %s

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

// -----

#id = affine_map<(b, h, m, n) -> (b, h, m, n)>
#scale = affine_map<(b, h, m, n) -> (b, h)>

// Several axes of batches become one, of the product and of what is elementwise behind it, whose extents are those of the inputs.
// CHECK-LABEL: func @heads(
// CHECK-SAME: %[[X:.*]]: tensor<?x3x?x64xbf16>, %[[Y:.*]]: tensor<?x3x64x128xbf16>, %[[S:.*]]: tensor<?x3xf32>)
// CHECK-DAG: %[[X3:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2], [3]] : tensor<?x3x?x64xbf16> into tensor<?x?x64xbf16>
// CHECK-DAG: %[[Y3:.*]] = tensor.collapse_shape %[[Y]] {{\[}}[0, 1], [2], [3]] : tensor<?x3x64x128xbf16> into tensor<?x64x128xbf16>
// CHECK-DAG: %[[S1:.*]] = tensor.collapse_shape %[[S]] {{\[}}[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
// CHECK: %[[R:.*]] = pit.contract batches ins(%[[X3]], %[[Y3]] : {{.*}}) with(%[[S1]] : tensor<?xf32>) outs({{.*}} : tensor<?x?x128xbf16>)
// CHECK-NOT: linalg
// CHECK: %[[R4:.*]] = tensor.expand_shape %[[R]]
// CHECK: return %[[R4]]
func.func @heads(%x: tensor<?x3x?x64xbf16>, %y: tensor<?x3x64x128xbf16>, %s: tensor<?x3xf32>) -> tensor<?x3x?x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %x, %c0 : tensor<?x3x?x64xbf16>
  %m = tensor.dim %x, %c2 : tensor<?x3x?x64xbf16>
  %0 = tensor.empty(%b, %m) : tensor<?x3x?x128xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<?x3x?x128xf32>) -> tensor<?x3x?x128xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, k, n)>,
                                        affine_map<(b, h, m, n, k) -> (b, h, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x3x?x64xbf16>, tensor<?x3x64x128xbf16>) outs(%1 : tensor<?x3x?x128xf32>) {
  ^bb0(%u: bf16, %v: bf16, %a: f32):
    %uf = arith.extf %u : bf16 to f32
    %vf = arith.extf %v : bf16 to f32
    %p = arith.mulf %uf, %vf : f32
    %r = arith.addf %a, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x3x?x128xf32>
  %3 = tensor.empty(%b, %m) : tensor<?x3x?x128xbf16>
  %4 = linalg.generic {indexing_maps = [#id, #scale, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%2, %s : tensor<?x3x?x128xf32>, tensor<?x3xf32>) outs(%3 : tensor<?x3x?x128xbf16>) {
  ^bb0(%u: f32, %f: f32, %o: bf16):
    %w = arith.mulf %u, %f : f32
    %t = arith.truncf %w : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x3x?x128xbf16>
  return %4 : tensor<?x3x?x128xbf16>
}

// -----

// One row in each batch, which came as an axis of both inputs, is one of A.
// CHECK-DAG: #[[$BMK:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[$BKN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[$BMN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func @one_row(
// CHECK-SAME: %[[X:.*]]: tensor<7x1x64xbf16>, %[[Y:.*]]: tensor<7x64x128xbf16>)
// CHECK: pit.contract batches ins(%[[X]], %[[Y]] : {{.*}}) outs({{.*}} : tensor<7x1x128xf32>) {indexing_maps = [#[[$BMK]], #[[$BKN]], #[[$BMN]]]
func.func @one_row(%x: tensor<7x1x64xbf16>, %y: tensor<7x64x128xbf16>) -> tensor<7x1x128xf32> {
  %zero = arith.constant 0.0 : f32
  %y4 = tensor.expand_shape %y [[0, 1], [2], [3]] output_shape [7, 1, 64, 128] : tensor<7x64x128xbf16> into tensor<7x1x64x128xbf16>
  %0 = tensor.empty() : tensor<7x1x128xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<7x1x128xf32>) -> tensor<7x1x128xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(b, r, n, k) -> (b, r, k)>, affine_map<(b, r, n, k) -> (b, r, k, n)>,
                                        affine_map<(b, r, n, k) -> (b, r, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y4 : tensor<7x1x64xbf16>, tensor<7x1x64x128xbf16>) outs(%1 : tensor<7x1x128xf32>) {
  ^bb0(%u: bf16, %v: bf16, %a: f32):
    %uf = arith.extf %u : bf16 to f32
    %vf = arith.extf %v : bf16 to f32
    %p = arith.mulf %uf, %vf : f32
    %r = arith.addf %a, %p : f32
    linalg.yield %r : f32
  } -> tensor<7x1x128xf32>
  return %2 : tensor<7x1x128xf32>
}

// -----

// Elements that are multiplied are no products: nothing is collapsed. Before, the extents 0 and ? became 0 on buffers.
// CHECK-LABEL: func.func @elements(
// CHECK-NOT: tensor.collapse_shape
// CHECK: linalg.generic
#id4 = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @elements(%x: tensor<0x5x?x?xbf16>, %y: tensor<0x5x?x?xbf16>, %z: tensor<0x5x?x?xbf16>) -> tensor<0x5x?x?xbf16> {
  %r = linalg.generic {indexing_maps = [#id4, #id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<0x5x?x?xbf16>, tensor<0x5x?x?xbf16>) outs(%z : tensor<0x5x?x?xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %c: bf16):
    %p = arith.mulf %a, %b : bf16
    linalg.yield %p : bf16
  } -> tensor<0x5x?x?xbf16>
  return %r : tensor<0x5x?x?xbf16>
}

// -----

// Heads that are stored between positions are copied to lie behind the sequences; so is the result, back.
// CHECK-LABEL: func @heads(
// CHECK-SAME: %[[A:.*]]: tensor<2x4x64x128xbf16>, %[[V:.*]]: tensor<2x128x4x32xbf16>)
// CHECK: %[[COPY:.*]] = linalg.transpose ins(%[[V]] : {{.*}}) outs(%{{.*}} : tensor<2x4x128x32xbf16>) permutation = [0, 2, 1, 3]
// CHECK: pit.contract batches ins({{.*}} : tensor<8x64x128xbf16>, tensor<8x128x32xbf16>) outs({{.*}} : tensor<8x64x32xf32>)
// CHECK: linalg.transpose {{.*}} outs(%{{.*}} : tensor<2x64x4x32xf32>) permutation = [0, 2, 1, 3]
func.func @heads(%a: tensor<2x4x64x128xbf16>, %v: tensor<2x128x4x32xbf16>) -> tensor<2x64x4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2x64x4x32xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<2x64x4x32xf32>) -> tensor<2x64x4x32xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, k) -> (b, h, i, j)>, affine_map<(b, h, i, j, k) -> (b, j, h, k)>,
                                        affine_map<(b, h, i, j, k) -> (b, i, h, k)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]}
      ins(%a, %v : tensor<2x4x64x128xbf16>, tensor<2x128x4x32xbf16>) outs(%1 : tensor<2x64x4x32xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x64x4x32xf32>
  return %2 : tensor<2x64x4x32xf32>
}

// -----

// Too few columns for a tile are not worth copies.
// CHECK-LABEL: func @few_columns(
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @few_columns(%a: tensor<2x4x64x128xbf16>, %v: tensor<2x128x4x8xbf16>) -> tensor<2x64x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2x64x4x8xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<2x64x4x8xf32>) -> tensor<2x64x4x8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, k) -> (b, h, i, j)>, affine_map<(b, h, i, j, k) -> (b, j, h, k)>,
                                        affine_map<(b, h, i, j, k) -> (b, i, h, k)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]}
      ins(%a, %v : tensor<2x4x64x128xbf16>, tensor<2x128x4x8xbf16>) outs(%1 : tensor<2x64x4x8xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x64x4x8xf32>
  return %2 : tensor<2x64x4x8xf32>
}

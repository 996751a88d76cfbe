// Convolutions, with zeros around and elementwise work, are products of windows.
// RUN: pit-opt %s --pit-form-kernels="chip=sm_90a" --canonicalize -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-form-kernels="chip=sm_80" --canonicalize -split-input-file | FileCheck %s

// CHECK-DAG: #[[$A:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-DAG: #[[$B:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[$N:.*]] = affine_map<(d0, d1, d2, d3) -> (d2)>
// CHECK-DAG: #[[$C:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
// CHECK-LABEL: func @images_first(
// CHECK-SAME: %[[X:.*]]: tensor<?x14x15x64xbf16>, %[[W:.*]]: tensor<3x3x64x128xbf16>, %[[BIAS:.*]]: tensor<128xf32>)
// CHECK-NOT: tensor.pad
// CHECK-DAG: %[[WEIGHTS:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0, 1], [2], [3]] : {{.*}} into tensor<9x64x128xbf16>
// CHECK: pit.contract windows ins(%[[X]], %[[WEIGHTS]] : {{.*}}) with(%[[BIAS]] : {{.*}}) outs({{.*}} : tensor<?x128xbf16>) {indexing_maps = [#[[$A]], #[[$B]], #[[$N]], #[[$C]]]
// CHECK-SAME: window = #pit.window<size = [3, 3], strides = [2, 2], dilations = [1, 1], low = [1, 1], positions = [7, 8]>
// CHECK-SAME: epilogue {
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: tensor.expand_shape {{.*}} into tensor<?x7x8x128xbf16>
// CHECK-NOT: linalg
// CHECK: return
func.func @images_first(%x: tensor<?x14x15x64xbf16>, %w: tensor<3x3x64x128xbf16>, %bias: tensor<128xf32>) -> tensor<?x7x8x128xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : bf16
  %zf = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x14x15x64xbf16>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<?x14x15x64xbf16> to tensor<?x16x17x64xbf16>
  %e = tensor.empty(%n) : tensor<?x7x8x128xf32>
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<?x7x8x128xf32>) -> tensor<?x7x8x128xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%p, %w : tensor<?x16x17x64xbf16>, tensor<3x3x64x128xbf16>) outs(%z : tensor<?x7x8x128xf32>) -> tensor<?x7x8x128xf32>
  %o = tensor.empty(%n) : tensor<?x7x8x128xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, f) -> (n, h, w, f)>, affine_map<(n, h, w, f) -> (f)>,
                                        affine_map<(n, h, w, f) -> (n, h, w, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %bias : tensor<?x7x8x128xf32>, tensor<128xf32>) outs(%o : tensor<?x7x8x128xbf16>) {
  ^bb0(%s: f32, %b: f32, %u: bf16):
    %0 = arith.addf %s, %b : f32
    %1 = arith.maximumf %0, %zf : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<?x7x8x128xbf16>
  return %r : tensor<?x7x8x128xbf16>
}

// -----

// Channels first: what the copy engine cannot read so is transposed, and what was transposed for the program's sake
// between two convolutions is read where it came from.
// CHECK-LABEL: func @channels_first(
// CHECK-SAME: %[[X:.*]]: tensor<2x16x9x9xf16>, %{{.*}}: tensor<24x16x3x3xf16>, %{{.*}}: tensor<32x24x1x2xf16>)
// CHECK: %[[NHWC:.*]] = linalg.transpose ins(%[[X]] : {{.*}}) outs({{.*}} : tensor<2x9x9x16xf16>) permutation = [0, 2, 3, 1]
// CHECK: linalg.transpose {{.*}} outs({{.*}} : tensor<24x3x3x16xf16>) permutation = [0, 2, 3, 1]
// CHECK: %[[FIRST:.*]] = pit.contract windows ins(%[[NHWC]], {{.*}} -> tensor<98x24xf16>
// CHECK: %[[BACK:.*]] = tensor.expand_shape %[[FIRST]] {{.*}} into tensor<2x7x7x24xf16>
// CHECK: linalg.transpose {{.*}} outs({{.*}} : tensor<32x1x2x24xf16>) permutation = [0, 2, 3, 1]
// CHECK: pit.contract windows ins(%[[BACK]], {{.*}} window = #pit.window<size = [1, 2], strides = [1, 1], dilations = [1, 3], low = [0, 0], positions = [7, 4]>
// CHECK: linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
func.func @channels_first(%x: tensor<2x16x9x9xf16>, %w: tensor<24x16x3x3xf16>, %v: tensor<32x24x1x2xf16>) -> tensor<2x32x7x4xf32> {
  %zf = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x24x7x7xf32>
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<2x24x7x7xf32>) -> tensor<2x24x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x16x9x9xf16>, tensor<24x16x3x3xf16>) outs(%z : tensor<2x24x7x7xf32>) -> tensor<2x24x7x7xf32>
  %o = tensor.empty() : tensor<2x24x7x7xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<2x24x7x7xf32>) outs(%o : tensor<2x24x7x7xf16>) {
  ^bb0(%s: f32, %u: f16):
    %0 = arith.truncf %s : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x24x7x7xf16>
  %f = tensor.empty() : tensor<2x32x7x4xf32>
  %y = linalg.fill ins(%zf : f32) outs(%f : tensor<2x32x7x4xf32>) -> tensor<2x32x7x4xf32>
  %d = linalg.conv_2d_nchw_fchw {dilations = dense<[1, 3]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%r, %v : tensor<2x24x7x7xf16>, tensor<32x24x1x2xf16>) outs(%y : tensor<2x32x7x4xf32>) -> tensor<2x32x7x4xf32>
  return %d : tensor<2x32x7x4xf32>
}

// -----

// Three channels are read as eight, with zeros behind them, and one image without an axis of its own as one of one.
// CHECK-LABEL: func @few_channels(
// CHECK: tensor.insert_slice {{.*}} : tensor<1x32x3xbf16> into tensor<1x32x8xbf16>
// CHECK-NOT: linalg.generic
// CHECK: pit.contract windows ins({{.*}} : tensor<1x32x8xbf16>, tensor<5x8x16xbf16>)
// CHECK: return
func.func @few_channels(%x: tensor<32x3xbf16>, %w: tensor<5x3x16xbf16>) -> tensor<28x16xf32> {
  %zf = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<28x16xf32>
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<28x16xf32>) -> tensor<28x16xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(p, f, t, c) -> (p + t, c)>, affine_map<(p, f, t, c) -> (t, c, f)>,
                                        affine_map<(p, f, t, c) -> (p, f)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x3xbf16>, tensor<5x3x16xbf16>) outs(%z : tensor<28x16xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lf = arith.extf %l : bf16 to f32
    %rf = arith.extf %r : bf16 to f32
    %p = arith.mulf %lf, %rf : f32
    %q = arith.addf %s, %p : f32
    linalg.yield %q : f32
  } -> tensor<28x16xf32>
  return %c : tensor<28x16xf32>
}

// -----

// Groups are columns and channels one behind the other, those of a group padded to a multiple of 8; the bias has both axes.
// CHECK-DAG: #[[$GA:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-DAG: #[[$GB:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
// CHECK-LABEL: func.func @groups(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x12x9x9xbf16>
// CHECK: linalg.transpose ins(%[[X]] : {{.*}}) outs({{.*}} : tensor<2x9x9x3x12xbf16>) permutation = [0, 3, 4, 1, 2]
// CHECK: %[[IMAGES:.*]] = tensor.collapse_shape {{.*}} : tensor<2x9x9x3x16xbf16> into tensor<2x9x9x48xbf16>
// CHECK: pit.contract windows ins(%[[IMAGES]], %{{.*}} : tensor<2x9x9x48xbf16>, tensor<60x9x16xbf16>) with({{.*}} : tensor<60xf32>)
// CHECK-SAME: outs({{.*}} : tensor<98x60xf32>) {indexing_maps = [#[[$GA]], #[[$GB]],
// CHECK: tensor.expand_shape {{.*}} into tensor<2x7x7x3x20xf32>
// CHECK: linalg.transpose {{.*}} permutation = [0, 3, 4, 1, 2]
func.func @groups(%x: tensor<2x3x12x9x9xbf16>, %w: tensor<3x20x12x3x3xbf16>, %bias: tensor<3x20xf32>) -> tensor<2x3x20x7x7xf32> {
  %zf = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x20x7x7xf32>
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<2x3x20x7x7xf32>) -> tensor<2x3x20x7x7xf32>
  %c = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x3x12x9x9xbf16>, tensor<3x20x12x3x3xbf16>) outs(%z : tensor<2x3x20x7x7xf32>) -> tensor<2x3x20x7x7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, g, f, h, w) -> (n, g, f, h, w)>, affine_map<(n, g, f, h, w) -> (g, f)>,
                                        affine_map<(n, g, f, h, w) -> (n, g, f, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %bias : tensor<2x3x20x7x7xf32>, tensor<3x20xf32>) outs(%e : tensor<2x3x20x7x7xf32>) {
  ^bb0(%s: f32, %b: f32, %u: f32):
    %0 = arith.addf %s, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x20x7x7xf32>
  return %r : tensor<2x3x20x7x7xf32>
}

// -----

// Extents along windows that are known when the program runs: windows are copied side by side, and a product of matrices follows.
// CHECK-DAG: #[[$DA:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$READ:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2 + d2, d3)>
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[X:.*]]: tensor<2x?x16xbf16>
// CHECK: %[[COPY:.*]] = linalg.generic {indexing_maps = [#[[$READ]], {{.*}}ins(%[[X]] : {{.*}}) outs({{.*}} : tensor<2x?x3x16xbf16>)
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2, 3]] : tensor<2x?x3x16xbf16> into tensor<?x48xbf16>
// CHECK: pit.contract dense ins(%[[ROWS]], %{{.*}} : tensor<?x48xbf16>, tensor<48x24xbf16>) outs({{.*}} : tensor<?x24xf32>) {indexing_maps = [#[[$DA]],
// CHECK: tensor.expand_shape {{.*}} into tensor<2x?x24xf32>
func.func @dynamic(%x: tensor<2x?x16xbf16>, %w: tensor<3x16x24xbf16>, %e: tensor<2x?x24xf32>) -> tensor<2x?x24xf32> {
  %zf = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<2x?x24xf32>) -> tensor<2x?x24xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
    ins(%x, %w : tensor<2x?x16xbf16>, tensor<3x16x24xbf16>) outs(%z : tensor<2x?x24xf32>) -> tensor<2x?x24xf32>
  return %c : tensor<2x?x24xf32>
}

// -----

// Patches of an image are a matrix of its own elements: nothing is padded, and k has channels and places in the order of the input.
// CHECK-LABEL: func.func @patches(
// CHECK-SAME: %[[X:.*]]: tensor<?x3x32x48xbf16>, %[[W:.*]]: tensor<96x3x16x16xbf16>
// CHECK: %[[PIECES:.*]] = tensor.expand_shape %[[X]] {{.*}} into tensor<?x3x2x16x3x16xbf16>
// CHECK: %[[COPY:.*]] = linalg.transpose ins(%[[PIECES]] : {{.*}}) outs({{.*}} : tensor<?x2x3x3x16x16xbf16>) permutation = [0, 2, 4, 1, 3, 5]
// CHECK-DAG: %[[ROWS:.*]] = tensor.collapse_shape %[[COPY]] {{\[\[}}0, 1, 2], [3, 4, 5]] : {{.*}} into tensor<?x768xbf16>
// CHECK-DAG: %[[WEIGHTS:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0], [1, 2, 3]] : {{.*}} into tensor<96x768xbf16>
// CHECK: pit.contract dense ins(%[[ROWS]], %[[WEIGHTS]] : {{.*}}) outs({{.*}} : tensor<?x96xf32>)
func.func @patches(%x: tensor<?x3x32x48xbf16>, %w: tensor<96x3x16x16xbf16>, %e: tensor<?x96x2x3xf32>) -> tensor<?x96x2x3xf32> {
  %zf = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<?x96x2x3xf32>) -> tensor<?x96x2x3xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<16> : tensor<2xi64>}
    ins(%x, %w : tensor<?x3x32x48xbf16>, tensor<96x3x16x16xbf16>) outs(%z : tensor<?x96x2x3xf32>) -> tensor<?x96x2x3xf32>
  return %c : tensor<?x96x2x3xf32>
}

// A 3x3 convolution whose input has channels that are zero everywhere. The micro-tile is one 18x18 channel plane of one image.
// The input channel is a reduction over products: the live planes are packed with the matching slices of the filter. Rows and
// columns of the image are refused as PIT-axes, they are read through `oh + kh` and `ow + kw`.
// Run:  pit-run examples/conv2d_channels.mlir --random=block-sparse:1x1x18x18:0.8 --random=normal --check --report
//       pit-opt examples/conv2d_channels.mlir --pit-annotate-axes
// Look at: the rule packs d4, the channels; `pit.axes` says why the other axes are refused.

func.func @main(
    %image: tensor<2x64x18x18xf32> {pit.sparse = {
      source = "values", axes = array<i64: 0, 1, 2, 3>,
      granularity = array<i64: 1, 1, 18, 18>, absent = "zero"}},
    %filter: tensor<32x64x3x3xf32>) -> tensor<2x32x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x32x16x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x32x16x16xf32>)
    -> tensor<2x32x16x16xf32>
  %y = linalg.conv_2d_nchw_fchw
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %filter : tensor<2x64x18x18xf32>, tensor<32x64x3x3xf32>)
    outs(%init : tensor<2x32x16x16xf32>) -> tensor<2x32x16x16xf32>
  return %y : tensor<2x32x16x16xf32>
}

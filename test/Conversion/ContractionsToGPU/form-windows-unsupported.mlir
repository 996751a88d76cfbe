// What is no product of windows stays as it is, and says so.
// RUN: pit-opt %s --pit-form-kernels="chip=sm_90a" -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-form-kernels="chip=sm_80" -split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: Function=depthwise | {{.*}}Reason="convolution: it is depthwise: the sum is over positions in a window alone"
// REMARK: Function=mixed | {{.*}}Reason="convolution: inputs are f32 and bf16; kernels multiply two of bf16, f16, f32, f64 or i8"
// REMARK: Function=dynamic_windows | {{.*}}Reason="convolution: the extent of windows along axis 1 of the input is dynamic"
// REMARK: Function=dynamic_groups | {{.*}}Reason="convolution: it is grouped, and extents along windows are dynamic"
// REMARK: Function=few_channels | {{.*}}Reason="convolution: groups have 2 channels and 16 of the result, of which tiles would be mostly empty"
// REMARK: Function=dynamic_columns | {{.*}}Reason="convolution: the number of channels, of the input or of the result, is dynamic"
// REMARK: Function=no_columns | {{.*}}Reason="convolution: there is nothing to multiply"

// CHECK-LABEL: func.func @depthwise(
// CHECK: linalg.depthwise_conv
// CHECK-NOT: pit.contract
func.func @depthwise(%x: tensor<2x9x9x16xbf16>, %w: tensor<3x3x16xbf16>) -> tensor<2x7x7x16xf32> {
  %zf = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x7x7x16xf32>
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<2x7x7x16xf32>) -> tensor<2x7x7x16xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x9x9x16xbf16>, tensor<3x3x16xbf16>) outs(%z : tensor<2x7x7x16xf32>) -> tensor<2x7x7x16xf32>
  return %c : tensor<2x7x7x16xf32>
}

// -----

// CHECK-LABEL: func.func @mixed(
// CHECK: linalg.conv
// CHECK-NOT: pit.contract
func.func @mixed(%x: tensor<2x9x9x16xf32>, %w: tensor<3x3x16x16xbf16>) -> tensor<2x7x7x16xf32> {
  %zf = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x7x7x16xf32>
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<2x7x7x16xf32>) -> tensor<2x7x7x16xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x9x9x16xf32>, tensor<3x3x16x16xbf16>) outs(%z : tensor<2x7x7x16xf32>) -> tensor<2x7x7x16xf32>
  return %c : tensor<2x7x7x16xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic_windows(
// CHECK: linalg.conv
// CHECK-NOT: pit.contract
func.func @dynamic_windows(%x: tensor<2x9x16xbf16>, %w: tensor<?x16x16xbf16>, %e: tensor<2x?x16xf32>) -> tensor<2x?x16xf32> {
  %zf = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
    ins(%x, %w : tensor<2x9x16xbf16>, tensor<?x16x16xbf16>) outs(%z : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  return %c : tensor<2x?x16xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic_groups(
// CHECK: linalg.conv
// CHECK-NOT: pit.contract
func.func @dynamic_groups(%x: tensor<2x4x16x?x9xbf16>, %w: tensor<4x16x16x3x3xbf16>, %e: tensor<2x4x16x?x7xf32>) -> tensor<2x4x16x?x7xf32> {
  %zf = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<2x4x16x?x7xf32>) -> tensor<2x4x16x?x7xf32>
  %c = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x4x16x?x9xbf16>, tensor<4x16x16x3x3xbf16>) outs(%z : tensor<2x4x16x?x7xf32>) -> tensor<2x4x16x?x7xf32>
  return %c : tensor<2x4x16x?x7xf32>
}

// -----

// CHECK-LABEL: func.func @few_channels(
// CHECK: linalg.conv
// CHECK-NOT: pit.contract
func.func @few_channels(%x: tensor<2x4x2x9x9xbf16>, %w: tensor<4x16x2x3x3xbf16>, %e: tensor<2x4x16x7x7xf32>) -> tensor<2x4x16x7x7xf32> {
  %zf = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<2x4x16x7x7xf32>) -> tensor<2x4x16x7x7xf32>
  %c = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x4x2x9x9xbf16>, tensor<4x16x2x3x3xbf16>) outs(%z : tensor<2x4x16x7x7xf32>) -> tensor<2x4x16x7x7xf32>
  return %c : tensor<2x4x16x7x7xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic_columns(
// CHECK: linalg.conv
// CHECK-NOT: pit.contract
func.func @dynamic_columns(%x: tensor<2x9x16xbf16>, %w: tensor<3x16x?xbf16>, %e: tensor<2x7x?xf32>) -> tensor<2x7x?xf32> {
  %zf = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<2x7x?xf32>) -> tensor<2x7x?xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
    ins(%x, %w : tensor<2x9x16xbf16>, tensor<3x16x?xbf16>) outs(%z : tensor<2x7x?xf32>) -> tensor<2x7x?xf32>
  return %c : tensor<2x7x?xf32>
}

// -----

// CHECK-LABEL: func.func @no_columns(
// CHECK: linalg.conv
// CHECK-NOT: pit.contract
func.func @no_columns(%x: tensor<2x9x16xbf16>, %w: tensor<3x16x0xbf16>, %e: tensor<2x7x0xf32>) -> tensor<2x7x0xf32> {
  %zf = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<2x7x0xf32>) -> tensor<2x7x0xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
    ins(%x, %w : tensor<2x9x16xbf16>, tensor<3x16x0xbf16>) outs(%z : tensor<2x7x0xf32>) -> tensor<2x7x0xf32>
  return %c : tensor<2x7x0xf32>
}

// -----

// Nor are there windows of no image.
// CHECK-LABEL: func.func @no_images(
// CHECK: linalg.conv
// CHECK-NOT: pit.contract
func.func @no_images(%x: tensor<0x9x16xbf16>, %w: tensor<3x16x8xbf16>, %e: tensor<0x7x8xf32>) -> tensor<0x7x8xf32> {
  %zf = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<0x7x8xf32>) -> tensor<0x7x8xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
    ins(%x, %w : tensor<0x9x16xbf16>, tensor<3x16x8xbf16>) outs(%z : tensor<0x7x8xf32>) -> tensor<0x7x8xf32>
  return %c : tensor<0x7x8xf32>
}

// Convolutions whose images have extents that are known when the program runs: sums of integers are the same to the bit on the
// emulated device and on the CPU.
// UNSUPPORTED: sanitizer
// RUN: %emulated-cuda pit-run %s --entry=images_first --target=cuda --chip=sm_90a --random=randint:-4:4 --shape=0=2x9x11x24 --seed=3 --print --quiet > %t.cuda
// RUN: pit-run %s --entry=images_first --target=cpu --random=randint:-4:4 --shape=0=2x9x11x24 --seed=3 --print --quiet > %t.cpu
// RUN: diff %t.cuda %t.cpu && FileCheck %s --check-prefix=FIRST < %t.cpu
// FIRST: result 0: 2x9x11x40xbf16
// RUN: %emulated-cuda pit-run %s --entry=channels_first --target=cuda --chip=sm_90a --random=randint:-4:4 --shape=0=2x6x7x12 --seed=3 --print --quiet > %t.cuda
// RUN: pit-run %s --entry=channels_first --target=cpu --random=randint:-4:4 --shape=0=2x6x7x12 --seed=3 --print --quiet > %t.cpu
// RUN: diff %t.cuda %t.cpu && FileCheck %s --check-prefix=CHANNELS < %t.cpu
// CHANNELS: result 0: 2x10x6x5xf32
// RUN: %emulated-cuda pit-run %s --entry=depthwise --target=cuda --chip=sm_90a --random=randint:-4:4 --shape=0=1x19x11x39 --shape=1=3x3x39 --seed=3 --print --quiet > %t.cuda
// RUN: pit-run %s --entry=depthwise --target=cpu --random=randint:-4:4 --shape=0=1x19x11x39 --shape=1=3x3x39 --seed=3 --print --quiet > %t.cpu
// RUN: diff %t.cuda %t.cpu && FileCheck %s --check-prefix=DEPTHWISE < %t.cpu
// DEPTHWISE: result 0: 1x19x11x39xf32

func.func @images_first(%x: tensor<?x?x?x24xbf16>, %w: tensor<3x3x24x40xbf16>, %bias: tensor<40xf32>) -> tensor<?x?x?x40xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : bf16
  %zf = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?x?x24xbf16>
  %h = tensor.dim %x, %c1 : tensor<?x?x?x24xbf16>
  %v = tensor.dim %x, %c2 : tensor<?x?x?x24xbf16>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<?x?x?x24xbf16> to tensor<?x?x?x24xbf16>
  %e = tensor.empty(%n, %h, %v) : tensor<?x?x?x40xf32>
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<?x?x?x40xf32>) -> tensor<?x?x?x40xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%p, %w : tensor<?x?x?x24xbf16>, tensor<3x3x24x40xbf16>) outs(%z : tensor<?x?x?x40xf32>) -> tensor<?x?x?x40xf32>
  %o = tensor.empty(%n, %h, %v) : tensor<?x?x?x40xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, f) -> (n, h, w, f)>, affine_map<(n, h, w, f) -> (f)>,
                                        affine_map<(n, h, w, f) -> (n, h, w, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %bias : tensor<?x?x?x40xf32>, tensor<40xf32>) outs(%o : tensor<?x?x?x40xbf16>) {
  ^bb0(%s: f32, %b: f32, %u: bf16):
    %0 = arith.addf %s, %b : f32
    %1 = arith.maximumf %0, %zf : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<?x?x?x40xbf16>
  return %r : tensor<?x?x?x40xbf16>
}

func.func @channels_first(%x: tensor<2x6x?x?xf32>, %w: tensor<10x6x2x3xf32>) -> tensor<2x10x?x?xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %zf = arith.constant 0.0 : f32
  %h = tensor.dim %x, %c2 : tensor<2x6x?x?xf32>
  %v = tensor.dim %x, %c3 : tensor<2x6x?x?xf32>
  %oh = arith.subi %h, %c1 : index
  %ow1 = arith.subi %v, %c3 : index
  %ow2 = arith.divui %ow1, %c2 : index
  %ow = arith.addi %ow2, %c1 : index
  %e = tensor.empty(%oh, %ow) : tensor<2x10x?x?xf32>
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<2x10x?x?xf32>) -> tensor<2x10x?x?xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
    ins(%x, %w : tensor<2x6x?x?xf32>, tensor<10x6x2x3xf32>) outs(%z : tensor<2x10x?x?xf32>) -> tensor<2x10x?x?xf32>
  return %c : tensor<2x10x?x?xf32>
}

func.func @depthwise(%x: tensor<?x?x?x?xf32>, %w: tensor<3x3x?xf32>) -> tensor<?x?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zf = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?x?x?xf32>
  %h = tensor.dim %x, %c1 : tensor<?x?x?x?xf32>
  %v = tensor.dim %x, %c2 : tensor<?x?x?x?xf32>
  %f = tensor.dim %x, %c3 : tensor<?x?x?x?xf32>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zf : f32
  } : tensor<?x?x?x?xf32> to tensor<?x?x?x?xf32>
  %e = tensor.empty(%n, %h, %v, %f) : tensor<?x?x?x?xf32>
  %z = linalg.fill ins(%zf : f32) outs(%e : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%p, %w : tensor<?x?x?x?xf32>, tensor<3x3x?xf32>) outs(%z : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %c : tensor<?x?x?x?xf32>
}

// A reshape moved ahead of a pad, and of the extents that it is given.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (

module {
  func.func @main(%arg0: tensor<?xf16>) -> tensor<1x?xf16> attributes {inputs = ["kind=ints shape=8 lo=-4 hi=5 live=30% block=1 dead=zero seed=141634"]} {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?xf16>
    %cst = arith.constant 0.000000e+00 : f16
    %padded = tensor.pad %arg0 low[0] high[0] {
    ^bb0(%arg1: index):
      tensor.yield %cst : f16
    } : tensor<?xf16> to tensor<?xf16>
    %expanded = tensor.expand_shape %padded [[0, 1]] output_shape [1, %dim] : tensor<?xf16> into tensor<1x?xf16>
    return %expanded : tensor<1x?xf16>
  }
}

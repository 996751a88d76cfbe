// Seed 1090922. A tile that lacks one of its tensor's dimensions gave another
// tile its extent by the number of the tensor's.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees

module {
  func.func @main(%arg0: tensor<2x7x24xf64>, %arg1: tensor<7x2x24xi1>, %arg2: tensor<7x24x7xf64>, %arg3: tensor<19x7x2x7xi1>, %arg4: tensor<7x2x24xf64>) -> tensor<19x7x2x7xf64> attributes {inputs = ["kind=ints shape=2x7x24 lo=1 hi=2 live=10% dead=zero seed=828802", "kind=ints shape=7x2x24 lo=1 hi=2 live=50% dead=zero seed=313471", "kind=ints shape=7x24x7 lo=1 hi=2 seed=153975", "kind=ints shape=19x7x2x7 lo=1 hi=2 seed=51813", "kind=ints shape=7x2x24 lo=1 hi=2 seed=1"], pipeline = "tiles-on-buffers=true"} {
    %0 = tensor.empty() : tensor<7x2x7xf64>
    %1 = tensor.empty() : tensor<19x7x2x7xf64>
    %broadcasted = linalg.broadcast ins(%0 : tensor<7x2x7xf64>) outs(%1 : tensor<19x7x2x7xf64>) dimensions = [0]  {pit.sparse = {absent = "zero", axes = array<i64: 0, 1, 2, 3>, from = 3 : i64, granularity = array<i64: 4, 2, 1, 2>, pad = "right", source = "mask"}}
    return %broadcasted : tensor<19x7x2x7xf64>
  }
}


// Seed 1257336. Clean-ups in front of the first pass folded an op away, and with
// it its mark: no pipeline of ours has them there, and pit-fuzz does not add
// them any more. Twice the number of passes is such a place; it is between those.
// RUN: pit-fuzz %s --cut 124 | FileCheck %s
// RUN: pit-fuzz %s --cut 126 | FileCheck %s
// RUN: pit-fuzz %s --cut 128 | FileCheck %s
// RUN: pit-fuzz %s --cut 130 | FileCheck %s
// RUN: pit-fuzz %s --cut 132 | FileCheck %s
// CHECK: agrees

module {
  func.func @main(%arg0: tensor<2x5x5xf32>, %arg1: tensor<2xi1>, %arg2: tensor<5x5xf32>, %arg3: tensor<2x2xi1>, %arg4: tensor<5x5xf32>, %arg5: tensor<2xi1>, %arg6: tensor<3xi1>, %arg7: tensor<5xf32>, %arg8: tensor<5xf32>, %arg9: tensor<5xi1>, %arg10: tensor<5xf32>) -> tensor<5xf32> attributes {inputs = ["kind=ints shape=2x5x5 lo=1 hi=2 seed=388426", "kind=ints shape=2 lo=0 hi=2 live=0% block=1 dead=zero seed=141332", "kind=ints shape=5x5 lo=1 hi=2 live=2% dead=zero seed=134206", "kind=ints shape=2x2 lo=1 hi=2 seed=278827", "kind=ints shape=5x5 lo=1 hi=2 live=50% dead=zero most=2 seed=968854", "kind=ints shape=2 lo=1 hi=2 seed=121581", "kind=ints shape=3 lo=0 hi=2 seed=514185", "kind=ints shape=5 lo=1 hi=4 live=50% block=64 dead=zero seed=496975", "kind=ints shape=5 lo=-4 hi=5 seed=673164", "kind=ints shape=5 lo=0 hi=2 live=80% block=1 dead=zero seed=681255", "kind=ints shape=5 lo=-2 hi=3 seed=1"]} {
    %cst = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg10 low[0] high[0] {
    ^bb0(%arg11: index):
      tensor.yield %cst : f32
    } {pit.sparse = {absent = "zero", axes = array<i64: 0>, from = 9 : i64, pad = "right", source = "mask"}} : tensor<5xf32> to tensor<5xf32>
    return %padded : tensor<5xf32>
  }
}


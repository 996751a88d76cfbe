// Which of several dimensions of size 1 a slice of unknown strides drops was guessed, and another one's extent taken: reads beyond a buffer.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (8 elements

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<1x?x?xf32>, %arg1: index, %arg2: tensor<1x?xf32> {pit.sparse = {absent = "zero", axes = array<i64: 0, 1>, from = 3 : i64, pad = "right", source = "lengths"}}, %arg3: tensor<1xi64>, %arg4: tensor<3xi32>) -> tensor<1x?xf32> attributes {inputs = ["kind=reals shape=1x8x16 lo=-4 hi=4 seed=23747", "kind=ints lo=3 hi=4 seed=0", "kind=ints shape=1x16 lo=-1 hi=1 live=30% dead=zero seed=629209", "kind=ints shape=1 lo=16 hi=17 seed=920171", "kind=ints shape=3 lo=0 hi=2 live=60% dead=zero seed=476400"]} {
    %c2 = arith.constant 2 : index
    %dim = tensor.dim %arg0, %c2 : tensor<1x?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg0, %c1 : tensor<1x?x?xf32>
    %0 = pit.sparse %arg0 <kind = values, axes = [0, 1, 2], absent = neg_inf> : tensor<1x?x?xf32>
    %1 = tensor.empty(%dim_0, %dim) : tensor<1x?x?xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<1x?x?xf32>) outs(%1 : tensor<1x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x?x?xf32>
    %3 = pit.sparse %2 <kind = values, axes = [0, 1, 2], pad = left> : tensor<1x?x?xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %4 = tensor.empty(%dim_0) : tensor<1x?xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %6 = linalg.batch_matvec ins(%3, %arg2 : tensor<1x?x?xf32>, tensor<1x?xf32>) outs(%5 : tensor<1x?xf32>) -> tensor<1x?xf32>
    return %6 : tensor<1x?xf32>
  }
}


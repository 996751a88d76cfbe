// What a sequence without live positions holds was computed of zeros instead of what its positions hold.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (8 elements

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0)>
module {
  func.func @main(%arg0: tensor<?x?x?xf32>, %arg1: tensor<?xi64>) -> tensor<?xf32> attributes {inputs = ["kind=ints shape=8x6x16 lo=1 hi=2 seed=167707", "kind=ints shape=8 lo=0 hi=7 seed=953894"], pipeline = "strict=true"} {
    %c2 = arith.constant 2 : index
    %dim = tensor.dim %arg0, %c2 : tensor<?x?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
    %c0 = arith.constant 0 : index
    %dim_1 = tensor.dim %arg0, %c0 : tensor<?x?x?xf32>
    %0 = pit.sparse %arg0 by(%arg1 : tensor<?xi64>) <kind = lengths, axes = [0, 1], pad = left> : tensor<?x?x?xf32>
    %1 = tensor.empty(%dim_1, %dim_0, %dim) : tensor<?x?x?xf32>
    %2 = linalg.softmax dimension(2) ins(%0 : tensor<?x?x?xf32>) outs(%1 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %3 = tensor.empty(%dim_1) : tensor<?xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<?xf32>) -> tensor<?xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction"]} ins(%2 : tensor<?x?x?xf32>) outs(%4 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_2 = arith.constant 0.000000e+00 : f32
      %cst_3 = arith.constant 2.000000e+00 : f32
      %cst_4 = arith.constant 4.000000e+00 : f32
      %6 = arith.minimumf %in, %cst_4 : f32
      %7 = math.exp %6 : f32
      %8 = arith.addf %out, %7 : f32
      linalg.yield %8 : f32
    } -> tensor<?xf32>
    return %5 : tensor<?xf32>
  }
}


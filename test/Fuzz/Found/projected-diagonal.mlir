// A pattern is projected to the places along which a diagonal is read. A line without a live point is listed as a whole, also where other lines have
// live points.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (783 elements

#map = affine_map<(d0, d1, d2) -> (d0, d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<9x9x12xf32>, %arg1: tensor<9x9x12xi64>, %arg2: tensor<9x9x9xf32>) -> tensor<9x9x12xf32> attributes {inputs = ["kind=ints shape=9x9x12 lo=1 hi=2 seed=92582", "kind=ints shape=9x9x12 lo=0 hi=2 live=5% dead=zero seed=480130", "kind=ints shape=9x9x9 lo=1 hi=2 seed=630871"]} {
    %0 = tensor.empty() : tensor<9x9x12xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<9x9x12xi64>) outs(%0 : tensor<9x9x12xi1>) {
    ^bb0(%in: i64, %out: i1):
      %c0_i64 = arith.constant 0 : i64
      %12 = arith.cmpi ne, %in, %c0_i64 : i64
      linalg.yield %12 : i1
    } -> tensor<9x9x12xi1>
    %2 = tensor.empty() : tensor<9x9x12xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg0 : tensor<9x9x12xi1>, tensor<9x9x12xf32>) outs(%2 : tensor<9x9x12xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %cst_2 = arith.constant -3.40282347E+38 : f32
      %12 = arith.select %in, %in_1, %cst_2 : f32
      linalg.yield %12 : f32
    } -> tensor<9x9x12xf32>
    %cst = arith.constant 0xFF800000 : f32
    %4 = tensor.empty() : tensor<9x9xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<9x9xf32>) -> tensor<9x9xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<9x9x12xf32>) outs(%5 : tensor<9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.maximumf %out, %in : f32
      linalg.yield %12 : f32
    } -> tensor<9x9xf32>
    %7 = tensor.empty() : tensor<9x9x12xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %6 : tensor<9x9x12xf32>, tensor<9x9xf32>) outs(%7 : tensor<9x9x12xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %12 = arith.subf %in, %in_1 : f32
      %13 = math.exp %12 : f32
      linalg.yield %13 : f32
    } -> tensor<9x9x12xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %9 = tensor.empty() : tensor<9x9x12xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<9x9x12xf32>) -> tensor<9x9x12xf32>
    %11 = linalg.batch_matmul ins(%arg2, %8 : tensor<9x9x9xf32>, tensor<9x9x12xf32>) outs(%10 : tensor<9x9x12xf32>) -> tensor<9x9x12xf32>
    return %11 : tensor<9x9x12xf32>
  }
}


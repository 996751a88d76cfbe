// A place that is a remainder by an extent that no type tells ended the process (LookupThroughReshape).
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (16 elements

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<1x?x1xi64>, %arg1: tensor<?xi32>, %arg2: tensor<1x1x1xi64>) -> tensor<1x1x?x1xi64> attributes {inputs = ["kind=ints shape=1x16x1 lo=1 hi=2 seed=879605", "kind=ints shape=16 lo=0 hi=2 seed=298012", "kind=ints shape=1x1x1 lo=0 hi=1 seed=760393"]} {
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    %dim = tensor.dim %arg0, %c1_0 : tensor<1x?x1xi64>
    %0 = tensor.empty(%dim) : tensor<?x1xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<?xi32>) outs(%0 : tensor<?x1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %4 = linalg.index 1 : index
      %5 = arith.index_cast %4 : index to i32
      %6 = arith.index_cast %c1 : index to i32
      %7 = arith.subi %6, %in : i32
      %8 = arith.cmpi sge, %5, %7 : i32
      linalg.yield %8 : i1
    } -> tensor<?x1xi1>
    %2 = tensor.empty(%dim) : tensor<1x?x1xi64>
    %3 = linalg.generic {indexing_maps = [#map2, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg0 : tensor<?x1xi1>, tensor<1x?x1xi64>) outs(%2 : tensor<1x?x1xi64>) {
    ^bb0(%in: i1, %in_1: i64, %out: i64):
      %c0_i64 = arith.constant 0 : i64
      %4 = arith.select %in, %in_1, %c0_i64 : i64
      linalg.yield %4 : i64
    } -> tensor<1x?x1xi64>
    %gather = tensor.gather %3[%arg2] gather_dims([0]) : (tensor<1x?x1xi64>, tensor<1x1x1xi64>) -> tensor<1x1x?x1xi64>
    return %gather : tensor<1x1x?x1xi64>
  }
}


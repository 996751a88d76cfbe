// Seed 1423737. A slice dropped a dimension of size 1 of a tensor of dynamic
// extents, one of which turned out to be 1 when the tensor was a buffer.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d2, d1, d0)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d4)>
module {
  func.func @main(%arg0: tensor<1x31x?x1xi64>, %arg1: tensor<1x?xi32>, %arg2: tensor<?x?x31x1xi64>, %arg3: tensor<1x31xi64>, %arg4: tensor<31x?x?xi64>) -> tensor<31x?x?xi64> attributes {inputs = ["kind=ints shape=1x31x7x1 lo=1 hi=2 seed=192945", "kind=ints shape=1x7 lo=1 hi=2 live=80% block=1x2 dead=zero seed=357736", "kind=ints shape=7x7x31x1 lo=1 hi=2 live=10% block=1x1x4x2 dead=zero seed=114713", "kind=ints shape=1x31 lo=1 hi=2 live=30% dead=signed_zero seed=153377", "kind=ints shape=31x7x7 lo=1 hi=2 live=10% dead=zero seed=868801"]} {
    %0 = pit.sparse %arg0 by(%arg1 : tensor<1x?xi32>) <kind = routing, axes = [3, 2]> : tensor<1x31x?x1xi64>
    %1 = pit.sparse %arg3 <kind = values, axes = [0, 1], tile = [4, 8]> : tensor<1x31xi64>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map3], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel"]} ins(%1, %0, %arg2 : tensor<1x31xi64>, tensor<1x31x?x1xi64>, tensor<?x?x31x1xi64>) outs(%arg4 : tensor<31x?x?xi64>) {
    ^bb0(%in: i64, %in_0: i64, %in_1: i64, %out: i64):
      %3 = arith.muli %in, %in_0 : i64
      %4 = arith.muli %3, %in_1 : i64
      %5 = arith.addi %out, %4 : i64
      linalg.yield %5 : i64
    } -> tensor<31x?x?xi64>
    return %2 : tensor<31x?x?xi64>
  }
}


// A product that an argument starts, with a dense variant: each branch had a copy of its own, and nobody knew how long the result is.
// RUN: pit-fuzz %s --wrong-arguments | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<?xi64>, %arg1: index, %arg2: index, %arg3: tensor<?xi64>) -> (tensor<?xi64>, tensor<?x?x?xi64>) attributes {calls = [["as it is", "kind=ints shape=8 lo=-1 hi=2 seed=928974", "kind=ints lo=7 hi=8 seed=0", "kind=ints lo=16 hi=17 seed=0", "kind=ints shape=7 lo=-120 hi=120 seed=134182"], ["data: elements of argument 3 are -4611686018427387904, an extent of argument 0 is 9 instead of 8", "kind=ints shape=9 lo=-1 hi=2 seed=928974", "kind=ints lo=7 hi=8 seed=0", "kind=ints lo=16 hi=17 seed=0", "kind=ints shape=7 lo=-4611686018427387904 hi=-4611686018427387903 live=50% dead=zero seed=134182"], ["an extent of argument 3 is 3 instead of 7", "kind=ints shape=8 lo=-1 hi=2 seed=928974", "kind=ints lo=7 hi=8 seed=0", "kind=ints lo=16 hi=17 seed=0", "kind=ints shape=3 lo=-120 hi=120 seed=134182"], ["data: elements of argument 0 are -1", "kind=ints shape=8 lo=-1 hi=0 live=50% dead=zero seed=928974", "kind=ints lo=7 hi=8 seed=0", "kind=ints lo=16 hi=17 seed=0", "kind=ints shape=7 lo=-120 hi=120 seed=134182"], ["data: elements of argument 0 are -1", "kind=ints shape=8 lo=-1 hi=0 seed=928974", "kind=ints lo=7 hi=8 seed=0", "kind=ints lo=16 hi=17 seed=0", "kind=ints shape=7 lo=-120 hi=120 seed=134182"], ["the value of argument 1 is 0 instead of 7, an extent of argument 3 is 3 instead of 7", "kind=ints shape=8 lo=-1 hi=2 seed=928974", "kind=ints lo=0 hi=1 seed=0", "kind=ints lo=16 hi=17 seed=0", "kind=ints shape=3 lo=-120 hi=120 seed=134182"], ["an extent of argument 3 is 3 instead of 7", "kind=ints shape=8 lo=-1 hi=2 seed=928974", "kind=ints lo=7 hi=8 seed=0", "kind=ints lo=16 hi=17 seed=0", "kind=ints shape=3 lo=-120 hi=120 seed=134182"], ["all extents of 16 are 0", "kind=ints shape=8 lo=-1 hi=2 seed=928974", "kind=ints lo=7 hi=8 seed=0", "kind=ints lo=0 hi=1 seed=0", "kind=ints shape=7 lo=-120 hi=120 seed=134182"], ["all extents of 16 are 32, an extent of argument 3 is 0 instead of 7", "kind=ints shape=8 lo=-1 hi=2 seed=928974", "kind=ints lo=7 hi=8 seed=0", "kind=ints lo=32 hi=33 seed=0", "kind=ints shape=0 lo=-120 hi=120 seed=134182"], ["an extent of argument 3 is 3 instead of 7", "kind=ints shape=8 lo=-1 hi=2 seed=928974", "kind=ints lo=7 hi=8 seed=0", "kind=ints lo=16 hi=17 seed=0", "kind=ints shape=3 lo=-120 hi=120 seed=134182"], ["data: elements of argument 3 are -1", "kind=ints shape=8 lo=-1 hi=2 seed=928974", "kind=ints lo=7 hi=8 seed=0", "kind=ints lo=16 hi=17 seed=0", "kind=ints shape=7 lo=-1 hi=0 seed=134182"], ["argument 3 has rank 0", "kind=ints shape=8 lo=-1 hi=2 seed=928974", "kind=ints lo=7 hi=8 seed=0", "kind=ints lo=16 hi=17 seed=0", "kind=ints lo=-120 hi=120 seed=134182"]], inputs = ["kind=ints shape=8 lo=-1 hi=2 seed=928974", "kind=ints lo=7 hi=8 seed=0", "kind=ints lo=16 hi=17 seed=0", "kind=ints shape=7 lo=-120 hi=120 seed=134182"], pipeline = "tile-size=8 entry-points=true"} {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?xi64>
    %c0_i64 = arith.constant 0 : i64
    %0 = tensor.empty(%dim, %arg1) : tensor<?x?xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<?x?xi64>) -> tensor<?x?xi64>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0, %arg0 : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) outs(%1 : tensor<?x?xi64>) {
    ^bb0(%in: i64, %in_0: i64, %in_1: i64, %out: i64):
      %8 = arith.muli %in, %in_0 : i64
      %9 = arith.muli %8, %in_1 : i64
      %10 = arith.addi %out, %9 : i64
      linalg.yield %10 : i64
    } -> tensor<?x?xi64>
    %3 = tensor.empty(%dim, %arg1, %arg2) : tensor<?x?x?xi64>
    %broadcasted = linalg.broadcast ins(%2 : tensor<?x?xi64>) outs(%3 : tensor<?x?x?xi64>) dimensions = [2] 
    %4 = tensor.empty(%dim, %arg1) : tensor<?x?xi64>
    %5 = linalg.add ins(%2, %2 : tensor<?x?xi64>, tensor<?x?xi64>) outs(%4 : tensor<?x?xi64>) -> tensor<?x?xi64>
    %6 = pit.sparse %5 <kind = values, axes = [0, 1], tile = [1, 3]> : tensor<?x?xi64>
    %7 = linalg.vecmat ins(%arg0, %6 : tensor<?xi64>, tensor<?x?xi64>) outs(%arg3 : tensor<?xi64>) -> tensor<?xi64>
    return %7, %broadcasted : tensor<?xi64>, tensor<?x?x?xi64>
  }
}

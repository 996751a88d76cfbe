// An index that is the same along a row was looked at, and refused, where there are no rows to read.
// RUN: pit-fuzz %s --wrong-arguments | FileCheck %s
// CHECK: agrees

#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<?x1x1xf16>, %arg1: tensor<?x?x?xf16>, %arg2: tensor<?x?x?xf16>, %arg3: tensor<i64>) -> (tensor<?x?xf16>, tensor<?x1x1xf16>) attributes {calls = [["all extents of 2 are 0", "kind=ints shape=6x1x1 lo=-4 hi=5 most=1 seed=557400", "kind=ints shape=0x0x6 lo=-4 hi=5 live=0% block=2x4x2 dead=zero seed=4423", "kind=ints shape=0x0x6 lo=1 hi=4 live=5% block=2x4x4 dead=zero seed=249657", "kind=ints lo=0 hi=2 seed=776729"]], inputs = ["kind=ints shape=6x1x1 lo=-4 hi=5 most=1 seed=557400", "kind=ints shape=2x2x6 lo=-4 hi=5 live=0% block=2x4x2 dead=zero seed=4423", "kind=ints shape=2x2x6 lo=1 hi=4 live=5% block=2x4x4 dead=zero seed=249657", "kind=ints lo=0 hi=2 seed=776729"], pipeline = "tiles-on-buffers=true strict=true entry-points=true"} {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg1, %c0 : tensor<?x?x?xf16>
    %c0_0 = arith.constant 0 : index
    %dim_1 = tensor.dim %arg0, %c0_0 : tensor<?x1x1xf16>
    %0 = pit.sparse %arg0 <kind = values, axes = [0, 1, 2], at_most = 1> : tensor<?x1x1xf16>
    %1 = tensor.empty(%dim_1) : tensor<?x1x1xf16>
    %transposed = linalg.transpose ins(%0 : tensor<?x1x1xf16>) outs(%1 : tensor<?x1x1xf16>) permutation = [0, 2, 1] 
    %2 = pit.sparse %arg1 by(%arg2 : tensor<?x?x?xf16>) <kind = routing, axes = [0, 1, 2]> : tensor<?x?x?xf16>
    %3 = tensor.empty(%dim, %dim_1) : tensor<?x?xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<i64>) outs(%3 : tensor<?x?xf16>) {
    ^bb0(%in: i64, %out: f16):
      %5 = linalg.index 0 : index
      %6 = arith.index_cast %in : i64 to index
      %7 = linalg.index 1 : index
      %extracted = tensor.extract %2[%5, %6, %7] : tensor<?x?x?xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x?xf16>
    return %4, %transposed : tensor<?x?xf16>, tensor<?x1x1xf16>
  }
}

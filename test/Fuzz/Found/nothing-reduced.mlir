// A reduction over nothing leaves what its destination holds, also in rows that a mark of undef calls dead.
// RUN: split-file %s %t
// RUN: pit-fuzz %t/lengths.mlir %t/blocks.mlir | FileCheck %s
// CHECK: lengths.mlir: agrees (
// CHECK: blocks.mlir: agrees (

//--- lengths.mlir
module {
  func.func @main(%arg0: tensor<?xf32>, %arg1: tensor<?x?x?xf32>, %arg2: tensor<?x?x?xf32> {pit.sparse = {absent = "undef", axes = array<i64: 1, 2>, from = 3 : i64, pad = "left", source = "lengths"}}, %arg3: tensor<?xi64>, %arg4: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> attributes {inputs = ["kind=ints shape=0 lo=-1 hi=1 live=2% dead=zero seed=299341", "kind=ints shape=5x0x5 lo=1 hi=2 live=2% dead=zero seed=712790", "kind=ints shape=5x5x0 lo=1 hi=2 live=50% dead=zero seed=524012", "kind=ints shape=5 lo=0 hi=1 seed=832713", "kind=ints shape=5x5x5 lo=1 hi=2 live=10% dead=zero seed=335857"], pipeline = "tile-size=16 strict=true"} {
    %0 = linalg.batch_matmul ins(%arg2, %arg1 : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%arg4 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    return %0 : tensor<?x?x?xf32>
  }
}

//--- blocks.mlir
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
module {
  func.func @main(%arg0: tensor<0x12x7xf16>, %arg1: tensor<0x12x7x7xf16> {pit.sparse = {absent = "undef", axes = array<i64: 1>, from = 2 : i64, granularity = array<i64: 4>, pad = "right", source = "blocks"}}, %arg2: tensor<3xi1>, %arg3: tensor<12x7xf16>) -> tensor<12x7xf16> attributes {inputs = ["kind=ints shape=0x12x7 lo=1 hi=2 seed=160259", "kind=ints shape=0x12x7x7 lo=1 hi=2 live=0% block=1x2x1x4 dead=zero seed=914249", "kind=ints shape=3 lo=1 hi=2 live=80% block=1 dead=zero seed=874148", "kind=ints shape=12x7 lo=1 hi=2 seed=646769"]} {
    %0 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map3], iterator_types = ["reduction", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1, %arg0 : tensor<0x12x7xf16>, tensor<0x12x7x7xf16>, tensor<0x12x7xf16>) outs(%arg3 : tensor<12x7xf16>) {
    ^bb0(%in: f16, %in_0: f16, %in_1: f16, %out: f16):
      %3 = arith.mulf %in, %in_0 : f16
      %4 = arith.mulf %3, %in_1 : f16
      %5 = arith.minimumf %4, %out : f16
      linalg.yield %5 : f16
    } -> tensor<12x7xf16>
    %1 = tensor.empty() : tensor<12x7xf16>
    %2 = linalg.mul ins(%0, %0 : tensor<12x7xf16>, tensor<12x7xf16>) outs(%1 : tensor<12x7xf16>) -> tensor<12x7xf16>
    return %2 : tensor<12x7xf16>
  }
}

// Of dimensions of size 1 in a view with unknown strides, the wrong one was taken for the one that a row of the list lies along.
// RUN: pit-fuzz %s

#map = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
module {
  func.func @main(%arg0: tensor<4x8xi64>, %arg1: tensor<8xi64>, %arg2: tensor<8xi1>, %arg3: tensor<8x4xi64>, %arg4: tensor<4x6xi64> {pit.sparse = {absent = "zero", axes = array<i64: 1>, from = 5 : i64, pad = "left", source = "mask"}}, %arg5: tensor<6xi1>, %arg6: tensor<1x8x6xi64>) -> tensor<1x8x6xi64> attributes {inputs = ["kind=ints shape=4x8 lo=1 hi=2 seed=905884", "kind=ints shape=8 lo=-4 hi=5 live=10% dead=zero seed=235370", "kind=ints shape=8 lo=1 hi=2 live=80% block=4 dead=zero seed=812039", "kind=ints shape=8x4 lo=1 hi=2 seed=227126", "kind=ints shape=4x6 lo=1 hi=2 seed=474836", "kind=ints shape=6 lo=0 hi=2 live=50% dead=zero seed=541870", "kind=ints shape=1x8x6 lo=1 hi=2 seed=1"], pipeline = "tile-size=3 tiles-on-buffers=true"} {
    %0 = pit.sparse %arg0 <kind = values, axes = [0, 1]> : tensor<4x8xi64>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%0, %arg4 : tensor<4x8xi64>, tensor<4x6xi64>) outs(%arg6 : tensor<1x8x6xi64>) {
    ^bb0(%in: i64, %in_0: i64, %out: i64):
      %2 = arith.muli %in, %in_0 : i64
      %3 = arith.addi %out, %2 : i64
      linalg.yield %3 : i64
    } -> tensor<1x8x6xi64>
    return %1 : tensor<1x8x6xi64>
  }
}


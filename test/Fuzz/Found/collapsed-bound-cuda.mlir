// A list of the dimensions that were collapsed into one was read after its end of life, to bound a buffer in a kernel.
// RUN: pit-fuzz %s --target cuda --compile-only

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d1, d2, d5, d0)>
module {
  func.func @main(%arg0: tensor<1x2x33x1xi32>, %arg1: tensor<2xi64>, %arg2: tensor<1x3x1xi32>, %arg3: tensor<1xi64>, %arg4: tensor<31xi1>, %arg5: tensor<1x2x1xi32> {pit.sparse = {absent = "zero", axes = array<i64: 0, 2>, from = 6 : i64, pad = "left", source = "lengths"}}, %arg6: tensor<1xi32>, %arg7: tensor<2x1x2xi32>, %arg8: tensor<2xi1>, %arg9: tensor<2x1xi32>, %arg10: tensor<1x2x31x33x1xi32>, %arg11: tensor<1x31x33x1xi32>, %arg12: tensor<1x3x1xi32>, %arg13: tensor<1x2x31x1x1xi32>) -> tensor<1x2x31x33x1xi32> attributes {inputs = ["kind=ints shape=1x2x33x1 lo=1 hi=2 seed=474969", "kind=ints shape=2 lo=0 hi=2 seed=836585", "kind=ints shape=1x3x1 lo=1 hi=2 seed=274859", "kind=ints shape=1 lo=0 hi=4 seed=919846", "kind=ints shape=31 lo=0 hi=2 live=80% dead=zero seed=414206", "kind=ints shape=1x2x1 lo=1 hi=2 seed=593313", "kind=ints shape=1 lo=0 hi=2 seed=439997", "kind=ints shape=2x1x2 lo=1 hi=2 live=0% block=1x1x2 dead=zero seed=224250", "kind=ints shape=2 lo=0 hi=2 live=0% block=4 dead=zero seed=701898", "kind=ints shape=2x1 lo=1 hi=2 seed=256537", "kind=ints shape=1x2x31x33x1 lo=1 hi=2 seed=636748", "kind=ints shape=1x31x33x1 lo=1 hi=2 live=80% dead=signed_zero seed=276396", "kind=ints shape=1x3x1 lo=1 hi=2 seed=1", "kind=ints shape=1x2x31x1x1 lo=1 hi=2 seed=1"]} {
    %0 = pit.sparse %arg13 by(%arg4 : tensor<31xi1>) <kind = mask, axes = [2]> : tensor<1x2x31x1x1xi32>
    %1 = tensor.empty() : tensor<1x2x31x33x1xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%arg5, %0 : tensor<1x2x1xi32>, tensor<1x2x31x1x1xi32>) outs(%1 : tensor<1x2x31x33x1xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %3 = arith.muli %in, %in_0 : i32
      %4 = arith.addi %out, %3 : i32
      linalg.yield %4 : i32
    } -> tensor<1x2x31x33x1xi32>
    return %2 : tensor<1x2x31x33x1xi32>
  }
}


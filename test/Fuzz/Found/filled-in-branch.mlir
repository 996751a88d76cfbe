// A fill of its own in the branch of a dense variant: upstream's elimination of empty tensors put what the branch yields in
// the place of the tensor that is filled.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: filled-in-branch.mlir: agrees
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
module {
  func.func @main(%arg0: tensor<24x7x24xi64> {pit.sparse = {absent = "zero", axes = array<i64: 0, 1, 2>, pad = "right", source = "values"}}, %arg1: index, %arg2: tensor<1x?x24xi64>, %arg3: tensor<24xi64>) -> tensor<24x?xi64> attributes {inputs = ["kind=ints shape=24x7x24 lo=1 hi=2 live=30% dead=signed_zero seed=432730", "kind=ints lo=4 hi=5 seed=0", "kind=ints shape=1x4x24 lo=1 hi=2 seed=896138", "kind=ints shape=24 lo=0 hi=25 live=60% dead=zero seed=748599"]} {
    %c0_i64 = arith.constant 0 : i64
    %0 = tensor.empty(%arg1) : tensor<24x?xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<24x?xi64>) -> tensor<24x?xi64>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["reduction", "reduction", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<24x7x24xi64>, tensor<24x7x24xi64>) outs(%1 : tensor<24x?xi64>) {
    ^bb0(%in: i64, %in_0: i64, %out: i64):
      %3 = arith.muli %in, %in_0 : i64
      %4 = arith.addi %3, %out : i64
      linalg.yield %4 : i64
    } -> tensor<24x?xi64>
    %inserted_slice = tensor.insert_slice %2 into %2[0, 0] [24, %arg1] [1, 1] : tensor<24x?xi64> into tensor<24x?xi64>
    return %inserted_slice : tensor<24x?xi64>
  }
}


// Lengths of one sequence of one position.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @main(%arg0: tensor<8x1x1xi32>, %arg1: tensor<1xi64>) -> tensor<1x1xi32> attributes {inputs = ["kind=ints shape=8x1x1 lo=-4 hi=5 live=0% dead=zero seed=703268", "kind=ints shape=1 lo=0 hi=2 seed=654321"], pipeline = "tile-size=8 dense-variants=false", unit = "last"} {
    %0 = pit.sparse %arg0 by(%arg1 : tensor<1xi64>) <kind = lengths, axes = [1, 2], pad = left> : tensor<8x1x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %1 = tensor.empty() : tensor<1x1xi32>
    %2 = linalg.fill ins(%c0_i32 : i32) outs(%1 : tensor<1x1xi32>) -> tensor<1x1xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel", "parallel"]} ins(%0 : tensor<8x1x1xi32>) outs(%2 : tensor<1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      %4 = arith.addi %out, %in : i32
      linalg.yield %4 : i32
    } -> tensor<1x1xi32>
    return %3 : tensor<1x1xi32>
  }
}

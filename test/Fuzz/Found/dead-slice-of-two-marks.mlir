// Where two marks are dead together, an op's result is what it makes of zeros; it was made of other numbers, as no operand is dead by both marks.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (8 elements compared, 0 of them within bounds, 0 not promised)

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<2x4xi32>, %arg1: tensor<4xi1>, %arg2: tensor<4xi32>, %arg3: tensor<2xi32>, %arg4: tensor<4xi1>) -> tensor<2x4xi32> attributes {inputs = ["kind=ints shape=2x4 lo=1 hi=2 seed=1", "kind=ints shape=4 lo=0 hi=1 seed=2", "kind=ints shape=4 lo=2 hi=3 seed=3", "kind=ints shape=2 lo=0 hi=1 seed=4", "kind=ints shape=4 lo=0 hi=1 seed=5"]} {
    %0 = pit.sparse %arg0 by(%arg1 : tensor<4xi1>) <kind = mask, axes = [1]> : tensor<2x4xi32>
    %1 = pit.sparse %arg2 by(%arg4 : tensor<4xi1>) <kind = mask, axes = [0]> : tensor<4xi32>
    %2 = tensor.empty() : tensor<2x4xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%0, %1, %arg3 : tensor<2x4xi32>, tensor<4xi32>, tensor<2xi32>) outs(%2 : tensor<2x4xi32>) {
    ^bb0(%in: i32, %in_0: i32, %in_1: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %4 = arith.subi %c0_i32, %in_0 : i32
      %5 = arith.xori %4, %in : i32
      %6 = arith.ori %5, %in_1 : i32
      linalg.yield %6 : i32
    } -> tensor<2x4xi32>
    return %3 : tensor<2x4xi32>
  }
}

// A producer that reads its destination was fused into an op with another loop, and added to it at each of its points.
// RUN: pit-fuzz %s | FileCheck %s
// RUN: pit-opt --pit-normalize %s | FileCheck %s --check-prefix=IR
// CHECK: agrees (12 elements compared

// IR-COUNT-2: linalg.generic

#one = affine_map<(d0) -> (d0)>
#in = affine_map<(d0, d1) -> (d0)>
#out = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4x3xi32> attributes {
    inputs = ["shape=4 lo=1 hi=9 seed=1", "shape=4 lo=1 hi=9 seed=2"]} {
  %sum = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%a : tensor<4xi32>) outs(%b : tensor<4xi32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %y, %x : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  %empty = tensor.empty() : tensor<4x3xi32>
  %spread = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<4xi32>) outs(%empty : tensor<4x3xi32>) {
  ^bb0(%x: i32, %out: i32):
    %t = arith.muli %x, %x : i32
    linalg.yield %t : i32
  } -> tensor<4x3xi32>
  return %spread : tensor<4x3xi32>
}

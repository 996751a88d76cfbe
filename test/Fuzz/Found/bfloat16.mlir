// Programs of bf16 called conversions that the process does not have.
// RUN: pit-fuzz %s | FileCheck %s
// RUN: pit-fuzz %s --opt-level 3 | FileCheck %s
// CHECK: agrees (20 elements compared

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<4x5xbf16>, %b: tensor<4x5xf64>) -> tensor<4x5xbf16> attributes {
    inputs = ["kind=reals shape=4x5 lo=-2 hi=2 seed=1", "kind=reals shape=4x5 lo=-2 hi=2 seed=2"]} {
  %empty = tensor.empty() : tensor<4x5xbf16>
  %sum = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<4x5xbf16>, tensor<4x5xf64>) outs(%empty : tensor<4x5xbf16>) {
  ^bb0(%x: bf16, %y: f64, %out: bf16):
    %narrow = arith.truncf %y : f64 to bf16
    %s = arith.addf %x, %narrow : bf16
    %e = math.exp %s : bf16
    linalg.yield %e : bf16
  } -> tensor<4x5xbf16>
  return %sum : tensor<4x5xbf16>
}

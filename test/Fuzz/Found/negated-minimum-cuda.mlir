// Wrong results on a device: the assembler forgot negations below two minima in a row.
// RUN: %cuda pit-fuzz %s --target cuda | FileCheck %s
// CHECK: agrees (3179 elements compared

#x = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
#a = affine_map<(d0, d1, d2) -> (d0, d1)>
#b = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%x: tensor<17x17x11xi32>, %b: tensor<17x11xi32>, %a: tensor<17x17xi32>) -> tensor<17x17x11xi32> attributes {
    inputs = ["kind=ints shape=17x17x11 lo=1 hi=2 seed=340765", "kind=ints shape=17x11 lo=1 hi=2 seed=885115",
              "kind=ints shape=17x17 lo=-2 hi=3 seed=1"]} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<17x17x11xi32>
  %r = linalg.generic {indexing_maps = [#x, #a, #b, #out], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %a, %b : tensor<17x17x11xi32>, tensor<17x17xi32>, tensor<17x11xi32>) outs(%empty : tensor<17x17x11xi32>) {
  ^bb0(%xv: i32, %av: i32, %bv: i32, %out: i32):
    %na = arith.subi %zero, %av : i32
    %m = arith.minsi %na, %xv : i32
    %nb = arith.subi %zero, %bv : i32
    %r = arith.minsi %nb, %m : i32
    linalg.yield %r : i32
  } -> tensor<17x17x11xi32>
  return %r : tensor<17x17x11xi32>
}

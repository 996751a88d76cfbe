// A dimension that is expanded to two dynamic ones crashed the compiler where its metadata was read first.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (4 elements compared

#map = affine_map<(d0, d1) -> (d0, d1)>
#line = affine_map<(d0, d1) -> (d0)>
func.func @main(%a: tensor<?x6x?xi32>, %b: tensor<?x?x6xi32>, %c: tensor<?x?xi32>) -> tensor<?xi32> attributes {
    inputs = ["shape=4x6x4 lo=-4 hi=5 seed=1", "shape=4x4x6 lo=-4 hi=5 seed=2", "shape=4x16 lo=-4 hi=5 seed=3"]} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %a, %c0 : tensor<?x6x?xi32>
  %empty = tensor.empty(%n, %n, %n) : tensor<?x?x?xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  %p = linalg.batch_matmul ins(%b, %a : tensor<?x?x6xi32>, tensor<?x6x?xi32>) outs(%init : tensor<?x?x?xi32>)
    -> tensor<?x?x?xi32>
  %flat = tensor.collapse_shape %p [[0], [1, 2]] : tensor<?x?x?xi32> into tensor<?x?xi32>
  %lines = tensor.empty(%n) : tensor<?xi32>
  %zeros = linalg.fill ins(%zero : i32) outs(%lines : tensor<?xi32>) -> tensor<?xi32>
  %y = linalg.generic {indexing_maps = [#map, #map, #line], iterator_types = ["parallel", "reduction"]}
      ins(%flat, %c : tensor<?x?xi32>, tensor<?x?xi32>) outs(%zeros : tensor<?xi32>) {
  ^bb0(%x: i32, %v: i32, %acc: i32):
    %t = arith.muli %x, %v : i32
    %s = arith.addi %acc, %t : i32
    linalg.yield %s : i32
  } -> tensor<?xi32>
  return %y : tensor<?xi32>
}

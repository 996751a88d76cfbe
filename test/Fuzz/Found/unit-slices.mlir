// Slices that drop one of several dimensions of size 1 did not compile, or crashed, once their offsets and sizes were known.
// RUN: split-file %s %t
// RUN: pit-fuzz %t/broadcast.mlir %t/micro-tiles.mlir %t/product.mlir | FileCheck %s
// CHECK: broadcast.mlir: agrees (6 elements
// CHECK: micro-tiles.mlir: agrees (768 elements
// CHECK: product.mlir: agrees (576 elements

//--- broadcast.mlir
func.func @main(%a: tensor<1x1x2xf32>) -> tensor<1x3x1x2xf32> attributes {
    inputs = ["kind=ints shape=1x1x2 lo=1 hi=3 live=60% dead=zero seed=1"]} {
  %live = pit.sparse %a <kind = values, axes = [0, 1, 2], pad = left, tile = [1, 2, 1]> : tensor<1x1x2xf32>
  %empty = tensor.empty() : tensor<1x3x1x2xf32>
  %b = linalg.broadcast ins(%live : tensor<1x1x2xf32>) outs(%empty : tensor<1x3x1x2xf32>) dimensions = [1]
  return %b : tensor<1x3x1x2xf32>
}
//--- micro-tiles.mlir
func.func @main(%a: tensor<1x3x1xf32>, %mask: tensor<3x1x1xi1>) -> tensor<16x1x16x3x1xf32> attributes {
    inputs = ["kind=ints shape=1x3x1 lo=1 hi=2 seed=1", "kind=ints shape=3x1x1 lo=1 hi=2 seed=1"]} {
  %live = pit.sparse %a by(%mask : tensor<3x1x1xi1>)
    <kind = mask, axes = [1, 2, 0], absent = neg_inf, pad = left, tile = [8, 1, 4]> : tensor<1x3x1xf32>
  %empty = tensor.empty() : tensor<16x1x16x3x1xf32>
  %b = linalg.broadcast ins(%live : tensor<1x3x1xf32>) outs(%empty : tensor<16x1x16x3x1xf32>) dimensions = [0, 2]
  return %b : tensor<16x1x16x3x1xf32>
}
//--- product.mlir
func.func @main(%a: tensor<1x24x1xi32>,
                %b: tensor<1x1x24xi32> {pit.sparse = {absent = "zero", axes = array<i64: 0, 2>, from = 2 : i64, pad = "right", source = "lengths"}},
                %lengths: tensor<1xi64>) -> tensor<1x24x24xi32> attributes {
    inputs = ["kind=ints shape=1x24x1 lo=1 hi=3 seed=1", "kind=ints shape=1x1x24 lo=1 hi=3 seed=2",
              "kind=ints shape=1 lo=9 hi=10 seed=3"]} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x24x24xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x24x24xi32>) -> tensor<1x24x24xi32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<1x24x1xi32>, tensor<1x1x24xi32>) outs(%init : tensor<1x24x24xi32>) -> tensor<1x24x24xi32>
  return %c : tensor<1x24x24xi32>
}

// Tensors without elements were cut into slices that the verifier refuses.
// RUN: split-file %s %t
// RUN: pit-fuzz %t/product.mlir %t/concat.mlir %t/part.mlir %t/pad.mlir %t/padding.mlir | FileCheck %s
// CHECK: product.mlir: agrees (0 elements
// CHECK: concat.mlir: agrees (0 elements
// CHECK: part.mlir: agrees (4 elements
// CHECK: pad.mlir: agrees (0 elements
// CHECK: padding.mlir: agrees (7 elements

//--- product.mlir
func.func @main(%a: tensor<2x0x0xi64>, %b: tensor<2x0x3xi64>) -> tensor<2x0x3xi64> attributes {
    inputs = ["shape=2x0x0 lo=1 hi=2", "shape=2x0x3 lo=1 hi=2"]} {
  %live = pit.sparse %b <kind = values, axes = [0, 1, 2]> : tensor<2x0x3xi64>
  %zero = arith.constant 0 : i64
  %empty = tensor.empty() : tensor<2x0x3xi64>
  %init = linalg.fill ins(%zero : i64) outs(%empty : tensor<2x0x3xi64>) -> tensor<2x0x3xi64>
  %c = linalg.batch_matmul ins(%a, %live : tensor<2x0x0xi64>, tensor<2x0x3xi64>) outs(%init : tensor<2x0x3xi64>)
    -> tensor<2x0x3xi64>
  return %c : tensor<2x0x3xi64>
}
//--- concat.mlir
func.func @main(%a: tensor<8x0x8x?xf64>, %b: tensor<8x0x8x?xf64>) -> tensor<8x0x16x?xf64> attributes {
    inputs = ["shape=8x0x8x9 lo=1 hi=2", "shape=8x0x8x9 lo=1 hi=2"]} {
  %c = tensor.concat dim(2) %a, %b : (tensor<8x0x8x?xf64>, tensor<8x0x8x?xf64>) -> tensor<8x0x16x?xf64>
  return %c : tensor<8x0x16x?xf64>
}
//--- part.mlir
func.func @main(%a: tensor<4xi32>, %b: tensor<0xi32>) -> tensor<4xi32> attributes {
    inputs = ["shape=4 lo=1 hi=9", "shape=0 lo=1 hi=2"]} {
  %c = tensor.concat dim(0) %a, %b : (tensor<4xi32>, tensor<0xi32>) -> tensor<4xi32>
  return %c : tensor<4xi32>
}
//--- pad.mlir
func.func @main(%a: tensor<0x5x?xf32>) -> tensor<0x7x?xf32> attributes {inputs = ["shape=0x5x3 lo=1 hi=2"]} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 2, 2] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<0x5x?xf32> to tensor<0x7x?xf32>
  return %p : tensor<0x7x?xf32>
}
//--- padding.mlir
func.func @main(%a: tensor<4x0xf64>) -> tensor<7x1xf64> attributes {inputs = ["shape=4x0 lo=1 hi=2"]} {
  %two = arith.constant 2.0 : f64
  %p = tensor.pad %a low[2, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %two : f64
  } : tensor<4x0xf64> to tensor<7x1xf64>
  return %p : tensor<7x1xf64>
}

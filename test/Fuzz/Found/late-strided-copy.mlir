// A copy that turned out to be strided when views were resolved called a function that nobody has.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (

module {
  func.func @main(%arg0: tensor<?x?x?xf64>, %arg1: tensor<?x?xf64>, %arg2: tensor<?x?xf64>) -> tensor<?x?xf64> attributes {inputs = ["kind=ints shape=1x1x16 lo=1 hi=2 seed=948551", "kind=ints shape=2x1 lo=1 hi=2 seed=130049", "kind=ints shape=2x16 lo=1 hi=2 seed=206140"]} {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<?x?x?xf64> into tensor<?x?xf64>
    %0 = linalg.matmul ins(%arg1, %collapsed : tensor<?x?xf64>, tensor<?x?xf64>) outs(%arg2 : tensor<?x?xf64>) -> tensor<?x?xf64>
    return %0 : tensor<?x?xf64>
  }
}


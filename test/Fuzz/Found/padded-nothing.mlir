// A pad of a tensor whose extent of 0 a reshape hides did not compile.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees

module {
  func.func @main(%arg0: tensor<?x0xi64>) -> tensor<?xi64> attributes {inputs = ["kind=ints shape=12x0 lo=1 hi=2 live=30% dead=zero seed=338060"]} {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<?x0xi64> into tensor<?xi64>
    %c0_i64 = arith.constant 0 : i64
    %padded = tensor.pad %collapsed low[2] high[0] {
    ^bb0(%arg1: index):
      tensor.yield %c0_i64 : i64
    } : tensor<?xi64> to tensor<?xi64>
    return %padded : tensor<?xi64>
  }
}

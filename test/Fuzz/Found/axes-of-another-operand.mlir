// Axes of a pattern that the op's other operand does not have were looked up in its map.
// RUN: pit-fuzz %s | FileCheck %s
// CHECK: agrees (0 elements compared, 0 of them within bounds, 16 not promised)

module {
  func.func @main(%arg0: tensor<4x4x5xf32>, %arg1: tensor<5x4x4xi1>, %arg2: tensor<4x5xf32>) -> tensor<4x4xf32> attributes {inputs = ["kind=ints shape=4x4x5 lo=1 hi=2 live=10% dead=zero seed=777554", "kind=ints shape=5x4x4 lo=1 hi=2 seed=958258", "kind=ints shape=4x5 lo=1 hi=2 seed=151924"]} {
    %0 = pit.sparse %arg0 by(%arg1 : tensor<5x4x4xi1>) <kind = mask, axes = [2, 1, 0]> : tensor<4x4x5xf32>
    %1 = tensor.empty() : tensor<4x4xf32>
    %2 = linalg.batch_matvec ins(%0, %arg2 : tensor<4x4x5xf32>, tensor<4x5xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}


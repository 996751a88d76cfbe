// y = x * x, whose gradient is said to be that of x + x.
func.func @main(%x: tensor<5xf32>, %given: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
    attributes {
      inputs = ["kind=reals shape=5 lo=1 hi=2 seed=1", "kind=reals shape=5 lo=1 hi=2 seed=2"],
      gradients = {outputs = array<i64: 0>, given = array<i64: 1>, parameters = array<i64: 0>,
                   gradients = array<i64: 1>, sums = array<i64>}} {
  %0 = tensor.empty() : tensor<5xf32>
  %y = linalg.mul ins(%x, %x : tensor<5xf32>, tensor<5xf32>) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  %dx = linalg.add ins(%given, %given : tensor<5xf32>, tensor<5xf32>) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  return %y, %dx : tensor<5xf32>, tensor<5xf32>
}

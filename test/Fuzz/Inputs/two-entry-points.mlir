// A product with ReLU behind it. The backward reads the weight, the gradient that is given, and what forward has saved.
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<3x4xf32>, %w: tensor<4x2xf32>, %given: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
    attributes {inputs = ["kind=ints shape=3x4 lo=-2 hi=3 seed=1", "kind=ints shape=4x2 lo=-2 hi=3 seed=2",
                          "kind=ints shape=3x2 lo=-2 hi=3 seed=3"]} {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<3x2xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<3x2xf32>) -> tensor<3x2xf32>
  %h = linalg.matmul ins(%x, %w : tensor<3x4xf32>, tensor<4x2xf32>) outs(%1 : tensor<3x2xf32>) -> tensor<3x2xf32>
  %y = linalg.max ins(%h, %1 : tensor<3x2xf32>, tensor<3x2xf32>) outs(%0 : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y, %h : tensor<3x2xf32>, tensor<3x2xf32>
}
func.func @backward(%w: tensor<4x2xf32>, %x: tensor<3x4xf32>, %h: tensor<3x2xf32>) -> tensor<3x4xf32>
    attributes {from = array<i64: 1, 0, -2>} {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<3x2xf32>
  %dh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<3x2xf32>) outs(%0 : tensor<3x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %live = arith.cmpf ogt, %a, %zero : f32
    %d = arith.uitofp %live : i1 to f32
    linalg.yield %d : f32
  } -> tensor<3x2xf32>
  %1 = tensor.empty() : tensor<2x4xf32>
  %wt = linalg.transpose ins(%w : tensor<4x2xf32>) outs(%1 : tensor<2x4xf32>) permutation = [1, 0]
  %2 = linalg.fill ins(%zero : f32) outs(%x : tensor<3x4xf32>) -> tensor<3x4xf32>
  %dx = linalg.matmul ins(%dh, %wt : tensor<3x2xf32>, tensor<2x4xf32>) outs(%2 : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %dx : tensor<3x4xf32>
}

func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> attributes {inputs = ["shape=3"]} {
  return %a : tensor<3xf32>
}

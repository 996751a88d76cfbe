func.func @main(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  return %x : tensor<8x6xf32>
}

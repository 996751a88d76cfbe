func.func @known(%a: tensor<4096x4096xf32>, %b: tensor<4096x4096xf32>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%c : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}
func.func @open(%a: tensor<?x?x512xf32>, %b: tensor<?x512x512xf32>, %c: tensor<?x?x512xf32>) -> tensor<?x?x512xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<?x?x512xf32>, tensor<?x512x512xf32>) outs(%c : tensor<?x?x512xf32>) -> tensor<?x?x512xf32>
  return %r : tensor<?x?x512xf32>
}
func.func @windows(%a: tensor<?xf32>, %b: tensor<3xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.conv_1d ins(%a, %b : tensor<?xf32>, tensor<3xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

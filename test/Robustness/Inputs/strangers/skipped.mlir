// What is no whole program on tensors.
func.func @buffers(%x: memref<4xf32>) {
  return
}
func.func private @elsewhere(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @numbers(%x: f32) -> f32 {
  return %x : f32
}
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "other.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @below {{}}
func.func @fails(%x: tensor<4xf32>) -> tensor<5xf32> {
  return %x : tensor<4xf32>
}

// -----

// One function that does not verify leaves its neighbours.
func.func @old(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tensor.removed %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @neighbour(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

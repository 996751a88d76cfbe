// RUN: pit-opt %s --pit-to-ptx="f32-products=tf32" | pit-translate --pit-to-manifest | FileCheck %s

// Tensor maps say that copies round f32 to tf32; buffers and strides are those of f32.
// CHECK: "buffers"
// CHECK-COUNT-3: "dtype": "f32"
// CHECK: "launches"
// CHECK: "tensor_map"
// CHECK: "dtype": "tf32"
// CHECK: "strides": [
// CHECK-NEXT: 272
// CHECK: "tensor_map"
// CHECK: "dtype": "tf32"
// CHECK-NOT: tf32
func.func @along_k(%a: tensor<256x68xf32>, %b: tensor<264x68xf32>) -> tensor<256x264xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x264xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<256x264xf32>) -> tensor<256x264xf32>
  %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<256x68xf32>, tensor<264x68xf32>) outs(%z : tensor<256x264xf32>) -> tensor<256x264xf32>
  return %c : tensor<256x264xf32>
}

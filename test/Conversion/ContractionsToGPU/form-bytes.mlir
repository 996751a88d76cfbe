// Inputs of i8, which wgmma reads along k alone, are copied so in front of large products; of few rows, mma.sync takes them as they lie.
// RUN: pit-opt %s --pit-form-kernels=chip=sm_90a | FileCheck %s
// RUN: pit-opt %s --pit-form-kernels=chip=sm_80 | FileCheck %s --check-prefix=OLD

// CHECK-LABEL: func @large
// CHECK: %[[B:.*]] = linalg.transpose ins(%{{.*}} : tensor<768x1024xi8>) outs(%{{.*}} : tensor<1024x768xi8>) permutation = [1, 0]
// CHECK: pit.contract dense ins(%{{.*}}, %[[B]] : tensor<512x768xi8>, tensor<1024x768xi8>)
// CHECK-SAME: unsigned_a, unsigned_b
// OLD-LABEL: func @large
// OLD-NOT: linalg.transpose
// OLD: pit.contract dense ins(%{{.*}}, %{{.*}} : tensor<512x768xi8>, tensor<768x1024xi8>)
func.func @large(%a: tensor<512x768xi8>, %b: tensor<768x1024xi8>) -> tensor<512x1024xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<512x1024xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<512x1024xi32>) -> tensor<512x1024xi32>
  %s = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<512x768xi8>, tensor<768x1024xi8>) outs(%z : tensor<512x1024xi32>) -> tensor<512x1024xi32>
  return %s : tensor<512x1024xi32>
}

// CHECK-LABEL: func @few
// CHECK-NOT: linalg.transpose
// CHECK: pit.contract dense ins(%{{.*}}, %{{.*}} : tensor<16x768xi8>, tensor<768x1024xi8>)
// CHECK-NOT: unsigned
func.func @few(%a: tensor<16x768xi8>, %b: tensor<768x1024xi8>) -> tensor<16x1024xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<16x1024xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<16x1024xi32>) -> tensor<16x1024xi32>
  %s = linalg.matmul ins(%a, %b : tensor<16x768xi8>, tensor<768x1024xi8>) outs(%z : tensor<16x1024xi32>) -> tensor<16x1024xi32>
  return %s : tensor<16x1024xi32>
}

// Both of each batch.
// CHECK-LABEL: func @batches
// CHECK: linalg.transpose ins(%{{.*}} : tensor<4x768x512xi8>) outs(%{{.*}} : tensor<4x512x768xi8>) permutation = [0, 2, 1]
// CHECK: linalg.transpose ins(%{{.*}} : tensor<4x768x1024xi8>) outs(%{{.*}} : tensor<4x1024x768xi8>) permutation = [0, 2, 1]
// CHECK: pit.contract batches
func.func @batches(%a: tensor<4x768x512xi8>, %b: tensor<4x768x1024xi8>) -> tensor<4x512x1024xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x512x1024xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<4x512x1024xi32>) -> tensor<4x512x1024xi32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x768x512xi8>, tensor<4x768x1024xi8>) outs(%z : tensor<4x512x1024xi32>) {
  ^bb0(%x: i8, %y: i8, %t: i32):
    %v = arith.extsi %x : i8 to i32
    %w = arith.extsi %y : i8 to i32
    %p = arith.muli %v, %w : i32
    %q = arith.addi %t, %p : i32
    linalg.yield %q : i32
  } -> tensor<4x512x1024xi32>
  return %s : tensor<4x512x1024xi32>
}

// Floats of 8 bits stay: threads, which take them, are more exact.
// CHECK-LABEL: func @floats
// CHECK-NOT: linalg.transpose
func.func @floats(%a: tensor<512x768xf8E4M3FN>, %b: tensor<768x1024xf8E4M3FN>) -> tensor<512x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %s = linalg.matmul ins(%a, %b : tensor<512x768xf8E4M3FN>, tensor<768x1024xf8E4M3FN>) outs(%z : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  return %s : tensor<512x1024xf32>
}

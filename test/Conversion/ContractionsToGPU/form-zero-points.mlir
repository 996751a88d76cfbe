// Zero points are taken out of products of i8: sums along rows of A and columns of B, and elementwise work behind the product, which is the
// kernel's where they are known.
// RUN: pit-opt %s --pit-form-kernels=chip=sm_80 --canonicalize | FileCheck %s
// RUN: pit-opt %s --pit-form-kernels=chip=sm_75 | FileCheck %s --check-prefix=OLD

// OLD: linalg.quantized_matmul
// CHECK-LABEL: func @both
// CHECK: %[[OF_A:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<64x32xi8>)
// CHECK: %[[OF_B:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%{{.*}} : tensor<32x48xi8>)
// CHECK: pit.contract dense ins(%{{.*}}, %{{.*}} : tensor<64x32xi8>, tensor<32x48xi8>) with(%[[OF_A]], %[[OF_B]] : tensor<64xi32>, tensor<48xi32>)
// CHECK: ^bb0(%[[SUM:.*]]: i32, %[[A:.*]]: i32, %[[B:.*]]: i32):
// CHECK: arith.muli %[[A]], %c-3_i32
// CHECK: arith.subi %[[SUM]]
// CHECK: arith.muli %[[B]], %c5_i32
// CHECK: arith.addi %{{.*}}, %c-480_i32
func.func @both(%a: tensor<64x32xi8>, %b: tensor<32x48xi8>) -> tensor<64x48xi32> {
  %zero = arith.constant 0 : i32
  %p = arith.constant 5 : i32
  %q = arith.constant -3 : i32
  %e = tensor.empty() : tensor<64x48xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<64x48xi32>) -> tensor<64x48xi32>
  %r = linalg.quantized_matmul ins(%a, %b, %p, %q : tensor<64x32xi8>, tensor<32x48xi8>, i32, i32) outs(%z : tensor<64x48xi32>) -> tensor<64x48xi32>
  return %r : tensor<64x48xi32>
}

// Zeros are nothing; what is summed along one input alone would count the other one often.
// CHECK-LABEL: func @neither
// CHECK-NOT: tensor<64xi32>
// CHECK: pit.contract dense
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @neither(%a: tensor<64x32xi8>, %b: tensor<32x48xi8>, %w: tensor<64x32x4xi8>) -> (tensor<64x48xi32>, tensor<64x48xi32>) {
  %zero = arith.constant 0 : i32
  %p = arith.constant 5 : i32
  %e = tensor.empty() : tensor<64x48xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<64x48xi32>) -> tensor<64x48xi32>
  %r = linalg.quantized_matmul ins(%a, %b, %zero, %zero : tensor<64x32xi8>, tensor<32x48xi8>, i32, i32) outs(%z : tensor<64x48xi32>) -> tensor<64x48xi32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (k, n)>, affine_map<(m, n, k, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%w, %b : tensor<64x32x4xi8>, tensor<32x48xi8>) outs(%z : tensor<64x48xi32>) {
  ^bb0(%x: i8, %y: i8, %t: i32):
    %v = arith.extsi %x : i8 to i32
    %u = arith.subi %v, %p : i32
    %h = arith.extsi %y : i8 to i32
    %i = arith.muli %u, %h : i32
    %q = arith.addi %i, %t : i32
    linalg.yield %q : i32
  } -> tensor<64x48xi32>
  return %r, %s : tensor<64x48xi32>, tensor<64x48xi32>
}

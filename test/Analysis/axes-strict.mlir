// RUN: pit-opt %s --pit-annotate-axes=strict=true --verify-diagnostics | FileCheck %s

// Without the reassociation licence, float sums and products keep their order. What is exact in any order stays.

// CHECK-LABEL: func @matmul
// CHECK: linalg.matmul {pit.axes = ["parallel", "parallel", "refused: combiner 'arith.addf' of output #0 would be reassociated, which 'strict' forbids"]}
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-remark @below {{axis 2 refused: combiner 'arith.addf' of output #0 would be reassociated, which 'strict' forbids}}
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @matmul_int
// CHECK: linalg.matmul {pit.axes = ["parallel", "parallel", "reduction"]}
func.func @matmul_int(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// CHECK-LABEL: func @product
// CHECK: pit.axes = ["refused: {{.*}}"]
func.func @product(%x: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{axis 0 refused: combiner 'arith.mulf' of output #0 would be reassociated}}
  %0 = linalg.reduce { arith.mulf } ins(%x : tensor<?xf32>) outs(%c : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}

// CHECK-LABEL: func @max
// CHECK: pit.axes = ["reduction"]
func.func @max(%x: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<?xf32>) outs(%c : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}

// CHECK-LABEL: func @min
// CHECK: pit.axes = ["reduction"]
func.func @min(%x: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.reduce { arith.minnumf } ins(%x : tensor<?xf32>) outs(%c : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}

// The program itself grants the licence.
// CHECK-LABEL: func @licensed
// CHECK: pit.axes = ["reduction"]
func.func @licensed(%x: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%c : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %1 = arith.addf %acc, %in fastmath<reassoc> : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

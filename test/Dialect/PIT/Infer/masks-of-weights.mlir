// Floats that weights are multiplied with, as pruning writes its masks.
// RUN: pit-opt %s --split-input-file --pit-infer-marks | FileCheck %s

// Several products, one of them with a weight that nothing else reads; also through a view.
// CHECK-LABEL: func.func @training
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<8x4xf32>) ->
// CHECK: %[[LIVE:.*]] = linalg.generic {{.*}} ins(%[[M]]
// CHECK: arith.cmpf
// CHECK: pit.sparse %[[M]] by(%[[LIVE]] : tensor<8x4xi1>) <kind = mask, axes = [0, 1]>
func.func @training(%x: tensor<2x8xf32>, %w: tensor<8x4xf32>, %dw: tensor<8x4xf32>, %m: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %masked = linalg.mul ins(%m, %w : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %square = linalg.square ins(%dw : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %kept = linalg.mul ins(%square, %m : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %masked, %kept : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// Two arguments that are read once: one is the mask of the other, and the product is marked.
// CHECK-LABEL: func.func @inference
// CHECK: %[[W:.*]] = linalg.generic
// CHECK: arith.mulf
// CHECK: %[[LIVE:.*]] = linalg.generic {{.*}} ins(%[[W]]
// CHECK: pit.sparse %[[W]] by(%[[LIVE]] : tensor<8x4xi1>) <kind = mask, axes = [0, 1]>
func.func @inference(%w: tensor<8x4xf32>, %m: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %masked = linalg.mul ins(%w, %m : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %masked : tensor<8x4xf32>
}

// -----

// Activations that a gated layer saves are read again, each with the gradient.
// CHECK-LABEL: func.func @activations
// CHECK-NOT: pit.sparse
func.func @activations(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>, %d: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %h = linalg.mul ins(%a, %b : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %square = linalg.square ins(%d : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %da = linalg.mul ins(%square, %b : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %db = linalg.mul ins(%square, %a : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %h, %da, %db : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// A scale of each column is no mask, nor is what is added somewhere.
// CHECK-LABEL: func.func @scales
// CHECK-NOT: pit.sparse
func.func @scales(%w: tensor<8x4xf32>, %s: tensor<4xf32>, %v: tensor<8x4xf32>, %m: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%w, %s : tensor<8x4xf32>, tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %product = linalg.mul ins(%v, %m : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %sum = linalg.add ins(%scaled, %m : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %scaled, %product, %sum : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}

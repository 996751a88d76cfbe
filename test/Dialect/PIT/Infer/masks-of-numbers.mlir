// Masks of numbers of which a program reads whether they hold.
// RUN: pit-opt %s --split-input-file --pit-infer-marks | FileCheck %s

// CHECK-LABEL: func.func @truncated
// CHECK: %[[M:.*]] = linalg.generic
// CHECK: arith.trunci
// CHECK: pit.sparse %[[M]] by(%[[M]] : tensor<4x128xi1>) <kind = mask, axes = [0, 1]>
func.func @truncated(%x: tensor<4x128xf32>, %n: tensor<4x128xi8>) -> tensor<4x128xf32> {
  %m = arith.trunci %n : tensor<4x128xi8> to tensor<4x128xi1>
  %zero = arith.constant dense<0.0> : tensor<4x128xf32>
  %y = arith.select %m, %x, %zero : tensor<4x128xi1>, tensor<4x128xf32>
  return %y : tensor<4x128xf32>
}

// -----

// CHECK-LABEL: func.func @integers
// CHECK: pit.sparse %{{.*}} by(%{{.*}} : tensor<4x128xi1>) <kind = mask, axes = [0, 1]>
func.func @integers(%x: tensor<4x128xf32>, %n: tensor<4x128xi8>) -> tensor<4x128xf32> {
  %none = arith.constant dense<0> : tensor<4x128xi8>
  %m = arith.cmpi ne, %n, %none : tensor<4x128xi8>
  %zero = arith.constant dense<0.0> : tensor<4x128xf32>
  %y = arith.select %m, %x, %zero : tensor<4x128xi1>, tensor<4x128xf32>
  return %y : tensor<4x128xf32>
}

// -----

// Floats of which nothing else is read; also through a view.
// CHECK-LABEL: func.func @floats
// CHECK: %[[M:.*]] = linalg.generic
// CHECK: arith.cmpf
// CHECK: pit.sparse %[[M]] by(%{{.*}} : tensor<4x128xi1>) <kind = mask
func.func @floats(%x: tensor<4x128xf32>, %n: tensor<512xbf16>) -> tensor<4x128xf32> {
  %v = tensor.expand_shape %n [[0, 1]] output_shape [4, 128] : tensor<512xbf16> into tensor<4x128xbf16>
  %half = arith.constant dense<0.5> : tensor<4x128xbf16>
  %m = arith.cmpf ogt, %v, %half : tensor<4x128xbf16>
  %zero = arith.constant dense<0.0> : tensor<4x128xf32>
  %y = arith.select %m, %x, %zero : tensor<4x128xi1>, tensor<4x128xf32>
  return %y : tensor<4x128xf32>
}

// -----

// In one op with what it chooses.
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @fused
// CHECK: arith.cmpf
// CHECK: pit.sparse %{{.*}} by(%{{.*}} : tensor<4x128xi1>) <kind = mask, axes = [0, 1]>
func.func @fused(%x: tensor<4x128xf32>, %n: tensor<4x128xf32>) -> tensor<4x128xf32> {
  %e = tensor.empty() : tensor<4x128xf32>
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %n : tensor<4x128xf32>, tensor<4x128xf32>) outs(%e : tensor<4x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf une, %b, %zero : f32
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4x128xf32>
  return %y : tensor<4x128xf32>
}

// -----

// Numbers that are read as well are data.
// CHECK-LABEL: func.func @data
// CHECK-NOT: pit.sparse
func.func @data(%x: tensor<4x128xf32>, %n: tensor<4x128xf32>) -> (tensor<4x128xf32>, tensor<4x128xf32>) {
  %none = arith.constant dense<0.0> : tensor<4x128xf32>
  %m = arith.cmpf une, %n, %none : tensor<4x128xf32>
  %y = arith.select %m, %x, %none : tensor<4x128xi1>, tensor<4x128xf32>
  %z = arith.mulf %n, %x : tensor<4x128xf32>
  return %y, %z : tensor<4x128xf32>, tensor<4x128xf32>
}

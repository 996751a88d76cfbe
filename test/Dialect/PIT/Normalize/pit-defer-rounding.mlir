// What is added to a sum, or multiplied with it, is rounded once, behind it.
// RUN: pit-opt %s --pit-defer-rounding -split-input-file | FileCheck %s

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// The bias of a linear layer and its ReLU: what is compared is what is stored.
// CHECK-LABEL: func @bias_relu(
// CHECK: ^bb0(%[[S:.*]]: f32, %[[B:.*]]: bf16, %{{.*}}: bf16):
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[B]] : bf16 to f32
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[S]], %[[WIDE]] : f32
// CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT: %[[LIVE:.*]] = arith.cmpf ugt, %[[ROUNDED]], %{{.*}} : bf16
// CHECK-NEXT: %[[R:.*]] = arith.select %[[LIVE]], %[[ROUNDED]], %{{.*}} : bf16
// CHECK-NEXT: linalg.yield %[[R]] : bf16
func.func @bias_relu(%x: tensor<8x16xf32>, %b: tensor<16xbf16>) -> tensor<8x16xbf16> {
  %zero = arith.constant 0.0 : bf16
  %0 = tensor.empty() : tensor<8x16xbf16>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<8x16xf32>, tensor<16xbf16>) outs(%0 : tensor<8x16xbf16>) {
  ^bb0(%s: f32, %c: bf16, %o: bf16):
    %2 = arith.truncf %s : f32 to bf16
    %3 = arith.addf %2, %c : bf16
    %4 = arith.cmpf ugt, %3, %zero : bf16
    %5 = arith.select %4, %3, %zero : bf16
    linalg.yield %5 : bf16
  } -> tensor<8x16xbf16>
  return %1 : tensor<8x16xbf16>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// A chain stays wide. What reads the rounded sum besides still does.
// CHECK-LABEL: func @chain(
// CHECK: ^bb0(%[[S:.*]]: f32, %[[B:.*]]: bf16, %{{.*}}: bf16, %{{.*}}: bf16):
// CHECK-DAG: %[[FIRST:.*]] = arith.truncf %[[S]] : f32 to bf16
// CHECK-DAG: %[[WIDE:.*]] = arith.extf %[[B]] : bf16 to f32
// CHECK: %[[SUM:.*]] = arith.subf %[[S]], %[[WIDE]] fastmath<contract> : f32
// CHECK: %[[TWO:.*]] = arith.constant 2.{{0+}}e+00 : f32
// CHECK: %[[TWICE:.*]] = arith.mulf %[[SUM]], %[[TWO]] : f32
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[TWICE]] : f32 to bf16
// CHECK-NOT: truncf
// CHECK: linalg.yield %[[ROUNDED]], %[[FIRST]]
func.func @chain(%x: tensor<8x16xf32>, %b: tensor<8x16xbf16>) -> (tensor<8x16xbf16>, tensor<8x16xbf16>) {
  %two = arith.constant 2.0 : bf16
  %0 = tensor.empty() : tensor<8x16xbf16>
  %1:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<8x16xf32>, tensor<8x16xbf16>) outs(%0, %0 : tensor<8x16xbf16>, tensor<8x16xbf16>) {
  ^bb0(%s: f32, %c: bf16, %o: bf16, %p: bf16):
    %2 = arith.truncf %s : f32 to bf16
    %3 = arith.subf %2, %c fastmath<contract> : bf16
    %4 = arith.mulf %3, %two : bf16
    linalg.yield %4, %2 : bf16, bf16
  } -> (tensor<8x16xbf16>, tensor<8x16xbf16>)
  return %1#0, %1#1 : tensor<8x16xbf16>, tensor<8x16xbf16>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// f16 has another range than f32, and a sum in bf16 rounds at each step.
// CHECK-LABEL: func @stay(
// CHECK: arith.addf %{{.*}}, %{{.*}} : f16
// CHECK: arith.addf %{{.*}}, %{{.*}} : bf16
func.func @stay(%x: tensor<8x16xf32>, %b: tensor<8x16xf16>, %init: tensor<8xbf16>) -> (tensor<8x16xf16>, tensor<8xbf16>) {
  %0 = tensor.empty() : tensor<8x16xf16>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<8x16xf32>, tensor<8x16xf16>) outs(%0 : tensor<8x16xf16>) {
  ^bb0(%s: f32, %c: f16, %o: f16):
    %3 = arith.truncf %s : f32 to f16
    %4 = arith.addf %3, %c : f16
    linalg.yield %4 : f16
  } -> tensor<8x16xf16>
  %2 = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%init : tensor<8xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %3 = arith.truncf %s : f32 to bf16
    %4 = arith.addf %o, %3 : bf16
    linalg.yield %4 : bf16
  } -> tensor<8xbf16>
  return %1, %2 : tensor<8x16xf16>, tensor<8xbf16>
}

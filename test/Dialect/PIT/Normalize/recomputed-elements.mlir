// A value that is widened and scaled for several elementwise readers is computed by each of them, and one that a reduction reads is not.
// RUN: pit-opt %s --pit-normalize | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @two_readers
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xbf16>
// CHECK-COUNT-2: linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xbf16>) outs(%{{.*}} : tensor<4x8xbf16>)
// CHECK-NOT: linalg.generic
func.func @two_readers(%x: tensor<4x8xbf16>) -> (tensor<4x8xbf16>, tensor<4x8xbf16>) {
  %half = arith.constant 5.0e-01 : f32
  %ef = tensor.empty() : tensor<4x8xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xbf16>) outs(%ef : tensor<4x8xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.mulf %0, %half : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %eb = tensor.empty() : tensor<4x8xbf16>
  %tanh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%wide : tensor<4x8xf32>) outs(%eb : tensor<4x8xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %0 = math.tanh %a : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<4x8xbf16>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%wide : tensor<4x8xf32>) outs(%eb : tensor<4x8xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %0 = math.exp %a : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<4x8xbf16>
  return %tanh, %exp : tensor<4x8xbf16>, tensor<4x8xbf16>
}

// What is costly, or not wider than what it is computed from, is stored once.
// CHECK-LABEL: func.func @stored
// CHECK: %[[WIDE:.*]] = linalg.generic
// CHECK: math.exp
// CHECK-COUNT-2: linalg.generic {{.*}} ins(%[[WIDE]] : tensor<4x8xf32>)
func.func @stored(%x: tensor<4x8xbf16>) -> (tensor<4x8xbf16>, tensor<4x8xbf16>) {
  %ef = tensor.empty() : tensor<4x8xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xbf16>) outs(%ef : tensor<4x8xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %eb = tensor.empty() : tensor<4x8xbf16>
  %tanh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%wide : tensor<4x8xf32>) outs(%eb : tensor<4x8xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %0 = math.tanh %a : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<4x8xbf16>
  %neg = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%wide : tensor<4x8xf32>) outs(%eb : tensor<4x8xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %0 = arith.negf %a : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<4x8xbf16>
  return %tanh, %neg : tensor<4x8xbf16>, tensor<4x8xbf16>
}

// RUN: pit-opt %s | pit-opt | FileCheck %s
// RUN: pit-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFERS

#q = affine_map<(h, g, i, j, e, f) -> (h, g, i, e)>
#k = affine_map<(h, g, i, j, e, f) -> (h, j, e)>
#v = affine_map<(h, g, i, j, e, f) -> (h, j, f)>
#m = affine_map<(h, g, i, j, e, f) -> (i, j)>
#o = affine_map<(h, g, i, j, e, f) -> (i, h, g, f)>

// Keys and values are shared by groups of heads; the mask is data, the result has another layout and type.
// CHECK-LABEL: func @groups
// CHECK: pit.attend {zero_rows} ins(%arg0, %arg1, %arg2 : tensor<2x3x?x64xbf16>, tensor<2x?x64xbf16>, tensor<2x?x32xbf16>) modifiers(%arg3 : tensor<?x?xi1>) outs(%arg4 : tensor<?x2x3x32xf32>) maps [
// CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: i1, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index):
// CHECK: pit.logit %{{.*}} : f32
// CHECK: } -> tensor<?x2x3x32xf32>
// BUFFERS-LABEL: func @groups
// BUFFERS-NOT: memref.copy
// BUFFERS: pit.attend {zero_rows} ins({{.*}} : memref<2x3x?x64xbf16>, memref<2x?x64xbf16>, memref<2x?x32xbf16>) modifiers({{.*}} : memref<?x?xi1>) outs(%[[OUT:.*]] : memref<?x2x3x32xf32>)
// BUFFERS: return %[[OUT]]
func.func @groups(%q: tensor<2x3x?x64xbf16>, %k: tensor<2x?x64xbf16>, %v: tensor<2x?x32xbf16>, %m: tensor<?x?xi1>,
                  %o: tensor<?x2x3x32xf32>) -> tensor<?x2x3x32xf32> {
  %r = pit.attend {zero_rows} ins(%q, %k, %v : tensor<2x3x?x64xbf16>, tensor<2x?x64xbf16>, tensor<2x?x32xbf16>)
      modifiers(%m : tensor<?x?xi1>) outs(%o : tensor<?x2x3x32xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %live: i1, %h: index, %g: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %logit = arith.select %live, %score, %dead : f32
    pit.logit %logit : f32
  } -> tensor<?x2x3x32xf32>
  return %r : tensor<?x2x3x32xf32>
}

// What is added is no mask, and stays so on buffers.
// CHECK-LABEL: func @biases
// CHECK: pit.attend {biases = array<i64: 0>} ins(
// BUFFERS-LABEL: func @biases
// BUFFERS: pit.attend {biases = array<i64: 0>} ins(
func.func @biases(%q: tensor<2x3x?x64xbf16>, %k: tensor<2x?x64xbf16>, %v: tensor<2x?x32xbf16>, %m: tensor<?x?xf32>,
                  %o: tensor<?x2x3x32xf32>) -> tensor<?x2x3x32xf32> {
  %r = pit.attend {biases = array<i64: 0>} ins(%q, %k, %v : tensor<2x3x?x64xbf16>, tensor<2x?x64xbf16>, tensor<2x?x32xbf16>)
      modifiers(%m : tensor<?x?xf32>) outs(%o : tensor<?x2x3x32xf32>) maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %number: f32, %h: index, %g: index, %i: index, %j: index):
    %logit = arith.addf %score, %number : f32
    pit.logit %logit : f32
  } -> tensor<?x2x3x32xf32>
  return %r : tensor<?x2x3x32xf32>
}

// A sink of each head, which the region computes.
// CHECK-LABEL: func @sink
// CHECK: pit.logit %{{.*}} sink %{{.*}} : f32, f32
func.func @sink(%q: tensor<2x3x?x64xbf16>, %k: tensor<2x?x64xbf16>, %v: tensor<2x?x32xbf16>, %s: tensor<2x3xbf16>,
                %o: tensor<?x2x3x32xf32>) -> tensor<?x2x3x32xf32> {
  %r = pit.attend ins(%q, %k, %v : tensor<2x3x?x64xbf16>, tensor<2x?x64xbf16>, tensor<2x?x32xbf16>)
      modifiers(%s : tensor<2x3xbf16>) outs(%o : tensor<?x2x3x32xf32>) maps [#q, #k, #v, affine_map<(h, g, i, j, e, f) -> (h, g)>, #o] {
  ^bb0(%score: f32, %of_head: bf16, %h: index, %g: index, %i: index, %j: index):
    %wide = arith.extf %of_head : bf16 to f32
    pit.logit %score sink %wide : f32, f32
  } -> tensor<?x2x3x32xf32>
  return %r : tensor<?x2x3x32xf32>
}

// Logarithms of the sums of exponentials are a second result.
// CHECK-LABEL: func @logarithms
// CHECK: %[[R:.*]]:2 = pit.attend ins({{.*}}) outs(%{{.*}} : tensor<4x8x32xbf16>) lse(%{{.*}} : tensor<8x4xf32>) maps
// CHECK: } -> tensor<4x8x32xbf16>, tensor<8x4xf32>
// CHECK: return %[[R]]#0, %[[R]]#1
// BUFFERS-LABEL: func @logarithms
// BUFFERS-NOT: memref.copy
// BUFFERS: pit.attend ins({{.*}}) outs(%[[OUT:.*]] : memref<4x8x32xbf16>) lse(%[[LSE:.*]] : memref<8x4xf32>)
// BUFFERS: return %[[OUT]], %[[LSE]]
func.func @logarithms(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %o: tensor<4x8x32xbf16>, %l: tensor<8x4xf32>)
    -> (tensor<4x8x32xbf16>, tensor<8x4xf32>) {
  %r, %s = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      outs(%o : tensor<4x8x32xbf16>) lse(%l : tensor<8x4xf32>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (i, b)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>, tensor<8x4xf32>
  return %r, %s : tensor<4x8x32xbf16>, tensor<8x4xf32>
}

// Tiled ops over lists of rows, on tensors, become contractions of the whole tensors at listed rows.
// RUN: pit-opt %s --pit-form-kernels -split-input-file | FileCheck %s

!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func @rows(
// CHECK-SAME: %[[I:.*]]: !pit.index<{{.*}}>, %[[A:.*]]: tensor<4096x256xbf16>, %[[B:.*]]: tensor<256x128xbf16>, %[[BIAS:.*]]: tensor<128xf32>, %[[C:.*]]: tensor<4096x128xbf16>)
// CHECK: %[[R:.*]] = pit.contract rows over(%[[I]] : {{.*}}) ins(%[[A]], %[[B]] : {{.*}}) with(%[[BIAS]] : {{.*}}) outs(%[[C]] : {{.*}}) {{.*}}listed = array<i1: true, false, false, true>
// CHECK: arith.addf
// CHECK-NOT: pit.tiled
// CHECK: return %[[R]]
func.func @rows(%i: !rows, %a: tensor<4096x256xbf16>, %b: tensor<256x128xbf16>, %bias: tensor<128xf32>,
                %c: tensor<4096x128xbf16>) -> tensor<4096x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %0 = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>], packed = array<i1: false, false, false, false>}
      over(%i : !rows) ins(%a, %b, %bias : tensor<4096x256xbf16>, tensor<256x128xbf16>, tensor<128xf32>)
      outs(%c : tensor<4096x128xbf16>) {
  ^bb0(%ta: tensor<?x256xbf16>, %tb: tensor<256x128xbf16>, %tbias: tensor<128xf32>, %tc: tensor<?x128xbf16>):
    %m = tensor.dim %ta, %c0 : tensor<?x256xbf16>
    %e = tensor.empty(%m) : tensor<?x128xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x128xf32>) -> tensor<?x128xf32>
    %s = linalg.matmul ins(%ta, %tb : tensor<?x256xbf16>, tensor<256x128xbf16>) outs(%z : tensor<?x128xf32>) -> tensor<?x128xf32>
    %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%s, %tbias : tensor<?x128xf32>, tensor<128xf32>) outs(%tc : tensor<?x128xbf16>) {
    ^bb0(%x: f32, %y: f32, %o: bf16):
      %1 = arith.addf %x, %y : f32
      %2 = arith.truncf %1 : f32 to bf16
      linalg.yield %2 : bf16
    } -> tensor<?x128xbf16>
    pit.yield %r : tensor<?x128xbf16>
  } -> tensor<4096x128xbf16>
  return %0 : tensor<4096x128xbf16>
}

// -----

!lists = !pit.index<[4096, 8], coordinate = 0, tile = [1, 1], width = 32>
#id = affine_map<(m, n) -> (m, n)>

// Each segment has a B; rows of C are packed.
// CHECK-LABEL: func @segments(
// CHECK: pit.contract segments over(%{{.*}} : {{.*}}) ins(%{{.*}}, %{{.*}} : tensor<4096x256xbf16>, tensor<8x256x128xbf16>) outs(%{{.*}} : tensor<8192x128xbf16>) {{.*}}listed = array<i1: true, false, false>
// CHECK-NOT: pit.tiled
func.func @segments(%i: !lists, %a: tensor<4096x256xbf16>, %b: tensor<8x256x128xbf16>, %c: tensor<8192x128xbf16>)
    -> tensor<8192x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %0 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, true>}
      over(%i : !lists) ins(%a, %b : tensor<4096x256xbf16>, tensor<8x256x128xbf16>) outs(%c : tensor<8192x128xbf16>) {
  ^bb0(%ta: tensor<?x256xbf16>, %tb: tensor<256x128xbf16>, %tc: tensor<?x128xbf16>):
    %m = tensor.dim %ta, %c0 : tensor<?x256xbf16>
    %e = tensor.empty(%m) : tensor<?x128xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x128xf32>) -> tensor<?x128xf32>
    %s = linalg.matmul ins(%ta, %tb : tensor<?x256xbf16>, tensor<256x128xbf16>) outs(%z : tensor<?x128xf32>) -> tensor<?x128xf32>
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%s : tensor<?x128xf32>) outs(%tc : tensor<?x128xbf16>) {
    ^bb0(%x: f32, %o: bf16):
      %2 = arith.truncf %x : f32 to bf16
      linalg.yield %2 : bf16
    } -> tensor<?x128xbf16>
    pit.yield %r : tensor<?x128xbf16>
  } -> tensor<8192x128xbf16>
  return %0 : tensor<8192x128xbf16>
}

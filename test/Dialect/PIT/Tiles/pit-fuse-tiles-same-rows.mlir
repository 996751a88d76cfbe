// With the option, contractions are in one region only if they multiply the same rows: kernels have one A.
// RUN: pit-opt %s --pit-fuse-tiles=same-rows --canonicalize | FileCheck %s
// RUN: pit-opt %s --pit-fuse-tiles=same-rows --remarks-filter=pit-fusion -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: pit-opt %s --pit-fuse-tiles --canonicalize | FileCheck %s --check-prefix=ANY

!lists = !pit.index<[?, 4], coordinate = 0, tile = [1, 1], width = 32>

// CHECK-LABEL: func @gated
// CHECK-COUNT-2: linalg.matmul
// CHECK: linalg.mul
// CHECK-NOT: pit.tiled
// ANY-LABEL: func @gated
func.func @gated(%x: tensor<?x8xf32>, %g: tensor<4x8x16xf32>, %u: tensor<4x8x16xf32>, %i: !lists, %capacity: index)
    -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%capacity) : tensor<?x16xf32>
  %p = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, true>}
      over(%i : !lists) ins(%x, %g : tensor<?x8xf32>, tensor<4x8x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%tx: tensor<?x8xf32>, %tw: tensor<8x16xf32>, %tc: tensor<?x16xf32>):
    %z = linalg.fill ins(%zero : f32) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    %s = linalg.matmul ins(%tx, %tw : tensor<?x8xf32>, tensor<8x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  %q = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, true>}
      over(%i : !lists) ins(%x, %u : tensor<?x8xf32>, tensor<4x8x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%tx: tensor<?x8xf32>, %tw: tensor<8x16xf32>, %tc: tensor<?x16xf32>):
    %z = linalg.fill ins(%zero : f32) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    %s = linalg.matmul ins(%tx, %tw : tensor<?x8xf32>, tensor<8x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  %r = pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, true, true>}
      over(%i : !lists) ins(%p, %q : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%tp: tensor<?x16xf32>, %tq: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    %s = linalg.mul ins(%tp, %tq : tensor<?x16xf32>, tensor<?x16xf32>) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// CHECK-LABEL: func @two_layers
// CHECK: pit.tiled
// CHECK: linalg.matmul
// CHECK: pit.tiled
// CHECK: linalg.matmul
// CHECK: linalg.mul
// REMARKS: Function=two_layers{{.*}}Reason="the two multiply different rows"
// ANY-LABEL: func @two_layers
// ANY-COUNT-2: linalg.matmul
// ANY: linalg.mul
// ANY-NOT: pit.tiled
func.func @two_layers(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %g: tensor<4x8x16xf32>, %u: tensor<4x8x16xf32>, %i: !lists, %capacity: index)
    -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%capacity) : tensor<?x16xf32>
  %p = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, true>}
      over(%i : !lists) ins(%x, %g : tensor<?x8xf32>, tensor<4x8x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%tx: tensor<?x8xf32>, %tw: tensor<8x16xf32>, %tc: tensor<?x16xf32>):
    %z = linalg.fill ins(%zero : f32) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    %s = linalg.matmul ins(%tx, %tw : tensor<?x8xf32>, tensor<8x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  %q = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, true>}
      over(%i : !lists) ins(%y, %u : tensor<?x8xf32>, tensor<4x8x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%tx: tensor<?x8xf32>, %tw: tensor<8x16xf32>, %tc: tensor<?x16xf32>):
    %z = linalg.fill ins(%zero : f32) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    %s = linalg.matmul ins(%tx, %tw : tensor<?x8xf32>, tensor<8x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  %r = pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, true, true>}
      over(%i : !lists) ins(%p, %q : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%tp: tensor<?x16xf32>, %tq: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    %s = linalg.mul ins(%tp, %tq : tensor<?x16xf32>, tensor<?x16xf32>) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

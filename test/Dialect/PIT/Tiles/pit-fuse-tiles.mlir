// RUN: pit-opt %s --pit-fuse-tiles --canonicalize | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
!i = !pit.index<[?], coordinate = 0, tile = [1], width = 32>

// A product, a bias and the scatter of its rows become one op. What was in between is a tile.
// CHECK-LABEL: func @chain
// CHECK-SAME: %[[A:.*]]: tensor<?x32xf32>, %[[B:.*]]: tensor<32x16xf32>, %[[BIAS:.*]]: tensor<16xf32>, %[[C:.*]]: tensor<?x16xf32>, %[[I:.*]]: !pit.index
// CHECK: %[[OUT:.*]] = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>], packed = array<i1: false, false, false, false>, rule = 3 : i64}
// CHECK-SAME: ins(%[[A]], %[[B]], %[[BIAS]] : {{.*}}) outs(%[[C]] : tensor<?x16xf32>)
// CHECK-NEXT: ^bb0(%[[TA:.*]]: tensor<?x32xf32>, %[[TB:.*]]: tensor<32x16xf32>, %[[TBIAS:.*]]: tensor<16xf32>, %[[TC:.*]]: tensor<?x16xf32>)
// CHECK: %[[ROWS:.*]] = tensor.dim %[[TC]]
// CHECK: %[[SUMS:.*]] = tensor.empty(%[[ROWS]]) : tensor<?x16xf32>
// CHECK: %[[ZERO:.*]] = linalg.fill ins(%{{.*}}) outs(%[[SUMS]]
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[TA]], %[[TB]] : {{.*}}) outs(%[[ZERO]]
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[P]], %[[TBIAS]] : {{.*}}) outs(%[[TC]]
// CHECK: pit.yield %[[R]]
// CHECK-NOT: pit.tiled
// CHECK: return %[[OUT]]
func.func @chain(%a: tensor<?x32xf32>, %b: tensor<32x16xf32>, %bias: tensor<16xf32>, %c: tensor<?x16xf32>,
                 %i: !i, %capacity: index) -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%capacity) : tensor<?x16xf32>
  %p = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: false, false, true>, rule = 3 : i64}
      over(%i : !i) ins(%a, %b : tensor<?x32xf32>, tensor<32x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%ta: tensor<?x32xf32>, %tb: tensor<32x16xf32>, %tc: tensor<?x16xf32>):
    %z = linalg.fill ins(%zero : f32) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : tensor<?x32xf32>, tensor<32x16xf32>) outs(%z : tensor<?x16xf32>) {
    ^bb1(%x: f32, %y: f32, %acc: f32):
      %m = arith.mulf %x, %y : f32
      %r = arith.addf %acc, %m : f32
      linalg.yield %r : f32
    } -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  %q = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: true, false, true>, rule = 4 : i64}
      over(%i : !i) ins(%p, %bias : tensor<?x16xf32>, tensor<16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%tp: tensor<?x16xf32>, %tbias: tensor<16xf32>, %tc: tensor<?x16xf32>):
    %s = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
        ins(%tp, %tbias : tensor<?x16xf32>, tensor<16xf32>) outs(%tc : tensor<?x16xf32>) {
    ^bb1(%x: f32, %y: f32, %o: f32):
      %r = arith.addf %x, %y : f32
      linalg.yield %r : f32
    } -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  %r = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, false>}
      over(%i : !i) ins(%q : tensor<?x16xf32>) outs(%c : tensor<?x16xf32>) {
  ^bb0(%tq: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    pit.yield %tq : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// The first result is read by two; the sums of the second start from what was there.
// CHECK-LABEL: func @apart
// CHECK-COUNT-3: pit.tiled
func.func @apart(%a: tensor<?x16xf32>, %c: tensor<?x16xf32>, %i: !i, %e: tensor<?x16xf32>)
    -> (tensor<?x16xf32>, tensor<?x16xf32>) {
  %p = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>}
      over(%i : !i) ins(%a : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%ta: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    %s = linalg.exp ins(%ta : tensor<?x16xf32>) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  %q = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, true>}
      over(%i : !i) ins(%p : tensor<?x16xf32>) outs(%p : tensor<?x16xf32>) {
  ^bb0(%tp: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    %s = linalg.add ins(%tp, %tc : tensor<?x16xf32>, tensor<?x16xf32>) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  %r = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, false>}
      over(%i : !i) ins(%q : tensor<?x16xf32>) outs(%c : tensor<?x16xf32>) {
  ^bb0(%tq: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    pit.yield %tq : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  return %p, %r : tensor<?x16xf32>, tensor<?x16xf32>
}

// Two products over the rows of segments meet in an op that does not care for segments: one op over segments.
!lists = !pit.index<[?, 4], coordinate = 0, tile = [1, 1], width = 32>

// CHECK-LABEL: func @gated
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x8xf32>, %[[G:[a-z0-9]*]]: tensor<4x8x16xf32>, %[[U:[a-z0-9]*]]: tensor<4x8x16xf32>
// CHECK: pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false, false, true>
// CHECK-SAME: ins(%[[X]], %[[U]], %[[X]], %[[G]] :
// CHECK-COUNT-2: linalg.matmul
// CHECK: linalg.mul
// CHECK: pit.yield
// CHECK-NOT: pit.tiled
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

// What follows from the tile is multiplied again: both stay.
// CHECK-LABEL: func @multiplied
// CHECK-COUNT-2: pit.tiled
func.func @multiplied(%x: tensor<?x8xf32>, %w: tensor<8x16xf32>, %i: !i, %capacity: index) -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%capacity) : tensor<?x8xf32>
  %f = tensor.empty(%capacity) : tensor<?x16xf32>
  %p = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>}
      over(%i : !i) ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%tx: tensor<?x8xf32>, %tc: tensor<?x8xf32>):
    %s = linalg.exp ins(%tx : tensor<?x8xf32>) outs(%tc : tensor<?x8xf32>) -> tensor<?x8xf32>
    pit.yield %s : tensor<?x8xf32>
  } -> tensor<?x8xf32>
  %q = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: true, false, true>}
      over(%i : !i) ins(%p, %w : tensor<?x8xf32>, tensor<8x16xf32>) outs(%f : tensor<?x16xf32>) {
  ^bb0(%tp: tensor<?x8xf32>, %tw: tensor<8x16xf32>, %tc: tensor<?x16xf32>):
    %z = linalg.fill ins(%zero : f32) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    %s = linalg.exp ins(%tp : tensor<?x8xf32>) outs(%tp : tensor<?x8xf32>) -> tensor<?x8xf32>
    %t = linalg.matmul ins(%s, %tw : tensor<?x8xf32>, tensor<8x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %t : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  return %q : tensor<?x16xf32>
}

// What is asked of an op stays with what it becomes part of; where both ask, the producer has its way, as its rule has.
// CHECK-LABEL: func @wishes
// CHECK: pit.tiled flat tile 64 {dims = {{.*}}, packed = {{.*}}, pit.dense_variant = false, test.both = "producer", test.of_consumer}
// CHECK-NOT: pit.tiled
func.func @wishes(%a: tensor<?x16xf32>, %c: tensor<?x16xf32>, %i: !i, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %p = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>, pit.dense_variant = false, test.both = "producer"}
      over(%i : !i) ins(%a : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%ta: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    %s = linalg.exp ins(%ta : tensor<?x16xf32>) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  %q = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, false>, test.both = "consumer", test.of_consumer}
      over(%i : !i) ins(%p : tensor<?x16xf32>) outs(%c : tensor<?x16xf32>) {
  ^bb0(%tp: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    %s = linalg.exp ins(%tp : tensor<?x16xf32>) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  return %q : tensor<?x16xf32>
}

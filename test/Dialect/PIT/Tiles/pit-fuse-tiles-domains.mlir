// RUN: pit-opt %s --pit-fuse-tiles --canonicalize | FileCheck %s
// RUN: pit-opt %s --pit-fuse-tiles --remarks-filter=pit-fusion -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: pit-opt %S/pit-fuse-tiles.mlir --pit-fuse-tiles --remarks-filter=pit-fusion -o /dev/null 2>&1 | FileCheck %s --check-prefix=READ
// REMARK: [Missed] tiles | Category:pit-fusion | Function=other_tiles | Op=pit.tiled, Reason="the two ops run over different lists or tiles", Remark="reads what the op at
// REMARK: Function=other_index | Op=pit.tiled, Reason="the two ops run over different lists
// READ: Function=apart | Op=pit.tiled, Reason="other ops read its result, too"
// READ: Function=multiplied | Op=pit.tiled, Reason="the reader is not elementwise in it

// Ops become one where they run over the same tiles of the same index, and every extent of what is in between is known.

!i = !pit.index<[?], coordinate = 0, tile = [1], width = 32>

// CHECK-LABEL: func @same
// CHECK-COUNT-1: pit.tiled
// CHECK-NOT: pit.tiled
// CHECK: return
func.func @same(%a: tensor<?x16xf32>, %c: tensor<?x16xf32>, %i: !i, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %p = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>}
      over(%i : !i) ins(%a : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%ta: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    %s = linalg.exp ins(%ta : tensor<?x16xf32>) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  %r = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, false>}
      over(%i : !i) ins(%p : tensor<?x16xf32>) outs(%c : tensor<?x16xf32>) {
  ^bb0(%tq: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    pit.yield %tq : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// CHECK-LABEL: func @other_tiles
// CHECK: pit.tiled flat tile 64
// CHECK: pit.tiled flat tile 32
func.func @other_tiles(%a: tensor<?x16xf32>, %c: tensor<?x16xf32>, %i: !i, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %p = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>}
      over(%i : !i) ins(%a : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%ta: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    %s = linalg.exp ins(%ta : tensor<?x16xf32>) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  %r = pit.tiled flat tile 32 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, false>}
      over(%i : !i) ins(%p : tensor<?x16xf32>) outs(%c : tensor<?x16xf32>) {
  ^bb0(%tq: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    pit.yield %tq : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// CHECK-LABEL: func @other_index
// CHECK: pit.tiled flat tile 64 {{.*}} over(%[[I:.*]] : !pit.index
// CHECK-NOT: over(%[[I]] :
// CHECK: pit.tiled flat tile 64
func.func @other_index(%a: tensor<?x16xf32>, %c: tensor<?x16xf32>, %i: !i, %j: !i, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %p = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>}
      over(%i : !i) ins(%a : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%ta: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    %s = linalg.exp ins(%ta : tensor<?x16xf32>) outs(%tc : tensor<?x16xf32>) -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  %r = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, false>}
      over(%j : !i) ins(%p : tensor<?x16xf32>) outs(%c : tensor<?x16xf32>) {
  ^bb0(%tq: tensor<?x16xf32>, %tc: tensor<?x16xf32>):
    pit.yield %tq : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// Rows of the last segment may be fewer than a micro-tile has: the result's tile says how many.
// CHECK-LABEL: func @cut
// CHECK: pit.tiled
// CHECK-SAME: packed = array<i1: false, false>
// CHECK-NOT: pit.tiled
// CHECK: return
// CHECK-LABEL: func @cut_between
// CHECK: pit.tiled
// CHECK: ^bb0(%{{.*}}: tensor<?x?xf32>, %[[ROWS:.*]]: tensor<?xf32>, %[[TILE:.*]]: tensor<?x?xf32>):
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[ROWS]], %c0
// CHECK-DAG: %[[K:.*]] = tensor.dim %[[TILE]], %c1
// CHECK: tensor.empty(%[[M]], %[[K]])
// CHECK-NOT: pit.tiled
// CHECK: return
!m = !pit.index<[?, 64], coordinate = 1, tile = [4, 1], width = 32>
func.func @cut(%x: tensor<?x64xf32>, %c: tensor<?x64xf32>, %i: !m, %e: tensor<?x?xf32>) -> tensor<?x64xf32> {
  %p = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: 0, 1>], packed = array<i1: false, true>}
      over(%i : !m) ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%ta: tensor<?x?xf32>, %tc: tensor<?x?xf32>):
    %s = linalg.exp ins(%ta : tensor<?x?xf32>) outs(%tc : tensor<?x?xf32>) -> tensor<?x?xf32>
    pit.yield %s : tensor<?x?xf32>
  } -> tensor<?x?xf32>
  %r = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: 0, 1>], packed = array<i1: true, false>}
      over(%i : !m) ins(%p : tensor<?x?xf32>) outs(%c : tensor<?x64xf32>) {
  ^bb0(%tq: tensor<?x?xf32>, %tc: tensor<?x?xf32>):
    pit.yield %tq : tensor<?x?xf32>
  } -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

func.func @cut_between(%x: tensor<?x64xf32>, %v: tensor<?xf32>, %c: tensor<?x64xf32>, %i: !m, %e: tensor<?x?xf32>)
    -> tensor<?x64xf32> {
  %p = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: 0, 1>], packed = array<i1: false, true>}
      over(%i : !m) ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%ta: tensor<?x?xf32>, %tc: tensor<?x?xf32>):
    %s = linalg.exp ins(%ta : tensor<?x?xf32>) outs(%tc : tensor<?x?xf32>) -> tensor<?x?xf32>
    pit.yield %s : tensor<?x?xf32>
  } -> tensor<?x?xf32>
  %r = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: 0, -1>, array<i64: 0, 1>], packed = array<i1: true, false, false>}
      over(%i : !m) ins(%p, %v : tensor<?x?xf32>, tensor<?xf32>) outs(%c : tensor<?x64xf32>) {
  ^bb0(%tq: tensor<?x?xf32>, %tv: tensor<?xf32>, %tc: tensor<?x?xf32>):
    %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>],
        iterator_types = ["parallel", "parallel"]} ins(%tq, %tv : tensor<?x?xf32>, tensor<?xf32>) outs(%tc : tensor<?x?xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %y = arith.addf %a, %b : f32
      linalg.yield %y : f32
    } -> tensor<?x?xf32>
    pit.yield %s : tensor<?x?xf32>
  } -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

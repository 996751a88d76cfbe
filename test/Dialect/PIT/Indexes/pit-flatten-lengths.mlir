// RUN: pit-opt %s --pit-flatten-lengths --split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-flatten-lengths --pit-lower-detect --canonicalize --split-input-file | FileCheck %s --check-prefix=LOOPS

// Rows are gathered from and scattered to what has both dimensions.
!i = !pit.index<[4, 16], coordinate = 1, tile = [1, 1], width = 32>
// CHECK-LABEL: func @rows
// CHECK: %[[ROWS:.*]] = pit.detect by(%{{.*}} : tensor<4xi64>) <kind = lengths, axes = [0, 1], absent = undef> rule 3 : <[64], coordinate = 0, tile = [1], width = 32>
// CHECK: %[[X:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : tensor<4x16x8xf32> into tensor<64x8xf32>
// CHECK: %[[PACKED:.*]] = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: false, false, true>} over(%[[ROWS]]
// CHECK-SAME: ins(%[[X]], %arg2 : tensor<64x8xf32>, tensor<8xf32>)
// CHECK: %[[Y:.*]] = tensor.collapse_shape %arg3
// CHECK: %[[OUT:.*]] = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, false>} over(%[[ROWS]]
// CHECK-SAME: ins(%[[PACKED]] : tensor<64x8xf32>) outs(%[[Y]] : tensor<64x8xf32>)
// CHECK: tensor.expand_shape %[[OUT]] {{\[\[}}0, 1], [2]] output_shape [4, 16, 8]
// A list of one segment: its end is the last one's, a coordinate is a row.
// LOOPS-LABEL: func @rows
// LOOPS-DAG: bufferization.alloc_tensor() : tensor<2xi64>
// LOOPS: scf.for %[[SEQUENCE:.*]] = %{{.*}} to %c4
// LOOPS: %[[FIRST:.*]] = arith.muli %[[SEQUENCE]], %c16
// LOOPS: scf.for %[[POSITION:.*]] = %{{.*}} to %c16
// LOOPS: arith.addi %[[FIRST]], %[[POSITION]]
func.func @rows(%x: tensor<4x16x8xf32>, %lengths: tensor<4xi64>, %v: tensor<8xf32>, %y: tensor<4x16x8xf32>)
    -> tensor<4x16x8xf32> {
  %i = pit.detect by(%lengths : tensor<4xi64>) <kind = lengths, axes = [0, 1], absent = undef> rule 3 : !i
  %e = tensor.empty() : tensor<64x8xf32>
  %p = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, -1>, array<i64: -1, 0>],
                          packed = array<i1: false, false, true>} over(%i : !i)
      ins(%x, %v : tensor<4x16x8xf32>, tensor<8xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%a: tensor<?x8xf32>, %b: tensor<8xf32>, %c: tensor<?x8xf32>):
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
                                          affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : tensor<?x8xf32>, tensor<8xf32>) outs(%c : tensor<?x8xf32>) {
    ^bb0(%s: f32, %t: f32, %o: f32):
      %m = arith.mulf %s, %t : f32
      linalg.yield %m : f32
    } -> tensor<?x8xf32>
    pit.yield %r : tensor<?x8xf32>
  } -> tensor<64x8xf32>
  %q = pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, 1>], packed = array<i1: true, false>} over(%i : !i)
      ins(%p : tensor<64x8xf32>) outs(%y : tensor<4x16x8xf32>) {
  ^bb0(%a: tensor<?x8xf32>, %c: tensor<?x8xf32>):
    pit.yield %a : tensor<?x8xf32>
  } -> tensor<4x16x8xf32>
  return %q : tensor<4x16x8xf32>
}

// -----

// Where something belongs to a sequence, its segments stay; so do ops that only have packed operands.
!i = !pit.index<[4, 16], coordinate = 1, tile = [1, 1], width = 32>
// CHECK-LABEL: func @sequences
// CHECK-NOT: <[64], coordinate = 0
// CHECK: return
// LOOPS-LABEL: func @sequences
func.func @sequences(%p: tensor<64x8xf32>, %lengths: tensor<4xi64>, %v: tensor<4x8xf32>) -> tensor<64x8xf32> {
  %i = pit.detect by(%lengths : tensor<4xi64>) <kind = lengths, axes = [0, 1], absent = undef> : !i
  %e = tensor.empty() : tensor<64x8xf32>
  %q = pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>, array<i64: -1, 0>],
                          packed = array<i1: true, false, true>} over(%i : !i)
      ins(%p, %v : tensor<64x8xf32>, tensor<4x8xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%a: tensor<?x8xf32>, %b: tensor<8xf32>, %c: tensor<?x8xf32>):
    pit.yield %a : tensor<?x8xf32>
  } -> tensor<64x8xf32>
  %r = pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: -1, 0>], packed = array<i1: true, true>} over(%i : !i)
      ins(%q : tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%a: tensor<?x8xf32>, %c: tensor<?x8xf32>):
    pit.yield %a : tensor<?x8xf32>
  } -> tensor<64x8xf32>
  return %r : tensor<64x8xf32>
}

// -----

// A mask of sequences and positions is one of rows. With a bound, each row has a list of its own.
!i = !pit.index<[?, 16], coordinate = 1, tile = [1, 1], width = 32>
// CHECK-LABEL: func @mask
// CHECK-SAME: %[[X:.*]]: tensor<?x16x8xf32>, %[[MASK:.*]]: tensor<?x16xi1>
// CHECK: %[[ALL:.*]] = affine.apply
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[MASK]] {{\[\[}}0, 1]] : tensor<?x16xi1> into tensor<?xi1>
// CHECK: pit.detect by(%[[FLAT]] : tensor<?xi1>) extents(%[[ALL]]) <kind = mask, axes = [0]> rule 2 : <[?], coordinate = 0, tile = [1], width = 32>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]]
// CHECK: pit.tiled tile 64 {{.*}} ins(%[[ROWS]] : tensor<?x8xf32>)
// CHECK: pit.detect by(%[[MASK]] : tensor<?x16xi1>) {{.*}} at_most = 3
// CHECK-NOT: pit.detect
func.func @mask(%x: tensor<?x16x8xf32>, %mask: tensor<?x16xi1>, %n: index, %e: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %i = pit.detect by(%mask : tensor<?x16xi1>) extents(%n) <kind = mask, axes = [0, 1]> rule 2 : !i
  %p = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>], packed = array<i1: false, true>} over(%i : !i)
      ins(%x : tensor<?x16x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: tensor<?x8xf32>, %c: tensor<?x8xf32>):
    pit.yield %a : tensor<?x8xf32>
  } -> tensor<?x8xf32>
  %j = pit.detect by(%mask : tensor<?x16xi1>) extents(%n) <kind = mask, axes = [0, 1], at_most = 3> rule 3 : !i
  %q = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>], packed = array<i1: false, true>} over(%j : !i)
      ins(%x : tensor<?x16x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: tensor<?x8xf32>, %c: tensor<?x8xf32>):
    pit.yield %a : tensor<?x8xf32>
  } -> tensor<?x8xf32>
  return %p, %q : tensor<?x8xf32>, tensor<?x8xf32>
}

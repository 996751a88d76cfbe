// RUN: pit-opt %s --pit-expand-tiles -split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
!i = !pit.index<[4, 8], coordinate = 1, tile = [2, 1], width = 32>
// One loop over segments, one over tiles from offset to offset; gathers and scatters stay.
// CHECK: #[[$BEGIN:.*]] = affine_map<()[s0] -> (s0 * 2)>
// CHECK-LABEL: func @segments
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>, %[[I:.*]]: !pit.index
// CHECK: %[[OFFSETS:.*]] = pit.offsets %[[I]]
// CHECK: scf.for %[[S:.*]] = %c0 to %c2 step %{{.*}} iter_args(%[[OUTER:.*]] = %[[Y]])
// CHECK: %[[FIRST:.*]] = affine.apply #[[$BEGIN]]()[%[[S]]]
// CHECK: %[[LO64:.*]] = tensor.extract %[[OFFSETS]][%[[S]]]
// CHECK: %[[LO:.*]] = arith.index_cast %[[LO64]]
// CHECK: %[[HI:.*]] = arith.index_cast
// CHECK: scf.for %[[T:.*]] = %[[LO]] to %[[HI]] step %{{.*}} iter_args(%[[INNER:.*]] = %[[OUTER]])
// CHECK: %[[REST:.*]] = arith.subi %[[HI]], %[[T]]
// CHECK: %[[SIZE:.*]] = arith.minui %[[REST]],
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[X]][%[[FIRST]], 0] [2, 8] [1, 1]
// CHECK: %[[IN:.*]] = pit.sread %[[SLICE]][%[[I]]] tile(%[[T]], %[[SIZE]]) {{.*}} dims = [-1, 1]
// CHECK: %[[OUT:.*]] = math.exp %[[IN]]
// CHECK: pit.swrite %[[OUT]] into %{{.*}}[%[[I]]] tile(%[[T]], %[[SIZE]]) store dims = [-1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %[[INNER]][%[[FIRST]], 0] [2, 8] [1, 1]
func.func @segments(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %i: !i) -> tensor<4x8xf32> {
  %0 = pit.tiled tile 16 {dims = [array<i64: 0, 1>, array<i64: 0, 1>], packed = array<i1: false, false>}
      over(%i : !i) ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: tensor<2x?xf32>, %b: tensor<2x?xf32>):
    %1 = math.exp %a : tensor<2x?xf32>
    pit.yield %1 : tensor<2x?xf32>
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
// A flat domain of packed operands: one loop, slices only.
// CHECK-LABEL: func @flat
// CHECK: %[[LAST:.*]] = arith.constant 4 : index
// CHECK: tensor.extract %{{.*}}[%[[LAST]]]
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: pit.sread
func.func @flat(%p: tensor<32x2xf32>, %q: tensor<32x2xf32>, %i: !i) -> tensor<32x2xf32> {
  %0 = pit.tiled flat tile 16 {dims = [array<i64: -1, 0>, array<i64: -1, 0>], packed = array<i1: true, true>}
      over(%i : !i) ins(%p : tensor<32x2xf32>) outs(%q : tensor<32x2xf32>) {
  ^bb0(%a: tensor<?x2xf32>, %b: tensor<?x2xf32>):
    %1 = math.exp %a : tensor<?x2xf32>
    pit.yield %1 : tensor<?x2xf32>
  } -> tensor<32x2xf32>
  return %0 : tensor<32x2xf32>
}

// -----

!i = !pit.index<[9], coordinate = 0, tile = [4], width = 32>
// The last micro-tile may be cut short: its elements beyond the end are not in any tile.
// CHECK: #[[$LIVE:.*]] = affine_map<()[s0] -> (4, s0 * -4 + 9)>
// CHECK-LABEL: func @remainder
// CHECK: scf.if
// CHECK: affine.min #[[$LIVE]]
func.func @remainder(%x: tensor<9xf32>, %y: tensor<9xf32>, %i: !i) -> tensor<9xf32> {
  %0 = pit.tiled tile 16 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, false>}
      over(%i : !i) ins(%x : tensor<9xf32>) outs(%y : tensor<9xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %1 = math.exp %a : tensor<?xf32>
    pit.yield %1 : tensor<?xf32>
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

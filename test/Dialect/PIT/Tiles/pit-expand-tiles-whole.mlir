// RUN: pit-opt %s --pit-expand-tiles | FileCheck %s

// Where no micro-tile can be cut short, nobody asks whether the last one is: of one element each, or where the extent is a
// multiple of theirs.

!ones = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
// CHECK-LABEL: func @ones
// CHECK-NOT: scf.if
// CHECK: pit.sread
func.func @ones(%x: tensor<?xf32>, %y: tensor<?xf32>, %i: !ones) -> tensor<?xf32> {
  %0 = pit.tiled tile 16 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, false>}
      over(%i : !ones) ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %1 = math.exp %a : tensor<?xf32>
    pit.yield %1 : tensor<?xf32>
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

!fours = !pit.index<[8], coordinate = 0, tile = [4], width = 32>
// CHECK-LABEL: func @fours
// CHECK-NOT: scf.if
// CHECK: pit.sread
func.func @fours(%x: tensor<8xf32>, %y: tensor<8xf32>, %i: !fours) -> tensor<8xf32> {
  %0 = pit.tiled tile 16 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, false>}
      over(%i : !fours) ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %1 = math.exp %a : tensor<?xf32>
    pit.yield %1 : tensor<?xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

!cut = !pit.index<[9], coordinate = 0, tile = [4], width = 32>
// CHECK-LABEL: func @cut
// CHECK: scf.if
// CHECK: pit.sread
func.func @cut(%x: tensor<9xf32>, %y: tensor<9xf32>, %i: !cut) -> tensor<9xf32> {
  %0 = pit.tiled tile 16 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, false>}
      over(%i : !cut) ins(%x : tensor<9xf32>) outs(%y : tensor<9xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %1 = math.exp %a : tensor<?xf32>
    pit.yield %1 : tensor<?xf32>
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

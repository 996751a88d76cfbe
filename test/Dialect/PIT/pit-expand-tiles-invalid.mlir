// RUN: pit-opt %s --pit-expand-tiles -verify-diagnostics

!i = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
func.func @unknown_extent(%x: tensor<?xf32>, %y: tensor<?xf32>, %i: !i) -> tensor<?xf32> {
  // expected-error @below {{the extents of its index are dynamic, and it is neither detected nor assembled here}}
  %0 = pit.tiled tile 16 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, false>}
      over(%i : !i) ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    pit.yield %a : tensor<?xf32>
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// RUN: pit-opt %s --pit-split-index --verify-diagnostics

// Indexes that pass between blocks stay whole, and so cannot be returned as lists.
!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
func.func @between_blocks(%i: !i, %j: !i, %b: i1) -> !i {
  cf.cond_br %b, ^a(%i : !i), ^a(%j : !i)
^a(%k: !i):
  // expected-error @below {{failed to legalize unresolved materialization}}
  // expected-note @below {{see existing live user here}}
  return %k : !i
}

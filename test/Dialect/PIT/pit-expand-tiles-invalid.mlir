// RUN: pit-opt %s --pit-expand-tiles -verify-diagnostics

!i = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
func.func @on_buffers(%x: memref<?xf32>, %y: memref<?xf32>, %i: !pit.index_buffer<!i>) {
  // expected-error @below {{lies on buffers already; expand it before bufferization}}
  pit.tiled tile 16 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, false>}
      over(%i : !pit.index_buffer<!i>) ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: memref<?xf32>, %b: memref<?xf32>):
    pit.yield
  }
  return
}

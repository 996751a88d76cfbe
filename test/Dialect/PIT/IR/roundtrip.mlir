// RUN: pit-opt %s | pit-opt | FileCheck %s
// RUN: pit-opt %s --emit-bytecode | pit-opt | FileCheck %s
// RUN: pit-opt %s --mlir-print-op-generic | pit-opt | FileCheck %s
// RUN: pit-opt %s > %t.text && pit-opt %s --emit-bytecode | pit-opt > %t.bytecode && diff %t.text %t.bytecode

// CHECK-LABEL: func @marks
func.func @marks(%x: tensor<8x128x64xf32>, %len: tensor<8xi64>, %m: tensor<8x128xi1>, %b: tensor<4x2xi1>,
                 %w: tensor<128x128xf32>) -> tensor<128x128xf32> {
  // CHECK: pit.sparse %{{.*}} by(%{{.*}} : tensor<8xi64>) <kind = lengths, axes = [0, 1], absent = undef>
  %0 = pit.sparse %x by(%len : tensor<8xi64>) <kind = lengths, axes = [0, 1], absent = undef> : tensor<8x128x64xf32>
  // CHECK: pit.sparse %{{.*}} by(%{{.*}} : tensor<8x128xi1>) <kind = mask, axes = [0, 1], absent = neg_inf, pad = left>
  %1 = pit.sparse %0 by(%m : tensor<8x128xi1>) <kind = mask, axes = [0, 1], absent = neg_inf, pad = left> : tensor<8x128x64xf32>
  // CHECK: pit.sparse %{{.*}} by(%{{.*}} : tensor<4x2xi1>) <kind = blocks, axes = [0, 1], tile = [32, 64]>
  %2 = pit.sparse %w by(%b : tensor<4x2xi1>) <kind = blocks, axes = [0, 1], tile = [32, 64]> : tensor<128x128xf32>
  // CHECK: pit.sparse %{{.*}} <kind = values, axes = [0, 1], at_most = 3>
  %3 = pit.sparse %2 <kind = values, axes = [0, 1], at_most = 3> : tensor<128x128xf32>
  return %3 : tensor<128x128xf32>
}

// CHECK-LABEL: func @index_in_and_out
// CHECK-SAME: !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 64>
func.func @index_in_and_out(%i: !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 64>)
    -> !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 64> {
  return %i : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 64>
}

#a = affine_map<(t, e, f) -> (t, e, f)>
// CHECK-LABEL: func @access
func.func @access(%g: tensor<?x8xf32>, %x: tensor<?x8x16xf32>, %t: index, %c: index) -> tensor<?x8x16xf32> {
  // CHECK: pit.detect values(%{{.*}} : tensor<?x8xf32>) extents(%{{.*}}) <kind = values, axes = [0, 1], at_most = 2> rule 3
  %i = pit.detect values(%g : tensor<?x8xf32>) extents(%t) <kind = values, axes = [0, 1], at_most = 2> rule 3
    : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
  // CHECK: pit.sread %{{.*}}[%{{.*}}] sizes(%{{.*}}) dims = [0, 1]
  %p = pit.sread %x[%i] sizes(%c) dims = [0, 1]
    : tensor<?x8x16xf32>, !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32> -> tensor<?x16xf32>
  // CHECK: pit.generic
  // CHECK-SAME: index_axes = array<i64: 0, 1>
  // CHECK-SAME: packed = array<i1: true, true>
  %q = pit.generic {indexing_maps = [#a, #a], index_axes = array<i64: 0, 1>, packed = array<i1: true, true>,
                    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>]}
      over(%i : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>)
      ins(%p : tensor<?x16xf32>) outs(%p : tensor<?x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    pit.yield %s : f32
  } -> tensor<?x16xf32>
  // CHECK: pit.tiled flat tile 64
  %r = pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, true>}
      over(%i : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>)
      ins(%q : tensor<?x16xf32>) outs(%p : tensor<?x16xf32>) {
  ^bb0(%in: tensor<?x16xf32>, %out: tensor<?x16xf32>):
    pit.yield %in : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  // CHECK: pit.swrite %{{.*}} into %{{.*}}[%{{.*}}] accumulate dims = [0, 1]
  %y = pit.swrite %r into %x[%i] accumulate dims = [0, 1]
    : tensor<?x16xf32>, tensor<?x8x16xf32>, !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
  return %y : tensor<?x8x16xf32>
}

// CHECK-LABEL: func @parts
func.func @parts(%o: tensor<?xi64>, %c: tensor<?xi64>, %n: index, %x: tensor<?x16xf32>, %lo: index) -> tensor<?x16xf32> {
  // CHECK: %[[I:.*]] = pit.assemble %{{.*}}, %{{.*}} extents(%{{.*}}) : tensor<?xi64>, tensor<?xi64> -> !pit.index<[4, ?], coordinate = 1, tile = [2, 1], width = 64>
  %i = pit.assemble %o, %c extents(%n) : tensor<?xi64>, tensor<?xi64> -> !pit.index<[4, ?], coordinate = 1, tile = [2, 1], width = 64>
  // CHECK: pit.offsets %[[I]] : !pit.index<[4, ?], coordinate = 1, tile = [2, 1], width = 64> -> tensor<?xi64>
  %0 = pit.offsets %i : !pit.index<[4, ?], coordinate = 1, tile = [2, 1], width = 64> -> tensor<?xi64>
  // CHECK: pit.coords %[[I]] : !pit.index<[4, ?], coordinate = 1, tile = [2, 1], width = 64> -> tensor<?xi64>
  %1 = pit.coords %i : !pit.index<[4, ?], coordinate = 1, tile = [2, 1], width = 64> -> tensor<?xi64>
  // CHECK: pit.extent %[[I]][1] : !pit.index<[4, ?], coordinate = 1, tile = [2, 1], width = 64>
  %e = pit.extent %i[1] : !pit.index<[4, ?], coordinate = 1, tile = [2, 1], width = 64>
  // CHECK: %[[T:.*]] = pit.sread %{{.*}}[%[[I]]] tile(%[[LO:.*]], %[[N:.*]]) sizes(%[[N]]) dims = [-1, 0]
  %t = pit.sread %x[%i] tile(%lo, %n) sizes(%n) dims = [-1, 0]
    : tensor<?x16xf32>, !pit.index<[4, ?], coordinate = 1, tile = [2, 1], width = 64> -> tensor<?x16xf32>
  // CHECK: pit.swrite %[[T]] into %{{.*}}[%[[I]]] tile(%[[LO]], %[[N]]) store dims = [-1, 0]
  %y = pit.swrite %t into %x[%i] tile(%lo, %n) store dims = [-1, 0]
    : tensor<?x16xf32>, tensor<?x16xf32>, !pit.index<[4, ?], coordinate = 1, tile = [2, 1], width = 64>
  return %y : tensor<?x16xf32>
}

// RUN: pit-opt %s --transform-interpreter --canonicalize --cse --split-input-file | FileCheck %s

#a = affine_map<(t, d, f) -> (t, d)>
#w = affine_map<(t, d, f) -> (d, f)>
#c = affine_map<(t, d, f) -> (t, f)>
!idx = !pit.index<[?], coordinate = 0, tile = [1], width = 32>

// Columns are cut; the rows belong to the index and stay together, packed or not.
// CHECK-LABEL: func @generic
// CHECK-SAME:    (%[[I:.*]]: !pit.index{{.*}}, %[[X:.*]]: tensor<?x16xf32>, %[[W:.*]]: tensor<16x64xf32>, %[[Y:.*]]: tensor<?x64xf32>)
// CHECK:         scf.for %[[F:.*]] = %{{.*}} iter_args(%[[ACC:.*]] = %[[Y]])
// CHECK:           %[[WS:.*]] = tensor.extract_slice %[[W]][0, %[[F]]] [16, 8] [1, 1]
// CHECK:           %[[YS:.*]] = tensor.extract_slice %[[ACC]][0, %[[F]]] [%{{.*}}, 8] [1, 1]
// CHECK:           %[[T:.*]] = pit.generic {{.*}} packed = array<i1: false, false, true>
// CHECK-SAME:        over(%[[I]] : {{.*}}) ins(%[[X]], %[[WS]] : {{.*}}) outs(%[[YS]] :
// CHECK:           tensor.insert_slice %[[T]] into %[[ACC]][0, %[[F]]]
func.func @generic(%i: !idx, %x: tensor<?x16xf32>, %w: tensor<16x64xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %r = pit.generic {indexing_maps = [#a, #w, #c], index_axes = array<i64: 0>, packed = array<i1: false, false, true>,
                    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>, #linalg.iterator_type<parallel>]}
      over(%i : !idx) ins(%x, %w : tensor<?x16xf32>, tensor<16x64xf32>) outs(%y : tensor<?x64xf32>) {
  ^bb0(%l: f32, %q: f32, %acc: f32):
    %m = arith.mulf %l, %q : f32
    %s = arith.addf %acc, %m : f32
    pit.yield %s : f32
  } -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pit.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!idx = !pit.index<[?, 8], coordinate = 0, tile = [1, 4], width = 32>

// A gather is fused into the loop around its scatter, column by column.
// CHECK-LABEL: func @fused
// CHECK-SAME:    (%[[I:.*]]: !pit.index{{.*}}, %[[X:.*]]: tensor<?x8x32xf32>, %[[Y:.*]]: tensor<?x8x32xf32>, %[[N:.*]]: index)
// CHECK:         scf.for %[[D:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %[[Y]])
// CHECK-DAG:       %[[XS:.*]] = tensor.extract_slice %[[X]][0, 0, %[[D]]] [%{{.*}}, 8, 16] [1, 1, 1]
// CHECK-DAG:       %[[YS:.*]] = tensor.extract_slice %[[ACC]][0, 0, %[[D]]] [%{{.*}}, 8, 16] [1, 1, 1]
// CHECK:           %[[P:.*]] = pit.sread %[[XS]][%[[I]]] sizes(%[[N]]) dims = [0, 1] : {{.*}} -> tensor<?x4x16xf32>
// CHECK:           pit.swrite %[[P]] into %[[YS]][%[[I]]] store dims = [0, 1]
func.func @fused(%i: !idx, %x: tensor<?x8x32xf32>, %y: tensor<?x8x32xf32>, %n: index) -> tensor<?x8x32xf32> {
  %p = pit.sread %x[%i] sizes(%n) dims = [0, 1] : tensor<?x8x32xf32>, !idx -> tensor<?x4x32xf32>
  %r = pit.swrite %p into %y[%i] store dims = [0, 1] : tensor<?x4x32xf32>, tensor<?x8x32xf32>, !idx
  return %r : tensor<?x8x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pit.swrite"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %op tile_sizes [0, 0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// RUN: pit-opt %s --canonicalize --split-input-file | FileCheck %s

!one = !pit.index<[6], coordinate = 0, tile = [2], width = 32>

// An index that lists everything: slices, and whole tensors.
// CHECK-LABEL: func @identity
// CHECK-SAME:    (%[[X:.*]]: tensor<6x4xf32>, %[[P:.*]]: tensor<6x4xf32>, %[[T:.*]]: tensor<?x4xf32>, %[[LO:.*]]: index, %[[N:.*]]: index)
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][%[[LO]], 0] [%[[N]], 4] [1, 1]
// CHECK:         %[[W:.*]] = tensor.insert_slice %[[T]] into %[[X]][%[[LO]], 0] [%[[N]], 4] [1, 1]
// CHECK:         return %[[X]], %[[S]], %[[P]], %[[W]]
func.func @identity(%x: tensor<6x4xf32>, %p: tensor<6x4xf32>, %t: tensor<?x4xf32>, %lo: index, %n: index)
    -> (tensor<6x4xf32>, tensor<?x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %o = arith.constant dense<[0, 3]> : tensor<2xi64>
  %c = arith.constant dense<[0, 1, 2, 7]> : tensor<4xi32>
  %i = pit.assemble %o, %c : tensor<2xi64>, tensor<4xi32> -> !one
  %0 = pit.sread %x[%i] dims = [0] : tensor<6x4xf32>, !one -> tensor<6x4xf32>
  %1 = pit.sread %x[%i] tile(%lo, %n) sizes(%n) dims = [0] : tensor<6x4xf32>, !one -> tensor<?x4xf32>
  %2 = pit.swrite %p into %x[%i] store dims = [0] : tensor<6x4xf32>, tensor<6x4xf32>, !one
  %3 = pit.swrite %t into %x[%i] tile(%lo, %n) store dims = [0] : tensor<?x4xf32>, tensor<6x4xf32>, !one
  return %0, %1, %2, %3 : tensor<6x4xf32>, tensor<?x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}

// Another order, or a micro-tile left out, is no identity; accumulation is no store.
// CHECK-LABEL: func @almost
// CHECK-COUNT-2: pit.sread
// CHECK:         pit.swrite
func.func @almost(%x: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %o = arith.constant dense<[0, 3]> : tensor<2xi64>
  %two = arith.constant dense<[0, 2]> : tensor<2xi64>
  %c = arith.constant dense<[0, 2, 1]> : tensor<3xi32>
  %id = arith.constant dense<[0, 1, 2]> : tensor<3xi32>
  %i = pit.assemble %o, %c : tensor<2xi64>, tensor<3xi32> -> !one
  %j = pit.assemble %two, %id : tensor<2xi64>, tensor<3xi32> -> !one
  %k = pit.assemble %o, %id : tensor<2xi64>, tensor<3xi32> -> !one
  %0 = pit.sread %x[%i] dims = [0] : tensor<6x4xf32>, !one -> tensor<6x4xf32>
  %1 = pit.sread %x[%j] dims = [0] : tensor<6x4xf32>, !one -> tensor<6x4xf32>
  %2 = pit.swrite %x into %x[%k] accumulate dims = [0] : tensor<6x4xf32>, tensor<6x4xf32>, !one
  return %0, %1, %2 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}

// -----

!none = !pit.index<[2, 6], coordinate = 1, tile = [1, 1], width = 32>
#id = affine_map<(s, t) -> (s, t)>

// CHECK-LABEL: func @empty
// CHECK-SAME:    (%[[X:.*]]: tensor<2x6xf32>, %[[P:.*]]: tensor<12xf32>)
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<12xf32>
// CHECK:         return %[[E]], %[[X]], %[[X]], %[[X]]
func.func @empty(%x: tensor<2x6xf32>, %p: tensor<12xf32>) -> (tensor<12xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>) {
  %o = arith.constant dense<0> : tensor<3xi64>
  %c = arith.constant dense<[4, 5]> : tensor<2xi32>
  %i = pit.assemble %o, %c : tensor<3xi64>, tensor<2xi32> -> !none
  %0 = pit.sread %x[%i] dims = [0, 1] : tensor<2x6xf32>, !none -> tensor<12xf32>
  %1 = pit.swrite %p into %x[%i] accumulate dims = [0, 1] : tensor<12xf32>, tensor<2x6xf32>, !none
  %2 = pit.generic {indexing_maps = [#id, #id], index_axes = array<i64: 0, 1>, packed = array<i1: false, false>,
                    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>]}
      over(%i : !none) ins(%x : tensor<2x6xf32>) outs(%x : tensor<2x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    pit.yield %s : f32
  } -> tensor<2x6xf32>
  %3 = pit.tiled tile 4 {dims = [array<i64: 0, 1>], packed = array<i1: false>} over(%i : !none) outs(%x : tensor<2x6xf32>) {
  ^bb0(%out: tensor<?xf32>):
    pit.yield %out : tensor<?xf32>
  } -> tensor<2x6xf32>
  return %0, %1, %2, %3 : tensor<12xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>
}

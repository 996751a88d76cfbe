// RUN: pit-opt %s --pit-tile-rules -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-tile-rules=tile-size=100 -split-input-file | FileCheck %s --check-prefix=SIZE

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
!k = !pit.index<[64, 128], coordinate = 1, tile = [32, 1], width = 32>
// Over k, per strip of 32 rows: columns of A and rows of B are gathered, the strip of C is the segment's slice.
// CHECK-LABEL: func @reduction
// CHECK: pit.tiled tile 256 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>, rule = 5 : i64}
// CHECK: ^bb0(%[[A:.*]]: tensor<32x?xf32>, %[[B:.*]]: tensor<?x16xf32>, %[[C:.*]]: tensor<32x16xf32>)
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[C]] :
// CHECK: pit.yield %[[T]]
func.func @reduction(%x: tensor<64x128xf32>, %w: tensor<128x16xf32>, %y: tensor<64x16xf32>, %i: !k) -> tensor<64x16xf32> {
  %0 = pit.generic {indexing_maps = [#a, #b, #c], index_axes = array<i64: 0, 2>, packed = array<i1: false, false, false>, rule = 5 : i64,
                    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>]}
      over(%i : !k) ins(%x, %w : tensor<64x128xf32>, tensor<128x16xf32>) outs(%y : tensor<64x16xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %1 = arith.mulf %l, %r : f32
    %2 = arith.addf %acc, %1 : f32
    pit.yield %2 : f32
  } -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// -----

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
!m = !pit.index<[64], coordinate = 0, tile = [8], width = 32>
// Over m, into a packed result: segments need not be kept apart, and the fill moves into the tile.
// CHECK-LABEL: func @parallel
// CHECK: %[[E:.*]] = tensor.empty() : tensor<64x16xf32>
// CHECK: pit.tiled flat tile 256 {{.*}} outs(%[[E]] :
// CHECK: ^bb0(%{{.*}}: tensor<?x128xf32>, %{{.*}}: tensor<128x16xf32>, %[[C:.*]]: tensor<?x16xf32>)
// CHECK: %[[F:.*]] = linalg.fill {{.*}} outs(%[[C]] :
// CHECK: linalg.generic {{.*}} outs(%[[F]] :
// Whole micro-tiles: 96 is the largest multiple of 8 below 100.
// SIZE-LABEL: func @parallel
// SIZE: pit.tiled flat tile 96
func.func @parallel(%x: tensor<64x128xf32>, %w: tensor<128x16xf32>, %i: !m) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  %0 = pit.generic {indexing_maps = [#a, #b, #c], index_axes = array<i64: 0>, packed = array<i1: false, false, true>,
                    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>]}
      over(%i : !m) ins(%x, %w : tensor<64x128xf32>, tensor<128x16xf32>) outs(%f : tensor<64x16xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %1 = arith.mulf %l, %r : f32
    %2 = arith.addf %acc, %1 : f32
    pit.yield %2 : f32
  } -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
// Reading a whole tensor copies tiles into a fresh one.
// CHECK-LABEL: func @read
// CHECK-SAME: (%[[X:.*]]: tensor<4x8x2xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<32x2xf32>
// CHECK: pit.tiled tile 256 {dims = [array<i64: 0, 1>, array<i64: -1, 0>], packed = array<i1: false, true>}
// CHECK-SAME: ins(%[[X]] : {{.*}}) outs(%[[E]] :
// CHECK-NOT: pit.sread
func.func @read(%x: tensor<4x8x2xf32>, %i: !i) -> tensor<32x2xf32> {
  %0 = pit.sread %x[%i] dims = [0, 1] : tensor<4x8x2xf32>, !i -> tensor<32x2xf32>
  return %0 : tensor<32x2xf32>
}

// -----

!i = !pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 32>
// Accumulating adds to what is there.
// CHECK-LABEL: func @accumulate
// CHECK-SAME: (%[[P:.*]]: tensor<32x2xf32>, %[[X:.*]]: tensor<4x8x2xf32>
// CHECK: pit.tiled {{.*}} ins(%[[P]] : {{.*}}) outs(%[[X]] :
// CHECK: linalg.generic
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK: arith.addf %[[OUT]], %[[IN]]
// CHECK-NOT: pit.swrite
func.func @accumulate(%p: tensor<32x2xf32>, %x: tensor<4x8x2xf32>, %i: !i) -> tensor<4x8x2xf32> {
  %0 = pit.swrite %p into %x[%i] accumulate dims = [0, 1] : tensor<32x2xf32>, tensor<4x8x2xf32>, !i
  return %0 : tensor<4x8x2xf32>
}

// -----

!i = !pit.index<[8], coordinate = 0, tile = [1], width = 32>
// An arg-max over columns knows their places by its loop, which is whole in a tile; over listed rows, places are data.
// CHECK-LABEL: func @arg_max
// CHECK: pit.tiled
// CHECK: ^bb0(%[[V:.*]]: f32, %{{.*}}: i64, %[[M:.*]]: f32, %[[P:.*]]: i64):
// CHECK: %[[L:.*]] = linalg.index 1
// CHECK: %[[N:.*]] = arith.index_cast %[[L]] : index to i64
// CHECK: arith.select %{{.*}}, %[[N]], %[[P]]
// CHECK-LABEL: func @arg_max_of_rows
// CHECK-NOT: linalg.index 1
func.func @arg_max(%x: tensor<8x4xf32>, %v: tensor<8xf32>, %n: tensor<8xi64>, %i: !i) -> (tensor<8xf32>, tensor<8xi64>) {
  %e = tensor.empty() : tensor<4xi64>
  %places = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>], iterator_types = ["parallel"]} outs(%e : tensor<4xi64>) {
  ^bb0(%o: i64):
    %j = linalg.index 0 : index
    %c = arith.index_cast %j : index to i64
    linalg.yield %c : i64
  } -> tensor<4xi64>
  %r:2 = pit.generic {index_axes = array<i64: 0>, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], packed = array<i1: false, false, true, true>}
      over(%i : !i) ins(%x, %places : tensor<8x4xf32>, tensor<4xi64>) outs(%v, %n : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%a: f32, %p: i64, %most: f32, %place: i64):
    %m = arith.maximumf %a, %most : f32
    %c = arith.cmpf ogt, %a, %most : f32
    %q = arith.select %c, %p, %place : i64
    pit.yield %m, %q : f32, i64
  } -> tensor<8xf32>, tensor<8xi64>
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xi64>
}
func.func @arg_max_of_rows(%x: tensor<8x4xf32>, %v: tensor<4xf32>, %n: tensor<4xi64>, %i: !i) -> (tensor<4xf32>, tensor<4xi64>) {
  %e = tensor.empty() : tensor<8xi64>
  %places = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>], iterator_types = ["parallel"]} outs(%e : tensor<8xi64>) {
  ^bb0(%o: i64):
    %j = linalg.index 0 : index
    %c = arith.index_cast %j : index to i64
    linalg.yield %c : i64
  } -> tensor<8xi64>
  %r:2 = pit.generic {index_axes = array<i64: 0>, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>],
      iterator_types = [#linalg.iterator_type<reduction>, #linalg.iterator_type<parallel>], packed = array<i1: false, false, false, false>}
      over(%i : !i) ins(%x, %places : tensor<8x4xf32>, tensor<8xi64>) outs(%v, %n : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%a: f32, %p: i64, %most: f32, %place: i64):
    %m = arith.maximumf %a, %most : f32
    %c = arith.cmpf ogt, %a, %most : f32
    %q = arith.select %c, %p, %place : i64
    pit.yield %m, %q : f32, i64
  } -> tensor<4xf32>, tensor<4xi64>
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
}

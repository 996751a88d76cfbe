// RUN: pit-opt %s --pit-pack-segments --split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-pack-segments --split-input-file --remarks-filter=pit-rules -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: Function=batches | {{.*}}packs listed rows in front of the product
// REMARK-NOT: packs listed rows

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
!i = !pit.index<[8, 1024], coordinate = 1, tile = [1, 1], width = 32>

// Rows of a matrix for each segment, times a matrix of each.
// CHECK-LABEL: func.func @batches(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x1024x32xf32>, %[[W:[a-z0-9]+]]: tensor<8x32x16xf32>
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<8192x32xf32>
// CHECK:         %[[PACKED:.*]] = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>], packed = array<i1: false, true>, rule = 3 : i64}
// CHECK-SAME:      ins(%[[X]] : tensor<8x1024x32xf32>) outs(%[[EMPTY]]
// CHECK-NEXT:    ^bb0(%[[TILE:.*]]: tensor<?x32xf32>, %{{.*}}: tensor<?x32xf32>):
// CHECK-NEXT:      pit.yield %[[TILE]]
// CHECK:         pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: true, false, true>, rule = 3 : i64}
// CHECK-SAME:      ins(%[[PACKED]], %[[W]]
func.func @batches(%x: tensor<8x1024x32xf32>, %w: tensor<8x32x16xf32>, %y: tensor<8192x16xf32>, %i: !i) -> tensor<8192x16xf32> {
  %r = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: false, false, true>, rule = 3 : i64}
      over(%i : !i) ins(%x, %w : tensor<8x1024x32xf32>, tensor<8x32x16xf32>) outs(%y : tensor<8192x16xf32>) {
  ^bb0(%tx: tensor<?x32xf32>, %tw: tensor<32x16xf32>, %ty: tensor<?x16xf32>):
    %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%tx, %tw : tensor<?x32xf32>, tensor<32x16xf32>) outs(%ty : tensor<?x16xf32>) {
    ^bb1(%p: f32, %q: f32, %acc: f32):
      %m = arith.mulf %p, %q : f32
      %t = arith.addf %acc, %m : f32
      linalg.yield %t : f32
    } -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<8192x16xf32>
  return %r : tensor<8192x16xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
!i = !pit.index<[8, 1024], coordinate = 1, tile = [1, 1], width = 32>

// Rows of one matrix are gathered by the product's kernel.
// CHECK-LABEL: func.func @one_matrix(
// CHECK-COUNT-1: pit.tiled
// CHECK-NOT:     pit.tiled
func.func @one_matrix(%x: tensor<1024x32xf32>, %w: tensor<8x32x16xf32>, %y: tensor<8192x16xf32>, %i: !i) -> tensor<8192x16xf32> {
  %r = pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: false, false, true>, rule = 3 : i64}
      over(%i : !i) ins(%x, %w : tensor<1024x32xf32>, tensor<8x32x16xf32>) outs(%y : tensor<8192x16xf32>) {
  ^bb0(%tx: tensor<?x32xf32>, %tw: tensor<32x16xf32>, %ty: tensor<?x16xf32>):
    %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%tx, %tw : tensor<?x32xf32>, tensor<32x16xf32>) outs(%ty : tensor<?x16xf32>) {
    ^bb1(%p: f32, %q: f32, %acc: f32):
      %m = arith.mulf %p, %q : f32
      %t = arith.addf %acc, %m : f32
      linalg.yield %t : f32
    } -> tensor<?x16xf32>
    pit.yield %s : tensor<?x16xf32>
  } -> tensor<8192x16xf32>
  return %r : tensor<8192x16xf32>
}

// -----

!i = !pit.index<[8, 1024], coordinate = 1, tile = [1, 1], width = 32>

// No product.
// CHECK-LABEL: func.func @elementwise(
// CHECK-COUNT-1: pit.tiled
// CHECK-NOT:     pit.tiled
func.func @elementwise(%x: tensor<8x1024x32xf32>, %y: tensor<8192x32xf32>, %i: !i) -> tensor<8192x32xf32> {
  %r = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>], packed = array<i1: false, true>, rule = 3 : i64}
      over(%i : !i) ins(%x : tensor<8x1024x32xf32>) outs(%y : tensor<8192x32xf32>) {
  ^bb0(%tx: tensor<?x32xf32>, %ty: tensor<?x32xf32>):
    %s = linalg.exp ins(%tx : tensor<?x32xf32>) outs(%ty : tensor<?x32xf32>) -> tensor<?x32xf32>
    pit.yield %s : tensor<?x32xf32>
  } -> tensor<8192x32xf32>
  return %r : tensor<8192x32xf32>
}

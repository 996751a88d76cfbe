// RUN: pit-opt %s --pit-shard-experts=ranks=2 | FileCheck %s

#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>
#col = affine_map<(a, b) -> (b)>

// A router that says by a mask which expert a row has, and by how much apart. Rows of results that are listed are the rank's own, and
// so are numbers that are computed with them: a sum reads both where all ranks have them, numbers in the places of rows.
// CHECK-LABEL: func.func @mask(
// CHECK-SAME: %[[X:.*]]: tensor<4x16xf32>, %[[KEEP:.*]]: tensor<4x8xi1>, %[[SHARE:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<4x16x24xf32>) -> tensor<4x24xf32>
// CHECK-SAME: pit.splits = {inputs = ["rows 0", "rows 0", "rows 0", "experts 0"], results = ["rows 0"]}
// CHECK: %[[ALL:.*]] = shard.all_gather %[[KEEP]] {{.*}} : tensor<4x8xi1> -> tensor<8x8xi1>
// CHECK: pit.detect by(%[[ALL]] : tensor<8x8xi1>)
// CHECK: %[[P:.*]] = pit.tiled {{.*}} ins(%{{.*}}, %[[W]] : tensor<8x16xf32>, tensor<4x16x24xf32>)
// CHECK: %[[Q:.*]]:2 = pit.tiled {{.*}} ins(%[[P]], %{{.*}} : tensor<8x24xf32>, tensor<8x4xf32>)
// CHECK: %[[ROWS:.*]] = shard.all_gather %[[Q]]#0 {{.*}} {pit.in_place}
// CHECK: %[[NUMBERS:.*]] = shard.all_gather %[[Q]]#1 {{.*}} {pit.in_place}
// CHECK: %[[SPREAD:.*]] = linalg.generic
// CHECK: arith.divui
// CHECK: arith.remui
// CHECK: arith.minui
// CHECK: tensor.extract %[[NUMBERS]]
// CHECK: pit.tiled {{.*}} ins(%[[ROWS]], %[[SPREAD]] :
func.func @mask(%x: tensor<8x16xf32>, %keep: tensor<8x8xi1>, %share: tensor<8x8xf32>, %w: tensor<8x16x24xf32>) -> tensor<8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %index = pit.detect by(%keep : tensor<8x8xi1>) <kind = mask, axes = [0, 1], at_most = 1> : <[8, 8], coordinate = 0, tile = [1, 1], width = 32>
  %inverse = pit.invert %index : <[8, 8], coordinate = 0, tile = [1, 1], width = 32> -> <[8, 8], coordinate = 1, tile = [1, 1], width = 32>
  %rows = tensor.empty() : tensor<8x24xf32>
  %numbers = tensor.empty() : tensor<8xf32>
  %p = pit.tiled tile 4 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, true>}
      over(%index : !pit.index<[8, 8], coordinate = 0, tile = [1, 1], width = 32>) ins(%x, %w : tensor<8x16xf32>, tensor<8x16x24xf32>) outs(%rows : tensor<8x24xf32>) {
  ^bb0(%a: tensor<?x16xf32>, %b: tensor<16x24xf32>, %o: tensor<?x24xf32>):
    %z = linalg.fill ins(%zero : f32) outs(%o : tensor<?x24xf32>) -> tensor<?x24xf32>
    %c = linalg.matmul ins(%a, %b : tensor<?x16xf32>, tensor<16x24xf32>) outs(%z : tensor<?x24xf32>) -> tensor<?x24xf32>
    pit.yield %c : tensor<?x24xf32>
  } -> tensor<8x24xf32>
  %q:2 = pit.tiled tile 4 {dims = [array<i64: 0, -1>, array<i64: 0, 1>, array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false, true, true>}
      over(%index : !pit.index<[8, 8], coordinate = 0, tile = [1, 1], width = 32>) ins(%p, %share : tensor<8x24xf32>, tensor<8x8xf32>)
      outs(%rows, %numbers : tensor<8x24xf32>, tensor<8xf32>) {
  ^bb0(%a: tensor<?x24xf32>, %s: tensor<?xf32>, %o: tensor<?x24xf32>, %n: tensor<?xf32>):
    pit.yield %a, %s : tensor<?x24xf32>, tensor<?xf32>
  } -> tensor<8x24xf32>, tensor<8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%rows : tensor<8x24xf32>) -> tensor<8x24xf32>
  %y = pit.tiled tile 4 {dims = [array<i64: -1, 0>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%inverse : !pit.index<[8, 8], coordinate = 1, tile = [1, 1], width = 32>) ins(%q#0, %q#1 : tensor<8x24xf32>, tensor<8xf32>) outs(%start : tensor<8x24xf32>) {
  ^bb0(%a: tensor<?x24xf32>, %n: tensor<?xf32>, %o: tensor<24xf32>):
    %s = linalg.generic {indexing_maps = [#id, #row, #col], iterator_types = ["reduction", "parallel"]} ins(%a, %n : tensor<?x24xf32>, tensor<?xf32>) outs(%o : tensor<24xf32>) {
    ^bb1(%v: f32, %m: f32, %acc: f32):
      %t = arith.mulf %v, %m : f32
      %u = arith.addf %acc, %t : f32
      linalg.yield %u : f32
    } -> tensor<24xf32>
    pit.yield %s : tensor<24xf32>
  } -> tensor<8x24xf32>
  return %y : tensor<8x24xf32>
}

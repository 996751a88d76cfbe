// With lists, tokens are sorted by row, without a look at what the pass itself has put together; terms are computed in the sum.
// RUN: pit-opt %s --pit-add-chosen-rows=lists --split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-add-chosen-rows=lists --pit-check-lists --split-input-file | FileCheck %s --check-prefix=CHECKED
// CHECKED-NOT: pit_rt_bad_index
// CHECKED-NOT: __proven_lists
// CHECKED: pit.tiled
// CHECKED-NOT: pit_rt_bad_index

#row = affine_map<(v, n, d) -> (n)>
#term = affine_map<(v, n, d) -> (n, d)>
#rows = affine_map<(v, n, d) -> (v, d)>

// CHECK-LABEL: func.func @weighted(
// CHECK-SAME:    %[[IDS:.*]]: tensor<40xi64>, %[[W:.*]]: tensor<40xf32>, %[[X:.*]]: tensor<40x16xbf16>, %[[INIT:.*]]: tensor<200000x16xf32>)
// CHECK:         %[[ROWS:.*]] = linalg.generic {{.*}} ins(%[[IDS]]
// CHECK-DAG:     %[[OFFSETS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<41xi64>)
// CHECK-DAG:     %[[COORDS:.*]] = linalg.generic {{.*}} ins(%[[ROWS]] : tensor<40xi64>) outs(%{{.*}} : tensor<40xi32>)
// CHECK:         %[[OF_TOKENS:.*]] = pit.assemble %[[OFFSETS]], %[[COORDS]] {{.*}} -> !pit.index<[200001, 40], coordinate = 0, tile = [1, 1], width = 32>
// CHECK:         pit.invert %[[OF_TOKENS]]
// CHECK:         tensor.extract_slice %{{.*}}[0] [200001] [1]
// CHECK:         %[[OF_ROWS:.*]] = pit.assemble {{.*}} -> !pit.index<[200000, 40], coordinate = 1, tile = [1, 1], width = 32>
// CHECK:         pit.tiled tile 64 {{.*}} over(%[[OF_ROWS]] : {{.*}} ins(%[[X]], %[[W]] : tensor<40x16xbf16>, tensor<40xf32>) outs(%[[INIT]]
// CHECK:           arith.extf
// CHECK:           arith.mulf
// CHECK:           arith.addf
func.func @weighted(%ids: tensor<40xi64>, %w: tensor<40xf32>, %x: tensor<40x16xbf16>, %init: tensor<200000x16xf32>) -> tensor<200000x16xf32> {
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [#row, #row, #term, #rows], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%ids, %w, %x : tensor<40xi64>, tensor<40xf32>, tensor<40x16xbf16>) outs(%init : tensor<200000x16xf32>) {
  ^bb0(%i: i64, %a: f32, %b: bf16, %o: f32):
    %v = linalg.index 0 : index
    %r = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %r : i64
    %f = arith.extf %b : bf16 to f32
    %p = arith.mulf %a, %f : f32
    %t = arith.select %is, %p, %zero : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<200000x16xf32>
  return %y : tensor<200000x16xf32>
}

// -----

// Products of few rows are for matrix units, and few elements in any sum: a row that all tokens go to is added up one by one.
#hot = affine_map<(v, n, d) -> (n, v)>
#term = affine_map<(v, n, d) -> (n, d)>
#rows = affine_map<(v, n, d) -> (v, d)>
// CHECK-LABEL: func.func @few(
// CHECK-NOT:     pit.
// CHECK:         return
func.func @few(%ids: tensor<40xi64>, %x: tensor<40x16xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<40x8xf32>
  %hot = linalg.generic {indexing_maps = [affine_map<(n, v) -> (n)>, affine_map<(n, v) -> (n, v)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<40xi64>) outs(%e : tensor<40x8xf32>) {
  ^bb0(%i: i64, %o: f32):
    %v = linalg.index 1 : index
    %r = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %r : i64
    %f = arith.uitofp %is : i1 to f32
    linalg.yield %f : f32
  } -> tensor<40x8xf32>
  %y = linalg.generic {indexing_maps = [#hot, #term, #rows], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%hot, %x : tensor<40x8xf32>, tensor<40x16xf32>) outs(%init : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// A weight's gradient by expert: a product of two matrices for each, and no sum of rows.
// CHECK-LABEL: func.func @outer(
// CHECK-NOT:     pit.
// CHECK:         return
func.func @outer(%ids: tensor<40xi64>, %x: tensor<40x16xf32>, %dy: tensor<40x24xf32>, %init: tensor<500x16x24xf32>) -> tensor<500x16x24xf32> {
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {
      indexing_maps = [affine_map<(e, k, j, n) -> (n)>, affine_map<(e, k, j, n) -> (n, k)>, affine_map<(e, k, j, n) -> (n, j)>, affine_map<(e, k, j, n) -> (e, k, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%ids, %x, %dy : tensor<40xi64>, tensor<40x16xf32>, tensor<40x24xf32>) outs(%init : tensor<500x16x24xf32>) {
  ^bb0(%i: i64, %a: f32, %b: f32, %o: f32):
    %v = linalg.index 0 : index
    %r = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %r : i64
    %p = arith.mulf %a, %b : f32
    %t = arith.select %is, %p, %zero : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<500x16x24xf32>
  return %y : tensor<500x16x24xf32>
}

// Long sums of products with few tiles become several batches, whose results the op behind adds up.
// RUN: pit-opt %s --pit-split-reductions -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-split-reductions=chip=sm_80 -split-input-file | FileCheck %s --check-prefix=OTHER
// A device of one multiprocessor has always something to do.
// RUN: pit-opt %s --pit-split-reductions=multiprocessors=1 -split-input-file | FileCheck %s --check-prefix=OTHER
// RUN: pit-opt %s --pit-split-reductions --remarks-filter=pit-kernels -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Strict programs keep the order of sums.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a strict" --remarks-filter=pit-kernels -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
// OTHER-LABEL: func @weight_gradient(
// OTHER-NOT: extract_slice
// OTHER: return
// OTHER-LABEL: func @listed_rows(
// OTHER-NOT: extract_slice
// OTHER: return
// STRICT-NOT: the sum is in {{[0-9]+}} parts
// STRICT: Family="dense GEMM"
// STRICT-NOT: the sum is in {{[0-9]+}} parts
// REMARK: split-reduction {{.*}}Reason="the product has few tiles", Remark="the sum is in {{[0-9]+}} parts, a batch each"

#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func @weight_gradient(
// CHECK-SAME: %[[X:.*]]: tensor<8192x768xbf16>, %[[DY:.*]]: tensor<8192x768xbf16>)
// CHECK-DAG: %[[A:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1], [2]] {{.*}} into tensor<[[PARTS:[0-9]+]]x[[K:[0-9]+]]x768xbf16>
// CHECK-DAG: %[[B:.*]] = tensor.expand_shape %[[DY]] {{\[\[}}0, 1], [2]] {{.*}} into tensor<[[PARTS]]x[[K]]x768xbf16>
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}
// CHECK: } -> tensor<[[PARTS]]x768x768xf32>
// CHECK: %[[FIRST:.*]] = tensor.extract_slice %[[SUMS]][0, 0, 0] [1, 768, 768] [1, 1, 1]
// CHECK: %[[SECOND:.*]] = tensor.extract_slice %[[SUMS]][1, 0, 0] [1, 768, 768] [1, 1, 1]
// CHECK: %[[R:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[FIRST]], %[[SECOND]], {{.*}}
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: } -> tensor<768x768xbf16>
// CHECK: return %[[R]]
func.func @weight_gradient(%x: tensor<8192x768xbf16>, %dy: tensor<8192x768xbf16>) -> tensor<768x768xbf16> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<768x768xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<768x768xf32>) -> tensor<768x768xf32>
  %2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %dy : tensor<8192x768xbf16>, tensor<8192x768xbf16>) outs(%1 : tensor<768x768xf32>) -> tensor<768x768xf32>
  %3 = tensor.empty() : tensor<768x768xbf16>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<768x768xf32>) outs(%3 : tensor<768x768xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %5 = arith.truncf %s : f32 to bf16
    linalg.yield %5 : bf16
  } -> tensor<768x768xbf16>
  return %4 : tensor<768x768xbf16>
}

// -----

// Both axes of tokens are summed over, and the sums are what is asked for.
// CHECK-LABEL: func @two_axes(
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<8x1024x768xf16> into tensor<8192x768xf16>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ["parallel", "parallel"]}
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]]
func.func @two_axes(%x: tensor<8x1024x768xf16>, %dy: tensor<8x1024x768xf16>) -> tensor<768x768xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<768x768xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<768x768xf32>) -> tensor<768x768xf32>
  %2 = linalg.generic {
      indexing_maps = [affine_map<(m, n, b, k) -> (b, k, m)>, affine_map<(m, n, b, k) -> (b, k, n)>, affine_map<(m, n, b, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %dy : tensor<8x1024x768xf16>, tensor<8x1024x768xf16>) outs(%1 : tensor<768x768xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %3 = arith.extf %a : f16 to f32
    %4 = arith.extf %b : f16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %c, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<768x768xf32>
  return %2 : tensor<768x768xf32>
}

// -----

// There are tiles enough; a sum of other types, or of unknown length, has no kernel that it would wait for.
// CHECK-LABEL: func @stay(
// CHECK-NOT: extract_slice
func.func @stay(%x: tensor<4096x4096xbf16>, %a: tensor<8192x512xf32>, %d: tensor<?x512xbf16>) -> (tensor<4096x4096xf32>, tensor<512x512xf32>, tensor<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4096x4096xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %2 = linalg.matmul ins(%x, %x : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) outs(%1 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %3 = tensor.empty() : tensor<512x512xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %5 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %a : tensor<8192x512xf32>, tensor<8192x512xf32>) outs(%4 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %6 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%d, %d : tensor<?x512xbf16>, tensor<?x512xbf16>) outs(%4 : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %2, %5, %6 : tensor<4096x4096xf32>, tensor<512x512xf32>, tensor<512x512xf32>
}

// -----

// Two tokens fewer, and no number of parts has whole steps.
// REMARK: [Missed] split-reduction {{.*}}Function=uneven{{.*}}a sum of 8190 has no parts of the same number of whole steps of 64
// CHECK-LABEL: func @uneven(
// CHECK-NOT: extract_slice
// CHECK: return
func.func @uneven(%x: tensor<8190x768xbf16>, %dy: tensor<8190x768xbf16>) -> tensor<768x768xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<768x768xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<768x768xf32>) -> tensor<768x768xf32>
  %2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %dy : tensor<8190x768xbf16>, tensor<8190x768xbf16>) outs(%1 : tensor<768x768xf32>) -> tensor<768x768xf32>
  return %2 : tensor<768x768xf32>
}

// -----

#product = [affine_map<(k, m, n) -> (k, m)>, affine_map<(k, m, n) -> (k, n)>, affine_map<(k, m, n) -> (m, n)>]
#id = affine_map<(m, n) -> (m, n)>
!rows = !pit.index<[8192], coordinate = 0, tile = [1], width = 32>

// Where rows are listed, parts of the list are segments, each of the same number of whole steps but for the last ones: a product of ragged k,
// of which one of the factors may be packed.
// REMARK: [Passed] split-reduction {{.*}}Function=listed_rows{{.*}}Reason="the product has few tiles", Remark="the sum is in {{[0-9]+}} parts of the list"
// CHECK-LABEL: func @listed_rows(
// CHECK-SAME: %[[X:.*]]: tensor<8192x768xbf16>, %[[DY:.*]]: tensor<8192x768xbf16>, %[[O:.*]]: tensor<2xi64>, %[[C:.*]]: tensor<8192xi32>)
// CHECK: %[[OFFSETS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} outs(%{{.*}} : tensor<[[#POINTS:]]xi64>)
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[COUNT:.*]] = tensor.extract %[[O]][%[[ONE]]]
// CHECK: %[[IN_ALL:.*]] = arith.constant [[#mul(64,POINTS-1)]] : i64
// CHECK: %[[STEPS:.*]] = arith.ceildivui %[[COUNT]], %[[IN_ALL]]
// CHECK: %[[PLACE:.*]] = linalg.index 0
// CHECK: %[[PART:.*]] = arith.index_cast %[[PLACE]]
// CHECK: %[[STEP:.*]] = arith.constant 64 : i64
// CHECK: %[[OF_PART:.*]] = arith.muli %[[STEPS]], %[[STEP]]
// CHECK: %[[BEGIN:.*]] = arith.muli %[[PART]], %[[OF_PART]]
// CHECK: %[[OFFSET:.*]] = arith.minui %[[BEGIN]], %[[COUNT]]
// CHECK: linalg.yield %[[OFFSET]]
// CHECK: %[[LIST:.*]] = pit.assemble %[[OFFSETS]], %[[C]] : tensor<[[#POINTS]]xi64>, {{.*}}index<[8192, [[#POINTS-1]]], coordinate = 0, tile = [1, 1], width = 32>
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<[[#POINTS-1]]x768x768xf32>
// CHECK: %[[SUMS:.*]] = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: false, true, false>}
// CHECK-SAME: over(%[[LIST]] : {{.*}}) ins(%[[X]], %[[DY]] : {{.*}}) outs(%[[ZEROS]] :
// CHECK: %[[FIRST:.*]] = tensor.extract_slice %[[SUMS]][0, 0, 0] [1, 768, 768] [1, 1, 1]
// CHECK: %[[SECOND:.*]] = tensor.extract_slice %[[SUMS]][1, 0, 0] [1, 768, 768] [1, 1, 1]
// CHECK: tensor.extract_slice %[[SUMS]][[[#POINTS-2]], 0, 0]
// CHECK: %[[R:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[FIRST]], %[[SECOND]], {{.*}}
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: return %[[R]]
func.func @listed_rows(%x: tensor<8192x768xbf16>, %dy: tensor<8192x768xbf16>, %o: tensor<2xi64>, %c: tensor<8192xi32>) -> tensor<768x768xbf16> {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %o, %c : tensor<2xi64>, tensor<8192xi32> -> !rows
  %0 = tensor.empty() : tensor<768x768xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<768x768xf32>) -> tensor<768x768xf32>
  %2 = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>, array<i64: -1>], packed = array<i1: false, true, false>}
      over(%i : !rows) ins(%x, %dy : tensor<8192x768xbf16>, tensor<8192x768xbf16>) outs(%1 : tensor<768x768xf32>) {
  ^bb0(%a: tensor<?x768xbf16>, %b: tensor<?x768xbf16>, %s: tensor<768x768xf32>):
    %3 = linalg.generic {indexing_maps = #product, iterator_types = ["reduction", "parallel", "parallel"]}
        ins(%a, %b : tensor<?x768xbf16>, tensor<?x768xbf16>) outs(%s : tensor<768x768xf32>) {
    ^bb1(%l: bf16, %r: bf16, %acc: f32):
      %4 = arith.extf %l : bf16 to f32
      %5 = arith.extf %r : bf16 to f32
      %6 = arith.mulf %4, %5 : f32
      %7 = arith.addf %acc, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<768x768xf32>
    pit.yield %3 : tensor<768x768xf32>
  } -> tensor<768x768xf32>
  %8 = tensor.empty() : tensor<768x768xbf16>
  %9 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<768x768xf32>) outs(%8 : tensor<768x768xbf16>) {
  ^bb0(%s: f32, %out: bf16):
    %10 = arith.truncf %s : f32 to bf16
    linalg.yield %10 : bf16
  } -> tensor<768x768xbf16>
  return %9 : tensor<768x768xbf16>
}

// -----

#by_column = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>]
#weighted = [affine_map<(k, n) -> (k)>, affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>]
!rows = !pit.index<[2048], coordinate = 0, tile = [1], width = 32>

// Sums of listed rows by column have 256 parts, which are sums of segments, and are added up as another reduction. Both are over the same parts.
// CHECK-LABEL: func @listed_columns(
// CHECK-SAME: %[[X:.*]]: tensor<2048x96xbf16>, %[[Y:.*]]: tensor<2048x40xf32>, %[[G:.*]]: tensor<2048xf32>, %[[O:.*]]: tensor<2xi64>, %[[C:.*]]: tensor<2048xi32>)
// CHECK: %[[OFFSETS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<257xi64>)
// CHECK: arith.constant 1024 : i64
// CHECK: %[[LIST:.*]] = pit.assemble %[[OFFSETS]], %[[C]] : tensor<257xi64>, {{.*}}index<[2048, 256], coordinate = 0, tile = [1, 1], width = 32>
// CHECK-NOT: pit.assemble
// CHECK: %[[SUMS:.*]] = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: true, false>} over(%[[LIST]] : {{.*}}) ins(%[[X]] : {{.*}}) outs(%{{.*}} : tensor<256x96xf32>)
// CHECK: } -> tensor<256x96xf32>
// CHECK: %[[R:.*]] = linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%[[SUMS]] : tensor<256x96xf32>) outs(%{{.*}} : tensor<96xf32>)
// CHECK: %[[OTHERS:.*]] = pit.tiled {{.*}} over(%[[LIST]] : {{.*}}) ins(%[[G]], %[[Y]] : {{.*}}) outs(%{{.*}} : tensor<256x40xf32>)
// CHECK: } -> tensor<256x40xf32>
// CHECK: %[[S:.*]] = linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%[[OTHERS]] : tensor<256x40xf32>) outs(%{{.*}} : tensor<40xf32>)
// CHECK: return %[[R]], %[[S]]
func.func @listed_columns(%x: tensor<2048x96xbf16>, %y: tensor<2048x40xf32>, %g: tensor<2048xf32>, %o: tensor<2xi64>, %c: tensor<2048xi32>) -> (tensor<96xf32>, tensor<40xf32>) {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %o, %c : tensor<2xi64>, tensor<2048xi32> -> !rows
  %0 = tensor.empty() : tensor<96xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<96xf32>) -> tensor<96xf32>
  %2 = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: -1>], packed = array<i1: true, false>}
      over(%i : !rows) ins(%x : tensor<2048x96xbf16>) outs(%1 : tensor<96xf32>) {
  ^bb0(%a: tensor<?x96xbf16>, %s: tensor<96xf32>):
    %3 = linalg.generic {indexing_maps = #by_column, iterator_types = ["reduction", "parallel"]}
        ins(%a : tensor<?x96xbf16>) outs(%s : tensor<96xf32>) {
    ^bb1(%l: bf16, %acc: f32):
      %4 = arith.extf %l : bf16 to f32
      %5 = arith.addf %acc, %4 : f32
      linalg.yield %5 : f32
    } -> tensor<96xf32>
    pit.yield %3 : tensor<96xf32>
  } -> tensor<96xf32>
  %6 = tensor.empty() : tensor<40xf32>
  %7 = linalg.fill ins(%zero : f32) outs(%6 : tensor<40xf32>) -> tensor<40xf32>
  %8 = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>, array<i64: -1>], packed = array<i1: false, false, false>}
      over(%i : !rows) ins(%g, %y : tensor<2048xf32>, tensor<2048x40xf32>) outs(%7 : tensor<40xf32>) {
  ^bb0(%w: tensor<?xf32>, %a: tensor<?x40xf32>, %s: tensor<40xf32>):
    %9 = linalg.generic {indexing_maps = #weighted, iterator_types = ["reduction", "parallel"]}
        ins(%w, %a : tensor<?xf32>, tensor<?x40xf32>) outs(%s : tensor<40xf32>) {
    ^bb1(%f: f32, %l: f32, %acc: f32):
      %10 = arith.mulf %f, %l : f32
      %11 = arith.addf %acc, %10 : f32
      linalg.yield %11 : f32
    } -> tensor<40xf32>
    pit.yield %9 : tensor<40xf32>
  } -> tensor<40xf32>
  return %2, %8 : tensor<96xf32>, tensor<40xf32>
}

// -----

#product = [affine_map<(k, m, n) -> (k, m)>, affine_map<(k, m, n) -> (k, n)>, affine_map<(k, m, n) -> (m, n)>]
#by_column = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>]
!rows = !pit.index<[8192], coordinate = 0, tile = [1], width = 32>

// Sums that go on from others, products whose result is not f32, products of f32, and what is no sum are no sums of segments.
// CHECK-LABEL: func @listed_otherwise(
// CHECK-NOT: linalg.index
// CHECK-COUNT-4: pit.tiled {{.*}} over(%{{.*}} : !pit.index<[8192],
// CHECK: return
func.func @listed_otherwise(%x: tensor<8192x768xbf16>, %y: tensor<8192x768xf32>, %before: tensor<768xf32>, %o: tensor<2xi64>, %c: tensor<8192xi32>)
    -> (tensor<768xf32>, tensor<768x768xbf16>, tensor<768x768xf32>, tensor<768xf32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  %i = pit.assemble %o, %c : tensor<2xi64>, tensor<8192xi32> -> !rows
  %0 = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: -1>], packed = array<i1: false, false>}
      over(%i : !rows) ins(%y : tensor<8192x768xf32>) outs(%before : tensor<768xf32>) {
  ^bb0(%a: tensor<?x768xf32>, %s: tensor<768xf32>):
    %t = linalg.generic {indexing_maps = #by_column, iterator_types = ["reduction", "parallel"]}
        ins(%a : tensor<?x768xf32>) outs(%s : tensor<768xf32>) {
    ^bb1(%l: f32, %acc: f32):
      %n = arith.addf %acc, %l : f32
      linalg.yield %n : f32
    } -> tensor<768xf32>
    pit.yield %t : tensor<768xf32>
  } -> tensor<768xf32>
  %1 = tensor.empty() : tensor<768x768xbf16>
  %2 = linalg.fill ins(%none : bf16) outs(%1 : tensor<768x768xbf16>) -> tensor<768x768xbf16>
  %3 = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>, array<i64: -1>], packed = array<i1: false, false, false>}
      over(%i : !rows) ins(%x, %x : tensor<8192x768xbf16>, tensor<8192x768xbf16>) outs(%2 : tensor<768x768xbf16>) {
  ^bb0(%a: tensor<?x768xbf16>, %b: tensor<?x768xbf16>, %s: tensor<768x768xbf16>):
    %t = linalg.generic {indexing_maps = #product, iterator_types = ["reduction", "parallel", "parallel"]}
        ins(%a, %b : tensor<?x768xbf16>, tensor<?x768xbf16>) outs(%s : tensor<768x768xbf16>) {
    ^bb1(%l: bf16, %r: bf16, %acc: bf16):
      %m = arith.mulf %l, %r : bf16
      %n = arith.addf %acc, %m : bf16
      linalg.yield %n : bf16
    } -> tensor<768x768xbf16>
    pit.yield %t : tensor<768x768xbf16>
  } -> tensor<768x768xbf16>
  %4 = tensor.empty() : tensor<768x768xf32>
  %5 = linalg.fill ins(%zero : f32) outs(%4 : tensor<768x768xf32>) -> tensor<768x768xf32>
  %6 = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>, array<i64: -1>], packed = array<i1: false, false, false>}
      over(%i : !rows) ins(%y, %y : tensor<8192x768xf32>, tensor<8192x768xf32>) outs(%5 : tensor<768x768xf32>) {
  ^bb0(%a: tensor<?x768xf32>, %b: tensor<?x768xf32>, %s: tensor<768x768xf32>):
    %t = linalg.generic {indexing_maps = #product, iterator_types = ["reduction", "parallel", "parallel"]}
        ins(%a, %b : tensor<?x768xf32>, tensor<?x768xf32>) outs(%s : tensor<768x768xf32>) {
    ^bb1(%l: f32, %r: f32, %acc: f32):
      %m = arith.mulf %l, %r : f32
      %n = arith.addf %acc, %m : f32
      linalg.yield %n : f32
    } -> tensor<768x768xf32>
    pit.yield %t : tensor<768x768xf32>
  } -> tensor<768x768xf32>
  %7 = tensor.empty() : tensor<768xf32>
  %8 = linalg.fill ins(%zero : f32) outs(%7 : tensor<768xf32>) -> tensor<768xf32>
  %9 = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: -1>], packed = array<i1: false, false>}
      over(%i : !rows) ins(%y : tensor<8192x768xf32>) outs(%8 : tensor<768xf32>) {
  ^bb0(%a: tensor<?x768xf32>, %s: tensor<768xf32>):
    %t = linalg.generic {indexing_maps = #by_column, iterator_types = ["reduction", "parallel"]}
        ins(%a : tensor<?x768xf32>) outs(%s : tensor<768xf32>) {
    ^bb1(%l: f32, %acc: f32):
      %n = arith.maximumf %acc, %l : f32
      linalg.yield %n : f32
    } -> tensor<768xf32>
    pit.yield %t : tensor<768xf32>
  } -> tensor<768xf32>
  return %0, %3, %6, %9 : tensor<768xf32>, tensor<768x768xbf16>, tensor<768x768xf32>, tensor<768xf32>
}

// -----

#by_column = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>]
!rows = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
!batches = !pit.index<[8, 1024], coordinate = 1, tile = [1, 1], width = 32>

// Lists that have segments already have no parts, nor have lists of nobody knows how many rows.
// CHECK-LABEL: func @listed_elsewhere(
// CHECK-NOT: linalg.index
// CHECK: pit.tiled {{.*}} over(%{{.*}} : !pit.index<[8, 1024],
// CHECK: pit.tiled {{.*}} over(%{{.*}} : !pit.index<[?],
// CHECK: return
func.func @listed_elsewhere(%x: tensor<8x1024x96xf32>, %y: tensor<?x96xf32>, %o: tensor<9xi64>, %c: tensor<8192xi32>, %p: tensor<2xi64>, %d: tensor<?xi32>, %n: index)
    -> (tensor<96xf32>, tensor<96xf32>) {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %o, %c : tensor<9xi64>, tensor<8192xi32> -> !batches
  %0 = tensor.empty() : tensor<96xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<96xf32>) -> tensor<96xf32>
  %2 = pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, -1>], packed = array<i1: false, false>}
      over(%i : !batches) ins(%x : tensor<8x1024x96xf32>) outs(%1 : tensor<96xf32>) {
  ^bb0(%a: tensor<?x96xf32>, %s: tensor<96xf32>):
    %t = linalg.generic {indexing_maps = #by_column, iterator_types = ["reduction", "parallel"]}
        ins(%a : tensor<?x96xf32>) outs(%s : tensor<96xf32>) {
    ^bb1(%l: f32, %acc: f32):
      %v = arith.addf %acc, %l : f32
      linalg.yield %v : f32
    } -> tensor<96xf32>
    pit.yield %t : tensor<96xf32>
  } -> tensor<96xf32>
  %j = pit.assemble %p, %d extents(%n) : tensor<2xi64>, tensor<?xi32> -> !rows
  %3 = pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: -1>], packed = array<i1: false, false>}
      over(%j : !rows) ins(%y : tensor<?x96xf32>) outs(%1 : tensor<96xf32>) {
  ^bb0(%a: tensor<?x96xf32>, %s: tensor<96xf32>):
    %t = linalg.generic {indexing_maps = #by_column, iterator_types = ["reduction", "parallel"]}
        ins(%a : tensor<?x96xf32>) outs(%s : tensor<96xf32>) {
    ^bb1(%l: f32, %acc: f32):
      %v = arith.addf %acc, %l : f32
      linalg.yield %v : f32
    } -> tensor<96xf32>
    pit.yield %t : tensor<96xf32>
  } -> tensor<96xf32>
  return %2, %3 : tensor<96xf32>, tensor<96xf32>
}

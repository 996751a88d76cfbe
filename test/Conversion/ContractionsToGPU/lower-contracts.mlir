// What no kernel computes becomes what it was made of.
// RUN: pit-opt %s --pit-lower-contracts | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#n = affine_map<(m, n, k) -> (n)>
!list = !pit.index_buffer<!pit.index<[?], coordinate = 0, tile = [1], width = 32>>

// CHECK-LABEL: func.func @dense(
// CHECK-SAME: %[[A:.*]]: memref<512x256xf32>, %[[B:.*]]: memref<256x128xf32>, %[[C:.*]]: memref<512x128xf32>)
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[C]] : memref<512x128xf32>)
// CHECK: linalg.{{.*}} ins(%[[A]], %[[B]] : memref<512x256xf32>, memref<256x128xf32>) outs(%[[C]] : memref<512x128xf32>)
func.func @dense(%a: memref<512x256xf32>, %b: memref<256x128xf32>, %c: memref<512x128xf32>) {
  pit.contract dense ins(%a, %b : memref<512x256xf32>, memref<256x128xf32>) outs(%c : memref<512x128xf32>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// Work behind the sums reads them in f32.
// CHECK-LABEL: func.func @epilogue(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<512x250xbf16>, %{{[a-z0-9]+}}: memref<250x128xbf16>, %[[BIAS:[a-z0-9]+]]: memref<128xf32>, %[[C:[a-z0-9]+]]: memref<512x128xbf16>)
// CHECK: %[[SUMS:.*]] = memref.alloc
// CHECK: linalg.fill {{.*}} outs(%[[SUMS]]
// CHECK: linalg.{{.*}} outs(%[[SUMS]]
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]], %[[BIAS]] : {{.*}}) outs(%[[C]] : memref<512x128xbf16>)
// CHECK: arith.addf
// CHECK: arith.truncf
func.func @epilogue(%a: memref<512x250xbf16>, %b: memref<250x128xbf16>, %bias: memref<128xf32>, %c: memref<512x128xbf16>) {
  pit.contract dense ins(%a, %b : memref<512x250xbf16>, memref<250x128xbf16>) with(%bias : memref<128xf32>)
    outs(%c : memref<512x128xbf16>)
    {indexing_maps = [#mk, #kn, #n, #mn], listed = array<i1: false, false, false, false>} epilogue {
  ^bb0(%sum: f32, %b0: f32):
    %1 = arith.addf %sum, %b0 : f32
    pit.yield %1 : f32
  }
  return
}

// CHECK-LABEL: func.func @rows(
// CHECK: pit.tiled tile 64
// CHECK: linalg.fill
// CHECK: linalg.
// CHECK-NOT: pit.contract
// CHECK: return
func.func @rows(%rows: memref<?xi32>, %offsets: memref<2xi64>, %m: index, %a: memref<?x250xf32>, %b: memref<250x128xf32>,
                %c: memref<?x128xf32>) {
  %i = pit.assemble %offsets, %rows extents(%m) : memref<2xi64>, memref<?xi32> -> !list
  pit.contract rows over(%i : !list) ins(%a, %b : memref<?x250xf32>, memref<250x128xf32>) outs(%c : memref<?x128xf32>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, true>}
  return
}

// Batches are a loop more, on what has the axis.
#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#shared = affine_map<(b, m, n, k) -> (k, n)>
#scale = affine_map<(b, m, n, k) -> (b)>
#bmn = affine_map<(b, m, n, k) -> (m, b, n)>
// CHECK-LABEL: func.func @batches(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x9x250xbf16>, %[[B:[a-z0-9]+]]: memref<250x128xbf16>, %[[SCALE:[a-z0-9]+]]: memref<?xf32>, %[[C:[a-z0-9]+]]: memref<9x?x128xbf16>)
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[BATCHES:.*]] = memref.dim %[[C]], %[[ONE]]
// CHECK: %[[SUMS:.*]] = memref.alloc(%[[BATCHES]]) : memref<9x?x128xf32>
// CHECK: linalg.fill {{.*}} outs(%[[SUMS]]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]{{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[SUMS]]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]{{.*}} ins(%[[SUMS]], %[[SCALE]] : {{.*}}) outs(%[[C]] : memref<9x?x128xbf16>)
// CHECK: arith.mulf
// CHECK: arith.truncf
func.func @batches(%a: memref<?x9x250xbf16>, %b: memref<250x128xbf16>, %scale: memref<?xf32>, %c: memref<9x?x128xbf16>) {
  pit.contract batches ins(%a, %b : memref<?x9x250xbf16>, memref<250x128xbf16>) with(%scale : memref<?xf32>)
    outs(%c : memref<9x?x128xbf16>)
    {indexing_maps = [#bmk, #shared, #scale, #bmn], listed = array<i1: false, false, false, false>} epilogue {
  ^bb0(%sum: f32, %s: f32):
    %1 = arith.mulf %sum, %s : f32
    pit.yield %1 : f32
  }
  return
}

// Windows are copied side by side, with zeros where they reach beyond the input.
// CHECK-LABEL: func.func @windows(
// CHECK-SAME: %[[A:.*]]: memref<4x14x64xbf16>, %[[B:.*]]: memref<3x64x128xbf16>, %[[C:.*]]: memref<56x128xf32>)
// CHECK: %[[WINDOWS:.*]] = memref.alloc() : memref<56x3x64xbf16>
// CHECK: linalg.generic {{.*}} outs(%[[WINDOWS]]
// CHECK: memref.load %[[A]]
// CHECK: arith.select
// CHECK: linalg.fill {{.*}} outs(%[[C]]
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel", "reduction"]} ins(%[[WINDOWS]], %[[B]] : {{.*}}) outs(%[[C]]
func.func @windows(%a: memref<4x14x64xbf16>, %b: memref<3x64x128xbf16>, %c: memref<56x128xf32>) {
  pit.contract windows ins(%a, %b : memref<4x14x64xbf16>, memref<3x64x128xbf16>) outs(%c : memref<56x128xf32>)
    {indexing_maps = [affine_map<(t, m, n, k) -> (m, t, k)>, affine_map<(t, m, n, k) -> (t, k, n)>, affine_map<(t, m, n, k) -> (m, n)>],
     listed = array<i1: false, false, false>,
     window = #pit.window<size = [3], strides = [1], dilations = [1], low = [1], positions = [14]>}
  return
}

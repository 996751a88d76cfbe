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

// Contract ops and plans print as they parse.
// RUN: pit-opt %s | pit-opt | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#n = affine_map<(m, n, k) -> (n)>
!list = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>

// CHECK-LABEL: func @dense
// CHECK: pit.contract dense ins(%{{.*}}, %{{.*}} : memref<512x256xbf16>, memref<256x128xbf16>) outs(%{{.*}} : memref<512x128xbf16>)
// CHECK-SAME: plan <family = gemm, tile = [128, 128], stages = 6, consumers = 2, tma_store = true>
func.func @dense(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, tile = [128, 128], stages = 6, consumers = 2, tma_store = true>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// Batches, of which B is the same for all.
// CHECK-LABEL: func @batches
// CHECK: pit.contract batches ins(%{{.*}}, %{{.*}} : memref<?x?x256xbf16>, memref<256x128xbf16>) with(%{{.*}} : memref<?xf32>)
// CHECK-SAME: outs(%{{.*}} : memref<?x?x128xbf16>)
// CHECK-SAME: plan <family = batched_gemm, tile = [128, 128], stages = 6, consumers = 2, tma_store = true>
#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#shared = affine_map<(b, m, n, k) -> (k, n)>
#b = affine_map<(b, m, n, k) -> (b)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @batches(%a: memref<?x?x256xbf16>, %b: memref<256x128xbf16>, %scale: memref<?xf32>, %c: memref<?x?x128xbf16>) {
  pit.contract batches ins(%a, %b : memref<?x?x256xbf16>, memref<256x128xbf16>) with(%scale : memref<?xf32>)
    outs(%c : memref<?x?x128xbf16>)
    plan <family = batched_gemm, tile = [128, 128], stages = 6, consumers = 2, tma_store = true>
    {indexing_maps = [#bmk, #shared, #b, #bmn], listed = array<i1: false, false, false, false>} epilogue {
  ^bb0(%sum: f32, %s: f32):
    %0 = arith.mulf %sum, %s : f32
    pit.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func @gated
// CHECK: pit.contract dense ins({{.*}}) second({{.*}}) with(%{{.*}} : tensor<128xf32>) outs({{.*}})
// CHECK-SAME: epilogue {
// CHECK: ^bb0(%[[GATE:.*]]: f32, %[[UP:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK: arith.mulf %[[GATE]], %[[UP]]
// CHECK: pit.yield
// CHECK: } -> tensor<512x128xbf16>
func.func @gated(%a: tensor<512x256xbf16>, %b: tensor<128x256xbf16>, %b2: tensor<128x256xbf16>, %bias: tensor<128xf32>,
                 %c: tensor<512x128xbf16>) -> tensor<512x128xbf16> {
  %0 = pit.contract dense ins(%a, %b : tensor<512x256xbf16>, tensor<128x256xbf16>) second(%b2 : tensor<128x256xbf16>)
    with(%bias : tensor<128xf32>) outs(%c : tensor<512x128xbf16>)
    {indexing_maps = [#mk, #nk, #nk, #n, #mn], listed = array<i1: false, false, false, false, false>} epilogue {
  ^bb0(%gate: f32, %up: f32, %b0: f32):
    %1 = arith.mulf %gate, %up : f32
    %2 = arith.addf %1, %b0 : f32
    pit.yield %2 : f32
  } -> tensor<512x128xbf16>
  return %0 : tensor<512x128xbf16>
}

// Variants are plans, too.
// CHECK-LABEL: func @rows
// CHECK: pit.contract rows over(%{{.*}} : !pit.index<{{.*}}>)
// CHECK-SAME: variants = [#pit.variant<guard = rows, limit = 1024, plan = <family = gather_gemm, tile = [64, 128], stages = 8, consumers = 2, swap_ab = true>>]
func.func @rows(%i: !list, %a: tensor<4096x256xbf16>, %b: tensor<256x128xbf16>, %c: tensor<4096x128xbf16>) -> tensor<4096x128xbf16> {
  %0 = pit.contract rows over(%i : !list) ins(%a, %b : tensor<4096x256xbf16>, tensor<256x128xbf16>)
    outs(%c : tensor<4096x128xbf16>)
    plan <family = gather_gemm, tile = [128, 256], stages = 4, consumers = 2,
          variants = [#pit.variant<guard = rows, limit = 1024, plan = <family = gather_gemm, tile = [64, 128], stages = 8, consumers = 2, swap_ab = true>>]>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, true>} -> tensor<4096x128xbf16>
  return %0 : tensor<4096x128xbf16>
}

// CHECK-LABEL: func @mma
// CHECK: plan <family = gemm, engine = mma_sync, tile = [128, 128, 16], warp_tile = [64, 32], stages = 3, tf32 = 3>
func.func @mma(%a: memref<512x256xf32>, %b: memref<256x128xf32>, %c: memref<512x128xf32>) {
  pit.contract dense ins(%a, %b : memref<512x256xf32>, memref<256x128xf32>) outs(%c : memref<512x128xf32>)
    plan <family = gemm, engine = mma_sync, tile = [128, 128, 16], warp_tile = [64, 32], stages = 3, tf32 = 3>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// Places in a window come first.
// CHECK-LABEL: func @windows
// CHECK: pit.contract windows ins(%{{.*}}, %{{.*}} : tensor<?x14x14x64xbf16>, tensor<9x64x128xbf16>)
// CHECK-SAME: window = #pit.window<size = [3, 3], strides = [1, 2], dilations = [1, 1], low = [1, 1], positions = [14, 7]>
func.func @windows(%a: tensor<?x14x14x64xbf16>, %b: tensor<9x64x128xbf16>, %c: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %0 = pit.contract windows ins(%a, %b : tensor<?x14x14x64xbf16>, tensor<9x64x128xbf16>) outs(%c : tensor<?x128xf32>)
    {indexing_maps = [affine_map<(t, m, n, k) -> (m, t, k)>, affine_map<(t, m, n, k) -> (t, k, n)>, affine_map<(t, m, n, k) -> (m, n)>],
     listed = array<i1: false, false, false>,
     window = #pit.window<size = [3, 3], strides = [1, 2], dilations = [1, 1], low = [1, 1], positions = [14, 7]>}
    -> tensor<?x128xf32>
  return %0 : tensor<?x128xf32>
}

// CHECK-LABEL: func @f64
// CHECK: pit.contract dense ins({{.*}}) outs(%{{.*}} : memref<64x48xf64>)
// CHECK-SAME: plan <family = gemm, engine = mma_sync, tile = [128, 128, 16], warp_tile = [64, 32], stages = 4>
func.func @f64(%a: memref<64x32xf64>, %b: memref<32x48xf64>, %c: memref<64x48xf64>) {
  pit.contract dense ins(%a, %b : memref<64x32xf64>, memref<32x48xf64>) outs(%c : memref<64x48xf64>)
    plan <family = gemm, engine = mma_sync, tile = [128, 128, 16], warp_tile = [64, 32], stages = 4>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// Unsigned by signed, dequantised.
// CHECK-LABEL: func @i8
// CHECK: pit.contract dense ins({{.*}}) with({{.*}}) outs(%{{.*}} : memref<64x48xbf16>)
// CHECK-SAME: unsigned_a}
// CHECK: ^bb0(%{{.*}}: i32, %{{.*}}: f32):
func.func @i8(%a: memref<64x32xi8>, %b: memref<32x48xi8>, %scale: memref<48xf32>, %c: memref<64x48xbf16>) {
  pit.contract dense ins(%a, %b : memref<64x32xi8>, memref<32x48xi8>) with(%scale : memref<48xf32>)
    outs(%c : memref<64x48xbf16>)
    {indexing_maps = [#mk, #kn, #n, #mn], listed = array<i1: false, false, false, false>, unsigned_a} epilogue {
  ^bb0(%sum: i32, %s: f32):
    %0 = arith.sitofp %sum : i32 to f32
    %1 = arith.mulf %0, %s : f32
    pit.yield %1 : f32
  }
  return
}

// Discardable attributes of the dialect, each where it may stand.
// RUN: pit-opt %s | pit-opt | FileCheck %s

!i = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
#id = affine_map<(m) -> (m)>

// CHECK: module attributes {{{.*}}pit.program = {chip = "sm_90a", target = "cuda"}}
module attributes {gpu.container_module, pit.program = {chip = "sm_90a", target = "cuda"}} {
  gpu.module @kernels {
    // CHECK: llvm.func @waits(%{{.*}}: i32 {pit.waits_last}) attributes {pit.waits}
    llvm.func @waits(%last: i32 {pit.waits_last}) attributes {pit.waits} {
      llvm.return
    }
  }

  // CHECK: func.func @marked(
  // CHECK-SAME: pit.sparse = {absent = "neg_inf", at_most = 2 : i64, axes = array<i64: 0, 1>, from = 1 : i64, granularity = array<i64: 1, 2>, live = 5.000000e-01 : f64, pad = "left", source = "mask"}
  // CHECK-SAME: pit.rules = [{id = 0 : i64, pattern = 1 : i64}]
  func.func @marked(%x: tensor<4x8xf32> {pit.sparse = {
        source = "mask", from = 1 : i64, axes = array<i64: 0, 1>, absent = "neg_inf", pad = "left",
        granularity = array<i64: 1, 2>, at_most = 2 : i64, live = 0.5}},
      %mask: tensor<4x4xi1>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
      attributes {pit.rules = [{id = 0 : i64, pattern = 1 : i64}]} {
    // CHECK: linalg.exp {pit.axes = ["parallel", "refused: why"], pit.dense, pit.dense_variant = false, pit.facts = ["a", "b"], pit.restricted = "c", pit.rule = 0 : i64, pit.sparse = {{{.*}}}}
    %0 = linalg.exp {pit.axes = ["parallel", "refused: why"], pit.dense, pit.dense_variant = false, pit.facts = ["a", "b"],
                     pit.restricted = "c", pit.rule = 0 : i64, pit.sparse = {source = "values", axes = array<i64: 0>}}
        ins(%x : tensor<4x8xf32>) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
    // CHECK: linalg.exp {pit.dense_variant_of = 7 : i64, pit.source = "name"}
    %1 = linalg.exp {pit.dense_variant_of = 7 : i64, pit.source = "name"} ins(%0 : tensor<4x8xf32>) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
    // CHECK: pit.sparse {{.*}} {pit.cleared, pit.live = 1.000000e+00 : f32}
    %2 = pit.sparse %1 <kind = values, axes = [0, 1]> {pit.cleared, pit.live = 1.0 : f32} : tensor<4x8xf32>
    return %2 : tensor<4x8xf32>
  }

  // CHECK: pit.tiled flat tile 64 {dims = {{.*}}, pit.dense_variant = true, pit.draw_tiles = false, pit.pieces_of_group = 2 : i64, pit.short_segments = true, pit.strips_of_tile = 8 : i64}
  func.func @tiled(%a: tensor<?x16xf32>, %index: !i, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
    %0 = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>,
        pit.dense_variant = true, pit.draw_tiles = false, pit.short_segments = true, pit.pieces_of_group = 2 : i64, pit.strips_of_tile = 8 : i64}
        over(%index : !i) ins(%a : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
    ^bb0(%ta: tensor<?x16xf32>, %te: tensor<?x16xf32>):
      %s = linalg.exp ins(%ta : tensor<?x16xf32>) outs(%te : tensor<?x16xf32>) -> tensor<?x16xf32>
      pit.yield %s : tensor<?x16xf32>
    } -> tensor<?x16xf32>
    return %0 : tensor<?x16xf32>
  }

  // CHECK: func.func @pit_run(%{{.*}}: memref<4xi64> {pit.status}) attributes {pit.entry = {name = "run", type = (memref<?xf32>) -> ()}}
  func.func @pit_run(%status: memref<4xi64> {pit.status}) attributes {pit.entry = {name = "run", type = (memref<?xf32>) -> ()}} {
    return
  }

  // Lowering to LLVM takes the buffer apart.
  // CHECK: llvm.func @lowered(!llvm.ptr {pit.status}, i64 {pit.status})
  llvm.func @lowered(!llvm.ptr {pit.status}, i64 {pit.status})
}

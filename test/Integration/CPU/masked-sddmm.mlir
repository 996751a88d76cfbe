// Products of which blocks are sampled, cut by the end of the result, packed by
// the first of its dimensions whatever the blocks' extents.
// RUN: pit-run %s --random normal@70x24 --random normal@24x50 --random bool:0.4@5x7 --random normal --check | FileCheck %s
// RUN: pit-run %s --random normal@1x24 --random normal@24x50 --random bool:1@1x7 --random normal --check | FileCheck %s
// RUN: pit-run %s --random normal@33x24 --random normal@24x50 --random bool:0@3x7 --random normal --check | FileCheck %s
// RUN: pit-opt %s --pit-materialize-marks --pit-normalize --convert-linalg-to-pit --pit-tile-rules --canonicalize --pit-fuse-tiles | FileCheck %s --check-prefix=FUSED
// CHECK: check: result 0: bit-identical

// One op on tiles is all that is left.
// FUSED: pit.detect by{{.*}} : <[?, 50], coordinate = 0, tile = [16, 8], width = 32>
// FUSED: pit.tiled
// FUSED-SAME: dims = [array<i64: 0, -1>, array<i64: -1, 1>, array<i64: -1, 0>, array<i64: 0, 1>], packed = array<i1: false, false, false, false>
// FUSED-NOT: pit.tiled

func.func @main(%a: tensor<?x24xf32>, %b: tensor<24x50xf32>, %live: tensor<?x7xi1>, %bias: tensor<50xf32>) -> tensor<?x50xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x24xf32>
  %e = tensor.empty(%m) : tensor<?x50xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x50xf32>) -> tensor<?x50xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x24xf32>, tensor<24x50xf32>) outs(%f : tensor<?x50xf32>) -> tensor<?x50xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<?x50xf32>, tensor<50xf32>) outs(%e : tensor<?x50xf32>)
      attrs = {pit.sparse = {source = "blocks", from = 2 : i64, axes = array<i64: 0, 1>, granularity = array<i64: 16, 8>, absent = "zero"}} {
  ^bb0(%x: f32, %v: f32, %o: f32):
    %y = arith.addf %x, %v : f32
    linalg.yield %y : f32
  } -> tensor<?x50xf32>
  return %r : tensor<?x50xf32>
}

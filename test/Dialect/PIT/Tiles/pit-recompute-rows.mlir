// RUN: pit-opt %s --pit-recompute-rows | FileCheck %s
// RUN: pit-opt %s --pit-recompute-rows --pit-fuse-rows | FileCheck %s --check-prefix=FUSED

!index = !pit.index<[64, 8], coordinate = 0, tile = [1, 1], width = 32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// An activation that two kernels of rows read is computed in both, and never stored: they read nothing else that they had not read. The two
// are one then, as both read the same rows.
// CHECK-LABEL: func @twice
// CHECK: pit.tiled
// CHECK: math.tanh
// CHECK: pit.tiled
// CHECK: arith.mulf
// CHECK: pit.tiled
// CHECK: math.tanh
// CHECK: pit.tiled
// CHECK: arith.addf
// FUSED-LABEL: func @twice
// FUSED-COUNT-1: pit.tiled
// FUSED-COUNT-2: math.tanh
// FUSED-NOT: pit.tiled
// FUSED: return
func.func @twice(%i: !index, %a: tensor<128x48xbf16>, %b: tensor<128x48xbf16>) -> (tensor<128x48xbf16>, tensor<128x48xbf16>) {
  %e = tensor.empty() : tensor<128x48xbf16>
  %f = tensor.empty() : tensor<128x48xbf16>
  %g = tensor.empty() : tensor<128x48xbf16>
  %t = pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, true>}
      over(%i : !index) ins(%a : tensor<128x48xbf16>) outs(%e : tensor<128x48xbf16>) {
  ^bb0(%x: tensor<?x48xbf16>, %o: tensor<?x48xbf16>):
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x48xbf16>) outs(%o : tensor<?x48xbf16>) {
    ^bb0(%v: bf16, %w: bf16):
      %s = math.tanh %v : bf16
      linalg.yield %s : bf16
    } -> tensor<?x48xbf16>
    pit.yield %r : tensor<?x48xbf16>
  } -> tensor<128x48xbf16>
  %u = pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, true, true>}
      over(%i : !index) ins(%t, %b : tensor<128x48xbf16>, tensor<128x48xbf16>) outs(%f : tensor<128x48xbf16>) {
  ^bb0(%x: tensor<?x48xbf16>, %y: tensor<?x48xbf16>, %o: tensor<?x48xbf16>):
    %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<?x48xbf16>, tensor<?x48xbf16>) outs(%o : tensor<?x48xbf16>) {
    ^bb0(%v: bf16, %w: bf16, %z: bf16):
      %s = arith.mulf %v, %w : bf16
      linalg.yield %s : bf16
    } -> tensor<?x48xbf16>
    pit.yield %r : tensor<?x48xbf16>
  } -> tensor<128x48xbf16>
  %q = pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, true, true>}
      over(%i : !index) ins(%t, %b : tensor<128x48xbf16>, tensor<128x48xbf16>) outs(%g : tensor<128x48xbf16>) {
  ^bb0(%x: tensor<?x48xbf16>, %y: tensor<?x48xbf16>, %o: tensor<?x48xbf16>):
    %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<?x48xbf16>, tensor<?x48xbf16>) outs(%o : tensor<?x48xbf16>) {
    ^bb0(%v: bf16, %w: bf16, %z: bf16):
      %s = arith.addf %v, %w : bf16
      linalg.yield %s : bf16
    } -> tensor<?x48xbf16>
    pit.yield %r : tensor<?x48xbf16>
  } -> tensor<128x48xbf16>
  return %u, %q : tensor<128x48xbf16>, tensor<128x48xbf16>
}

// What somebody else reads is stored anyway; so is what is a sum along the row.
// CHECK-LABEL: func @stored
// CHECK-COUNT-1: math.tanh
// CHECK-NOT: math.tanh
// CHECK-LABEL: func @summed
// CHECK-COUNT-3: pit.tiled
// CHECK-NOT: pit.tiled
func.func @stored(%i: !index, %a: tensor<128x48xbf16>) -> (tensor<128x48xbf16>, tensor<128x48xbf16>) {
  %e = tensor.empty() : tensor<128x48xbf16>
  %f = tensor.empty() : tensor<128x48xbf16>
  %t = pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, true>}
      over(%i : !index) ins(%a : tensor<128x48xbf16>) outs(%e : tensor<128x48xbf16>) {
  ^bb0(%x: tensor<?x48xbf16>, %o: tensor<?x48xbf16>):
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x48xbf16>) outs(%o : tensor<?x48xbf16>) {
    ^bb0(%v: bf16, %w: bf16):
      %s = math.tanh %v : bf16
      linalg.yield %s : bf16
    } -> tensor<?x48xbf16>
    pit.yield %r : tensor<?x48xbf16>
  } -> tensor<128x48xbf16>
  %u = pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, true>}
      over(%i : !index) ins(%t : tensor<128x48xbf16>) outs(%f : tensor<128x48xbf16>) {
  ^bb0(%x: tensor<?x48xbf16>, %o: tensor<?x48xbf16>):
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x48xbf16>) outs(%o : tensor<?x48xbf16>) {
    ^bb0(%v: bf16, %w: bf16):
      %s = arith.negf %v : bf16
      linalg.yield %s : bf16
    } -> tensor<?x48xbf16>
    pit.yield %r : tensor<?x48xbf16>
  } -> tensor<128x48xbf16>
  return %t, %u : tensor<128x48xbf16>, tensor<128x48xbf16>
}

func.func @summed(%i: !index, %a: tensor<128x48xf32>, %start: tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) {
  %f = tensor.empty() : tensor<128xf32>
  %g = tensor.empty() : tensor<128xf32>
  %t = pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, true>}
      over(%i : !index) ins(%a : tensor<128x48xf32>) outs(%start : tensor<128xf32>) {
  ^bb0(%x: tensor<?x48xf32>, %o: tensor<?xf32>):
    %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x48xf32>) outs(%o : tensor<?xf32>) {
    ^bb0(%v: f32, %w: f32):
      %s = arith.addf %v, %w : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    pit.yield %r : tensor<?xf32>
  } -> tensor<128xf32>
  %u = pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, true>}
      over(%i : !index) ins(%t : tensor<128xf32>) outs(%f : tensor<128xf32>) {
  ^bb0(%x: tensor<?xf32>, %o: tensor<?xf32>):
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) {
    ^bb0(%v: f32, %w: f32):
      %s = arith.negf %v : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    pit.yield %r : tensor<?xf32>
  } -> tensor<128xf32>
  %q = pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, true>}
      over(%i : !index) ins(%t : tensor<128xf32>) outs(%g : tensor<128xf32>) {
  ^bb0(%x: tensor<?xf32>, %o: tensor<?xf32>):
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) {
    ^bb0(%v: f32, %w: f32):
      %s = math.exp %v : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    pit.yield %r : tensor<?xf32>
  } -> tensor<128xf32>
  return %u, %q : tensor<128xf32>, tensor<128xf32>
}

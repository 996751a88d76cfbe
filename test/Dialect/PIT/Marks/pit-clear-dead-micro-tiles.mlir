// RUN: pit-opt %s --pit-clear-dead-micro-tiles --split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-clear-dead-micro-tiles=chip=sm_80 --split-input-file | FileCheck %s --check-prefix=OTHER --implicit-check-not="kind = values"
// OTHER-LABEL: func.func @blocks
// OTHER: pit.sparse %arg0 by(%arg1 : tensor<128x128xi1>) <kind = blocks,
// OTHER-LABEL: func.func @mask_of_b
// OTHER: pit.sparse %arg1 by(%arg2 : tensor<128x192xi1>) <kind = mask,

// A remark says why.
// RUN: pit-opt %s --pit-clear-dead-micro-tiles --split-input-file --remarks-filter=pit-selection -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WHY --implicit-check-not=Function=stay --implicit-check-not=Function=other_marks
// WHY: [Missed] micro-tile | Category:pit-selection | Function=blocks | Op=pit.sparse, Reason="SpMM of live blocks: it has no kernel for micro-tiles of 2x1", Remark="what is dead becomes zeros
// WHY: [Missed] micro-tile | Category:pit-selection | Function=mask_of_b | Op=pit.sparse, Reason="kernels follow masks of micro-tiles, not of elements"

// No kernel follows a mask of 2x1: what is dead becomes zeros, which are found in the values.
// CHECK-LABEL: func @blocks
// CHECK-SAME: %[[A:.*]]: tensor<256x128xbf16>, %[[LIVE:.*]]: tensor<128x128xi1>
// CHECK: %[[CLEARED:.*]] = linalg.generic {{.*}} ins(%[[A]] :
// CHECK: %[[BIT:.*]] = tensor.extract %[[LIVE]]
// CHECK: arith.select %[[BIT]], %{{.*}}, %{{.*}} : bf16
// CHECK: %[[MARKED:.*]] = pit.sparse %[[CLEARED]] <kind = values, axes = [0, 1], tile = [2, 1]> {pit.cleared, pit.live = 5.000000e-02 : f64}
// CHECK: linalg.matmul ins(%[[MARKED]],
func.func @blocks(%a: tensor<256x128xbf16>, %live: tensor<128x128xi1>, %b: tensor<128x192xbf16>) -> tensor<256x192xbf16> {
  %zero = arith.constant 0.0 : f32
  %s = pit.sparse %a by(%live : tensor<128x128xi1>) <kind = blocks, axes = [0, 1], tile = [2, 1]> {pit.live = 0.05 : f64}
    : tensor<256x128xbf16>
  %e = tensor.empty() : tensor<256x192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x192xf32>) -> tensor<256x192xf32>
  %c = linalg.matmul ins(%s, %b : tensor<256x128xbf16>, tensor<128x192xbf16>) outs(%f : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = tensor.empty() : tensor<256x192xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%c : tensor<256x192xf32>) outs(%r : tensor<256x192xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<256x192xbf16>
  return %t : tensor<256x192xbf16>
}

// -----

// Nor one of single elements, here of B.
// CHECK-LABEL: func @mask_of_b
// CHECK-SAME: %{{.*}}: tensor<256x128xbf16>, %[[B:.*]]: tensor<128x192xbf16>, %[[LIVE:.*]]: tensor<128x192xi1>
// CHECK: %[[CLEARED:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[LIVE]] :
// CHECK: pit.sparse %[[CLEARED]] <kind = values, axes = [0, 1]> {pit.cleared}
func.func @mask_of_b(%a: tensor<256x128xbf16>, %b: tensor<128x192xbf16>, %live: tensor<128x192xi1>) -> tensor<256x192xbf16> {
  %zero = arith.constant 0.0 : f32
  %s = pit.sparse %b by(%live : tensor<128x192xi1>) <kind = mask, axes = [0, 1]> : tensor<128x192xbf16>
  %e = tensor.empty() : tensor<256x192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x192xf32>) -> tensor<256x192xf32>
  %c = linalg.matmul ins(%a, %s : tensor<256x128xbf16>, tensor<128x192xbf16>) outs(%f : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = tensor.empty() : tensor<256x192xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%c : tensor<256x192xf32>) outs(%r : tensor<256x192xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<256x192xbf16>
  return %t : tensor<256x192xbf16>
}

// -----

// Kernels follow masks of 32x64; of other readers than products, nothing is known; products of f32 have other kernels.
// CHECK-LABEL: func @stay
// CHECK-COUNT-3: pit.sparse {{.*}} <kind = blocks
// CHECK-NOT: kind = values
func.func @stay(%a: tensor<256x128xbf16>, %live: tensor<8x2xi1>, %small: tensor<128x128xi1>, %b: tensor<128x192xbf16>,
    %wide: tensor<256x128xf32>, %c: tensor<128x192xf32>) -> (tensor<256x192xbf16>, tensor<256x128xbf16>, tensor<256x192xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = pit.sparse %a by(%live : tensor<8x2xi1>) <kind = blocks, axes = [0, 1], tile = [32, 64]> : tensor<256x128xbf16>
  %e = tensor.empty() : tensor<256x192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x192xf32>) -> tensor<256x192xf32>
  %p = linalg.matmul ins(%s, %b : tensor<256x128xbf16>, tensor<128x192xbf16>) outs(%f : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = tensor.empty() : tensor<256x192xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%p : tensor<256x192xf32>) outs(%r : tensor<256x192xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<256x192xbf16>
  %u = pit.sparse %a by(%small : tensor<128x128xi1>) <kind = blocks, axes = [0, 1], tile = [2, 1]> : tensor<256x128xbf16>
  %v = tensor.empty() : tensor<256x128xbf16>
  %w = linalg.exp ins(%u : tensor<256x128xbf16>) outs(%v : tensor<256x128xbf16>) -> tensor<256x128xbf16>
  %x = pit.sparse %wide by(%small : tensor<128x128xi1>) <kind = blocks, axes = [0, 1], tile = [2, 1]> : tensor<256x128xf32>
  %y = linalg.matmul ins(%x, %c : tensor<256x128xf32>, tensor<128x192xf32>) outs(%f : tensor<256x192xf32>) -> tensor<256x192xf32>
  return %t, %w, %y : tensor<256x192xbf16>, tensor<256x128xbf16>, tensor<256x192xf32>
}

// -----

// What a bound is given for, what is dead but not zero, and rows that are not aligned.
// CHECK-LABEL: func @other_marks
// CHECK-COUNT-3: pit.sparse {{.*}} <kind = {{mask|blocks}}
// CHECK-NOT: kind = values
#id = affine_map<(i, j) -> (i, j)>
func.func @other_marks(%a: tensor<256x128xbf16>, %mask: tensor<256x128xi1>, %odd: tensor<256x122xbf16>, %live: tensor<128x122xi1>,
    %b: tensor<128x192xbf16>, %c: tensor<122x192xbf16>) -> (tensor<256x192xbf16>, tensor<256x192xbf16>, tensor<256x192xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = tensor.empty() : tensor<256x192xbf16>
  %bounded = pit.sparse %a by(%mask : tensor<256x128xi1>) <kind = mask, axes = [0, 1], at_most = 4> : tensor<256x128xbf16>
  %tp = linalg.matmul ins(%bounded, %b : tensor<256x128xbf16>, tensor<128x192xbf16>) outs(%f : tensor<256x192xf32>) -> tensor<256x192xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%tp : tensor<256x192xf32>) outs(%r : tensor<256x192xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<256x192xbf16>
  %infinite = pit.sparse %a by(%mask : tensor<256x128xi1>) <kind = mask, axes = [0, 1], absent = neg_inf> : tensor<256x128xbf16>
  %up = linalg.matmul ins(%infinite, %b : tensor<256x128xbf16>, tensor<128x192xbf16>) outs(%f : tensor<256x192xf32>) -> tensor<256x192xf32>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%up : tensor<256x192xf32>) outs(%r : tensor<256x192xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<256x192xbf16>
  %unaligned = pit.sparse %odd by(%live : tensor<128x122xi1>) <kind = blocks, axes = [0, 1], tile = [2, 1]> : tensor<256x122xbf16>
  %vp = linalg.matmul ins(%unaligned, %c : tensor<256x122xbf16>, tensor<122x192xbf16>) outs(%f : tensor<256x192xf32>) -> tensor<256x192xf32>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%vp : tensor<256x192xf32>) outs(%r : tensor<256x192xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<256x192xbf16>
  return %t, %u, %v : tensor<256x192xbf16>, tensor<256x192xbf16>, tensor<256x192xbf16>
}

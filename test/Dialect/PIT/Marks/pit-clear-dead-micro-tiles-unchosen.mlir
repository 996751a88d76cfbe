// RUN: pit-opt %s --pit-clear-dead-micro-tiles --pit-select-micro-tiles --split-input-file | FileCheck %s

// What was cleared needs no mark: where no micro-tiles can be chosen for all that read it, it goes, and they are dense.

#id = affine_map<(i, j) -> (i, j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Read with either axis as k, as of the gradients of weights.
// CHECK-LABEL: func @both_ways
// CHECK: %[[CLEARED:.*]] = linalg.generic
// CHECK: arith.select
// CHECK-NOT: pit.sparse
// CHECK: linalg.generic {{.*}} ins(%[[CLEARED]], %{{.*}} : tensor<256x512xbf16>, tensor<512x192xbf16>)
// CHECK: linalg.generic {{.*}} ins(%[[CLEARED]], %{{.*}} : tensor<256x512xbf16>, tensor<256x192xbf16>)
// CHECK-NOT: pit.sparse
// CHECK: return
func.func @both_ways(%a: tensor<256x512xbf16>, %mask: tensor<256x512xi1>, %b: tensor<512x192xbf16>, %c: tensor<256x192xbf16>)
    -> (tensor<256x192xbf16>, tensor<512x192xbf16>) {
  %zero = arith.constant 0.0 : f32
  %s = pit.sparse %a by(%mask : tensor<256x512xi1>) <kind = mask, axes = [0, 1]> : tensor<256x512xbf16>
  %te = tensor.empty() : tensor<256x192xf32>
  %tf = linalg.fill ins(%zero : f32) outs(%te : tensor<256x192xf32>) -> tensor<256x192xf32>
  %tp = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %b : tensor<256x512xbf16>, tensor<512x192xbf16>) outs(%tf : tensor<256x192xf32>) {
  ^bb0(%x: bf16, %y: bf16, %sum: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %z = arith.addf %sum, %xy : f32
    linalg.yield %z : f32
  } -> tensor<256x192xf32>
  %tr = tensor.empty() : tensor<256x192xbf16>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%tp : tensor<256x192xf32>) outs(%tr : tensor<256x192xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<256x192xbf16>
  %ue = tensor.empty() : tensor<512x192xf32>
  %uf = linalg.fill ins(%zero : f32) outs(%ue : tensor<512x192xf32>) -> tensor<512x192xf32>
  %up = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %c : tensor<256x512xbf16>, tensor<256x192xbf16>) outs(%uf : tensor<512x192xf32>) {
  ^bb0(%x: bf16, %y: bf16, %sum: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %z = arith.addf %sum, %xy : f32
    linalg.yield %z : f32
  } -> tensor<512x192xf32>
  %ur = tensor.empty() : tensor<512x192xbf16>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%up : tensor<512x192xf32>) outs(%ur : tensor<512x192xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<512x192xbf16>
  return %t, %u : tensor<256x192xbf16>, tensor<512x192xbf16>
}

// -----

// So little k that no micro-tile has a price; the expectation goes with the mark.
#id = affine_map<(i, j) -> (i, j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @little_k
// CHECK: arith.select
// CHECK-NOT: pit.sparse
// CHECK-NOT: pit.live
// CHECK: return
func.func @little_k(%a: tensor<8192x24xbf16>, %live: tensor<4096x24xi1>, %b: tensor<24x4096xbf16>) -> tensor<8192x4096xbf16> {
  %zero = arith.constant 0.0 : f32
  %s = pit.sparse %a by(%live : tensor<4096x24xi1>) <kind = blocks, axes = [0, 1], tile = [2, 1]> : tensor<8192x24xbf16>
  %te = tensor.empty() : tensor<8192x4096xf32>
  %tf = linalg.fill ins(%zero : f32) outs(%te : tensor<8192x4096xf32>) -> tensor<8192x4096xf32>
  %tp = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %b : tensor<8192x24xbf16>, tensor<24x4096xbf16>) outs(%tf : tensor<8192x4096xf32>) {
  ^bb0(%x: bf16, %y: bf16, %sum: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %z = arith.addf %sum, %xy : f32
    linalg.yield %z : f32
  } -> tensor<8192x4096xf32>
  %tr = tensor.empty() : tensor<8192x4096xbf16>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%tp : tensor<8192x4096xf32>) outs(%tr : tensor<8192x4096xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<8192x4096xbf16>
  return %t : tensor<8192x4096xbf16>
}

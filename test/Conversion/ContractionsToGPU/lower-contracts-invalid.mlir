// RUN: pit-opt %s --pit-lower-contracts -split-input-file -verify-diagnostics

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @planned(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  // expected-error @below {{'pit.contract' op is planned for 'wgmma', but no conversion emitted its kernel}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, tile = [128, 128], stages = 6, consumers = 2>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @tensors(%a: tensor<512x256xbf16>, %b: tensor<256x128xbf16>, %c: tensor<512x128xbf16>) -> tensor<512x128xbf16> {
  // expected-error @below {{'pit.contract' op is on tensors; bufferize first}}
  %0 = pit.contract dense ins(%a, %b : tensor<512x256xbf16>, tensor<256x128xbf16>) outs(%c : tensor<512x128xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>} -> tensor<512x128xbf16>
  return %0 : tensor<512x128xbf16>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
!list = !pit.index_buffer<!pit.index<[512], coordinate = 0, tile = [1], width = 32>>

func.func @depth(%i: !list, %a: memref<512x256xbf16>, %b: memref<512x128xbf16>, %c: memref<256x128xbf16>) {
  // expected-error @below {{no kernel was planned for the domain 'depth', which nothing else computes}}
  pit.contract depth over(%i : !list) ins(%a, %b : memref<512x256xbf16>, memref<512x128xbf16>) outs(%c : memref<256x128xbf16>)
    {indexing_maps = [#km, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

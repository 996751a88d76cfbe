// RUN: pit-opt %s --pit-plan-kernels=chip=sm_80 -split-input-file -verify-diagnostics
// RUN: not pit-opt %s --pit-plan-kernels=chip=sm_1 -split-input-file 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: {{.*}}sm_1
// RUN: not pit-opt %s --pit-plan-kernels=multiprocessors=-1 -split-input-file 2>&1 | FileCheck %s --check-prefix=SMS
// SMS: error: multiprocessors must not be negative, not -1
// RUN: not pit-opt %s --pit-plan-kernels=card=rtx -split-input-file 2>&1 | FileCheck %s --check-prefix=CARD
// CARD: error: {{.*}}rtx

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @engine(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %c: memref<512x128xbf16>) {
  // expected-error @below {{'pit.contract' op is planned for 'wgmma', which sm_80 has no kernels with}}
  pit.contract dense ins(%a, %b : memref<512x256xbf16>, memref<256x128xbf16>) outs(%c : memref<512x128xbf16>)
    plan <family = gemm, tile = [128, 128], stages = 6, consumers = 2>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: false, false, false>}
  return
}

// Plans of pit.attend with warpgroups that nothing can follow.
// RUN: pit-opt %s --convert-attention-to-gpu=chip=sm_90a --verify-diagnostics

// One warpgroup has no registers to take.
func.func @one(%q: memref<512x64xbf16>, %o: memref<512x64xbf16>) {
  // expected-error @below {{its plan has 64 queries, and kernels with 'wgmma' have 128 or 192}}
  pit.attend ins(%q, %q, %q : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>)
      outs(%o : memref<512x64xbf16>) maps [affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>,
        affine_map<(i, j, e, f) -> (j, f)>, affine_map<(i, j, e, f) -> (i, f)>]
      plan <engine = wgmma, tile = [64, 128], warps = 8, stages = 2> {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

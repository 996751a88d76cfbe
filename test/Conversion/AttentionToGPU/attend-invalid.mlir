// Plans of pit.attend that nothing can follow, and ops that have no kernel.
// RUN: pit-opt %s --convert-attention-to-gpu=chip=sm_80 --split-input-file --verify-diagnostics

#q = affine_map<(i, j, e, f) -> (i, e)>
#k = affine_map<(i, j, e, f) -> (j, e)>
#v = affine_map<(i, j, e, f) -> (j, f)>
#o = affine_map<(i, j, e, f) -> (i, f)>
func.func @engine(%q: memref<512x64xbf16>, %o: memref<512x64xbf16>) {
  // expected-error @below {{is planned for 'wgmma', which sm_80 has no kernels with}}
  pit.attend ins(%q, %q, %q : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>)
      outs(%o : memref<512x64xbf16>) maps [#q, #k, #v, #o] plan <engine = wgmma, tile = [128, 128], warps = 12, stages = 2> {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// -----

#q = affine_map<(i, j, e, f) -> (i, e)>
#k = affine_map<(i, j, e, f) -> (j, e)>
#v = affine_map<(i, j, e, f) -> (j, f)>
#o = affine_map<(i, j, e, f) -> (i, f)>
func.func @stages(%q: memref<512x64xbf16>, %o: memref<512x64xbf16>) {
  // expected-error @below {{its plan has 3 stages, of which its kernel fills at most 2}}
  pit.attend ins(%q, %q, %q : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>)
      outs(%o : memref<512x64xbf16>) maps [#q, #k, #v, #o] plan <engine = mma_sync, tile = [64, 64], warps = 4, stages = 3> {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// -----

#q = affine_map<(i, j, e, f) -> (i, e)>
#k = affine_map<(i, j, e, f) -> (j, e)>
#v = affine_map<(i, j, e, f) -> (j, f)>
#o = affine_map<(i, j, e, f) -> (i, f)>
func.func @groups(%q: memref<8x64xbf16>, %o: memref<8x64xbf16>) {
  // expected-error @below {{its plan has heads that share keys as rows, and the op has none, or not a known number of queries}}
  pit.attend ins(%q, %q, %q : memref<8x64xbf16>, memref<8x64xbf16>, memref<8x64xbf16>)
      outs(%o : memref<8x64xbf16>) maps [#q, #k, #v, #o] plan <engine = mma_sync, tile = [16, 64], warps = 2, stages = 2, groups = true> {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// -----

func.func @sequences(%q: memref<190x2x64xbf16>, %offsets: memref<5xi64>) {
  // expected-error @below {{its plan shares keys or heads, which kernels of packed sequences do not}}
  pit.attend_sequences %q, %q, %q sequences(%offsets : memref<5xi64>) outs(%q) plan <engine = mma_sync, tile = [32, 64], warps = 4, stages = 2> {extent = 100 : i64, scale = 0.125 : f32}
    : memref<190x2x64xbf16>, memref<190x2x64xbf16>, memref<190x2x64xbf16>, memref<190x2x64xbf16>
  return
}

// -----

#q = affine_map<(i, j, e, f) -> (i, e)>
#k = affine_map<(i, j, e, f) -> (j, e)>
#v = affine_map<(i, j, e, f) -> (j, f)>
#o = affine_map<(i, j, e, f) -> (i, f)>
func.func @width(%q: memref<512x72xbf16>, %o: memref<512x72xbf16>) {
  // expected-error @below {{has no kernel for 'memref<512x72xbf16>': rows of bf16 or f16 side by side, of a multiple of 16 elements up to 256}}
  pit.attend ins(%q, %q, %q : memref<512x72xbf16>, memref<512x72xbf16>, memref<512x72xbf16>)
      outs(%o : memref<512x72xbf16>) maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// Gradients that no kernel computes, and plans that nothing can follow.
// RUN: pit-opt %s --split-input-file --convert-attention-to-gpu="chip=sm_90a plan=false" --verify-diagnostics

func.func @rows(%q: memref<512x64xbf16>, %r: memref<512xf32>, %o: memref<512x64xbf16>) {
  // expected-error @below {{its plan has 64 rows, and kernels have 128 or 192}}
  pit.attend_backward ins(%q, %q, %q, %q : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>) rows(%r, %r : memref<512xf32>, memref<512xf32>)
      outs(%o, %o, %o : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>) maps [
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>,
        affine_map<(i, j, e, f) -> (i, f)>, affine_map<(i, j, e, f) -> (i)>, affine_map<(i, j, e, f) -> (i)>,
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>]
      plan <engine = wgmma, tile = [64, 64], warps = 8, stages = 2> {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// -----

func.func @columns(%q: memref<512x64xbf16>, %r: memref<512xf32>, %o: memref<512x64xbf16>) {
  // expected-error @below {{its plan has 160 columns, and kernels have multiples of 32 up to 128}}
  pit.attend_backward ins(%q, %q, %q, %q : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>) rows(%r, %r : memref<512xf32>, memref<512xf32>)
      outs(%o, %o, %o : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>) maps [
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>,
        affine_map<(i, j, e, f) -> (i, f)>, affine_map<(i, j, e, f) -> (i)>, affine_map<(i, j, e, f) -> (i)>,
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>]
      plan <engine = wgmma, tile = [128, 160], warps = 12, stages = 1> {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// -----

func.func @engine(%q: memref<512x64xbf16>, %r: memref<512xf32>, %o: memref<512x64xbf16>) {
  // expected-error @below {{its plan is for kernels that gradients have not: they have 'wgmma', and one part}}
  pit.attend_backward ins(%q, %q, %q, %q : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>) rows(%r, %r : memref<512xf32>, memref<512xf32>)
      outs(%o, %o, %o : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>) maps [
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>,
        affine_map<(i, j, e, f) -> (i, f)>, affine_map<(i, j, e, f) -> (i)>, affine_map<(i, j, e, f) -> (i)>,
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>]
      plan <engine = mma_sync, tile = [64, 64], warps = 4, stages = 2> {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// -----

func.func @shared(%q: memref<512x64xbf16>, %r: memref<512xf32>, %o: memref<512x64xbf16>) {
  // expected-error @below {{bytes of shared memory, of which a block has}}
  pit.attend_backward ins(%q, %q, %q, %q : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>) rows(%r, %r : memref<512xf32>, memref<512xf32>)
      outs(%o, %o, %o : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>) maps [
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>,
        affine_map<(i, j, e, f) -> (i, f)>, affine_map<(i, j, e, f) -> (i)>, affine_map<(i, j, e, f) -> (i)>,
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>]
      plan <engine = wgmma, tile = [128, 128], warps = 12, stages = 8> {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// -----

func.func @wide(%q: memref<512x264xbf16>, %r: memref<512xf32>, %o: memref<512x264xbf16>) {
  // expected-error @below {{has no kernel: rows of queries and of values must have a multiple of 16 elements, at most 256}}
  pit.attend_backward ins(%q, %q, %q, %q : memref<512x264xbf16>, memref<512x264xbf16>, memref<512x264xbf16>, memref<512x264xbf16>) rows(%r, %r : memref<512xf32>, memref<512xf32>)
      outs(%o, %o, %o : memref<512x264xbf16>, memref<512x264xbf16>, memref<512x264xbf16>) maps [
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>,
        affine_map<(i, j, e, f) -> (i, f)>, affine_map<(i, j, e, f) -> (i)>, affine_map<(i, j, e, f) -> (i)>,
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>]
      plan <engine = wgmma, tile = [128, 64], warps = 12, stages = 2> {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// -----

func.func @unplanned(%q: memref<512x64xbf16>, %r: memref<512xf32>, %o: memref<512x64xbf16>) {
  // expected-error @below {{has no plan, which '--pit-plan-kernels' makes}}
  pit.attend_backward ins(%q, %q, %q, %q : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>) rows(%r, %r : memref<512xf32>, memref<512xf32>)
      outs(%o, %o, %o : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>) maps [
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>,
        affine_map<(i, j, e, f) -> (i, f)>, affine_map<(i, j, e, f) -> (i)>, affine_map<(i, j, e, f) -> (i)>,
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>] {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// -----

func.func @bias_of_keys(%q: memref<512x64xbf16>, %r: memref<512xf32>, %o: memref<512x64xbf16>, %m: memref<512xf32>) {
  // expected-error @below {{has no kernel: gradients of what is added need an axis of queries and one of keys}}
  pit.attend_backward ins(%q, %q, %q, %q : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>) rows(%r, %r : memref<512xf32>, memref<512xf32>)
      modifiers(%m : memref<512xf32>) outs(%o, %o, %o : memref<512x64xbf16>, memref<512x64xbf16>, memref<512x64xbf16>) dmodifiers(%m : memref<512xf32>) of [0] maps [
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>,
        affine_map<(i, j, e, f) -> (i, f)>, affine_map<(i, j, e, f) -> (i)>, affine_map<(i, j, e, f) -> (i)>, affine_map<(i, j, e, f) -> (j)>,
        affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>, affine_map<(i, j, e, f) -> (j)>]
      plan <engine = wgmma, tile = [128, 64], warps = 12, stages = 2> {
  ^bb0(%score: f32, %x: f32, %i: index, %j: index):
    %y = arith.addf %score, %x : f32
    pit.logit %y : f32
  }
  return
}

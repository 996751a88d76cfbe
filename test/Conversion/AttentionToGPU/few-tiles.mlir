// Where a mask is data and warpgroups would have few tiles of 128 queries, warps have more: of as few as leave every other multiprocessor one.
// Many keys, numbers that are not known, and what has no mask stay with warpgroups.
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_90a | FileCheck %s

#q = affine_map<(h, i, j, e, f) -> (h, i, e)>
#k = affine_map<(h, i, j, e, f) -> (h, j, e)>
#v = affine_map<(h, i, j, e, f) -> (h, j, f)>
#m = affine_map<(h, i, j, e, f) -> (i, j)>
#o = affine_map<(h, i, j, e, f) -> (h, i, f)>

// CHECK-LABEL: func @few
// CHECK: plan <engine = mma_sync, tile = [16, 64], warps = 2, stages = 2>
func.func @few(%q: memref<4x256x64xbf16>, %k: memref<4x256x64xbf16>, %v: memref<4x256x64xbf16>, %o: memref<4x256x64xbf16>, %m: memref<256x256xi1>) {
  pit.attend ins(%q, %k, %v : memref<4x256x64xbf16>, memref<4x256x64xbf16>, memref<4x256x64xbf16>)
      modifiers(%m : memref<256x256xi1>) outs(%o : memref<4x256x64xbf16>)
      maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %live: i1, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %x = arith.select %live, %score, %dead : f32
    pit.logit %x : f32
  }
  return
}

// CHECK-LABEL: func @without_mask
// CHECK: plan <engine = wgmma
func.func @without_mask(%q: memref<4x512x64xbf16>, %k: memref<4x512x64xbf16>, %v: memref<4x512x64xbf16>, %o: memref<4x512x64xbf16>) {
  pit.attend ins(%q, %k, %v : memref<4x512x64xbf16>, memref<4x512x64xbf16>, memref<4x512x64xbf16>) outs(%o : memref<4x512x64xbf16>)
      maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %h: index, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// CHECK-LABEL: func @many_keys
// CHECK: plan <engine = wgmma
func.func @many_keys(%q: memref<4x256x64xbf16>, %k: memref<4x4096x64xbf16>, %v: memref<4x4096x64xbf16>, %o: memref<4x256x64xbf16>, %m: memref<256x4096xi1>) {
  pit.attend ins(%q, %k, %v : memref<4x256x64xbf16>, memref<4x4096x64xbf16>, memref<4x4096x64xbf16>)
      modifiers(%m : memref<256x4096xi1>) outs(%o : memref<4x256x64xbf16>)
      maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %live: i1, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %x = arith.select %live, %score, %dead : f32
    pit.logit %x : f32
  }
  return
}

// CHECK-LABEL: func @unknown
// CHECK: plan <engine = wgmma
func.func @unknown(%q: memref<?x256x64xbf16>, %k: memref<?x256x64xbf16>, %v: memref<?x256x64xbf16>, %o: memref<?x256x64xbf16>, %m: memref<256x256xi1>) {
  pit.attend ins(%q, %k, %v : memref<?x256x64xbf16>, memref<?x256x64xbf16>, memref<?x256x64xbf16>)
      modifiers(%m : memref<256x256xi1>) outs(%o : memref<?x256x64xbf16>)
      maps [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %live: i1, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %x = arith.select %live, %score, %dead : f32
    pit.logit %x : f32
  }
  return
}

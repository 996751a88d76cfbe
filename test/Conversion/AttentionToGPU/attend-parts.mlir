// Few queries with many keys: heads that share keys are rows of a tile, and keys are cut into parts, which a second kernel joins.
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_90a | FileCheck %s --check-prefix=PLAN
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_90a --convert-attention-to-gpu="chip=sm_90a plan=false" | FileCheck %s

#q = affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i, e)>
#k = affine_map<(b, h, g, i, j, e, f) -> (b, h, j, e)>
#v = affine_map<(b, h, g, i, j, e, f) -> (b, h, j, f)>
#o = affine_map<(b, h, g, i, j, e, f) -> (b, h, g, i, f)>

// A part leaves 130 numbers of each of 16 rows.
// PLAN-LABEL: func @decode
// PLAN: plan <engine = mma_sync, tile = [16, 64], warps = 2, stages = 2, groups = true, parts = 49>
// CHECK-LABEL: func @decode
// CHECK: memref.alloc() : memref<815360xi32>
// CHECK: gpu.launch_func {{ *}}@decode_kernels::@decode_attention_0 blocks in (%c392{{.*}} threads in (%c64{{[_,]}}
// CHECK: gpu.launch_func {{ *}}@decode_kernels::@decode_attention_0_join blocks in (%c32{{[_,]}}
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @decode(%q: memref<1x8x4x1x128xbf16>, %k: memref<1x8x8192x128xbf16>, %v: memref<1x8x8192x128xbf16>, %o: memref<1x8x4x1x128xbf16>) {
  pit.attend ins(%q, %k, %v : memref<1x8x4x1x128xbf16>, memref<1x8x8192x128xbf16>, memref<1x8x8192x128xbf16>)
      outs(%o : memref<1x8x4x1x128xbf16>) maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %b: index, %h: index, %g: index, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// Tiles are enough: no parts, and no second kernel.
// PLAN-LABEL: func @many
// PLAN: plan <engine = mma_sync, tile = [16, 64], warps = 2, stages = 2, groups = true>
// CHECK-LABEL: func @many
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func {{ *}}@many_kernels::@many_attention_0 blocks in (%c512
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @many(%q: memref<64x8x4x1x128xbf16>, %k: memref<64x8x8192x128xbf16>, %v: memref<64x8x8192x128xbf16>, %o: memref<64x8x4x1x128xbf16>) {
  pit.attend ins(%q, %k, %v : memref<64x8x4x1x128xbf16>, memref<64x8x8192x128xbf16>, memref<64x8x8192x128xbf16>)
      outs(%o : memref<64x8x4x1x128xbf16>) maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %b: index, %h: index, %g: index, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

// Where a row may have finite numbers for all keys, they are its weights if none lives in any part: a kernel looks that up before parts are joined.
// A bias of heads keeps these apart.
// PLAN-LABEL: func @finite
// PLAN: plan <engine = mma_sync, tile = [16, 64], warps = 2, stages = 2, parts = 12>
// CHECK-LABEL: func @finite
// CHECK: gpu.launch_func {{ *}}@finite_kernels::@finite_attention_0 blocks
// CHECK: gpu.launch_func {{ *}}@finite_kernels::@finite_attention_0_dead blocks
// CHECK: gpu.launch_func {{ *}}@finite_kernels::@finite_attention_0_join blocks
func.func @finite(%q: memref<2x8x4x1x64xbf16>, %k: memref<2x8x4096x64xbf16>, %v: memref<2x8x4096x64xbf16>, %lengths: memref<2xi64>, %bias: memref<8x4xf32>,
                  %o: memref<2x8x4x1x64xbf16>) {
  pit.attend ins(%q, %k, %v : memref<2x8x4x1x64xbf16>, memref<2x8x4096x64xbf16>, memref<2x8x4096x64xbf16>)
      modifiers(%lengths, %bias : memref<2xi64>, memref<8x4xf32>)
      outs(%o : memref<2x8x4x1x64xbf16>) maps [#q, #k, #v, affine_map<(b, h, g, i, j, e, f) -> (b)>, affine_map<(b, h, g, i, j, e, f) -> (h, g)>, #o] {
  ^bb0(%score: f32, %length: i64, %of_head: f32, %b: index, %h: index, %g: index, %i: index, %j: index):
    %dead = arith.constant -3.40282347E+38 : f32
    %place = arith.index_cast %j : index to i64
    %lives = arith.cmpi slt, %place, %length : i64
    %sum = arith.addf %score, %of_head : f32
    %logit = arith.select %lives, %sum, %dead : f32
    pit.logit %logit : f32
  }
  return
}

// What is not known is decided when the program runs: parts are as many as fill the card, at least one.
// PLAN-LABEL: func @dynamic
// PLAN: plan <engine = mma_sync, tile = [16, 64], warps = 2, stages = 2, groups = true, parts = 49>
// CHECK-LABEL: func @dynamic
// CHECK: %[[LIMIT:.*]] = arith.minui %{{.*}}, %{{.*}} : index
// CHECK: arith.maxui
// CHECK: gpu.launch_func {{ *}}@dynamic_kernels::@dynamic_attention_0 blocks
// CHECK: gpu.launch_func {{ *}}@dynamic_kernels::@dynamic_attention_0_join blocks
func.func @dynamic(%q: memref<1x8x4x1x128xbf16>, %k: memref<1x8x?x128xbf16>, %v: memref<1x8x?x128xbf16>, %o: memref<1x8x4x1x128xbf16>) {
  pit.attend ins(%q, %k, %v : memref<1x8x4x1x128xbf16>, memref<1x8x?x128xbf16>, memref<1x8x?x128xbf16>)
      outs(%o : memref<1x8x4x1x128xbf16>) maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %b: index, %h: index, %g: index, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

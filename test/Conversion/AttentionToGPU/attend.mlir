// What plans are made for pit.attend, and what kernels they become.
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_90a | FileCheck %s --check-prefix=PLAN
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_80 | FileCheck %s --check-prefix=WARPS
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_90a --convert-attention-to-gpu="chip=sm_90a plan=false" --remarks-filter=pit-kernels 2>&1 | FileCheck %s

#q = affine_map<(h, i, j, e, f) -> (h, i, e)>
#k = affine_map<(h, i, j, e, f) -> (h, j, e)>
#v = affine_map<(h, i, j, e, f) -> (h, j, f)>
#o = affine_map<(h, i, j, e, f) -> (h, i, f)>

// CHECK: [Passed] operand copied {{.*}}Function=few
// CHECK: [Passed] kernel {{.*}}Function=causal | Family="fused attention", Instructions=wgmma{{.*}}Tile=192x128
// CHECK: [Passed] kernel {{.*}}Function=mask | Family="fused attention", Instructions=wgmma{{.*}}Tile=128x64
// CHECK: [Missed] mask {{.*}}Function=two | {{.*}}Reason="the mask is computed in the logit, or used twice there"
// CHECK: [Passed] kernel {{.*}}Function=few | Family="fused attention", Instructions=mma.sync{{.*}}Tile=16x64

// PLAN-LABEL: func @causal
// PLAN: pit.attend {{.*}} plan <engine = wgmma, tile = [192, 128], warps = 16, stages = 4>
// WARPS-LABEL: func @causal
// WARPS: pit.attend {{.*}} plan <engine = mma_sync, tile = [64, 64], warps = 4, stages = 2>
// Positions alone say which tiles are dead: one kernel.
// CHECK-LABEL: func @causal
// CHECK: gpu.launch_func {{ *}}@causal_kernels::@causal_attention_0
// CHECK-NOT: gpu.launch_func
func.func @causal(%q: memref<12x512x64xbf16>, %k: memref<12x512x64xbf16>, %v: memref<12x512x64xbf16>, %o: memref<12x512x64xbf16>) {
  pit.attend ins(%q, %k, %v : memref<12x512x64xbf16>, memref<12x512x64xbf16>, memref<12x512x64xbf16>)
      outs(%o : memref<12x512x64xbf16>) maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %earlier = arith.cmpi ule, %j, %i : index
    %logit = arith.select %earlier, %score, %dead : f32
    pit.logit %logit : f32
  }
  return
}

// A mask of data becomes bits, and these lists of what lives: of queries that are packed, of keys that are packed, and of steps as they lie. Steps are
// narrow. No score is ever in memory.
// PLAN-LABEL: func @mask
// PLAN: pit.attend {{.*}} plan <engine = wgmma, tile = [128, 64], warps = 12, stages = 4>
// CHECK-LABEL: func @mask
// CHECK: memref.alloc() : memref<8192xi32>
// CHECK-NOT: memref<{{[0-9]+x}}f32>
// CHECK: gpu.launch_func {{ *}}@mask_kernels::@mask_attention_0_mask_bits blocks in (%c512
// CHECK: gpu.launch_func {{ *}}@mask_kernels::@mask_attention_0_mask_lists blocks in (%c4
// CHECK: gpu.launch_func {{ *}}@mask_kernels::@mask_attention_0
func.func @mask(%q: memref<12x512x64xbf16>, %k: memref<12x512x64xbf16>, %v: memref<12x512x64xbf16>, %m: memref<512x512xi1>, %o: memref<12x512x64xbf16>) {
  pit.attend ins(%q, %k, %v : memref<12x512x64xbf16>, memref<12x512x64xbf16>, memref<12x512x64xbf16>) modifiers(%m : memref<512x512xi1>)
      outs(%o : memref<12x512x64xbf16>) maps [#q, #k, #v, affine_map<(h, i, j, e, f) -> (i, j)>, #o] {
  ^bb0(%score: f32, %live: i1, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %logit = arith.select %live, %score, %dead : f32
    pit.logit %logit : f32
  }
  return
}

// Numbers that are added may be such a mask: bits of them, and for each tile whether it has others. A slice or a cast of them would be, too.
// PLAN-LABEL: func @added
// PLAN: pit.attend {{.*}} plan <engine = wgmma, tile = [128, 64], warps = 12, stages = 4>
// CHECK-LABEL: func @added
// CHECK: memref.alloc() : memref<8192xi32>
// CHECK-NOT: memref<{{[0-9]+x}}f32>
// CHECK: gpu.launch_func {{ *}}@added_kernels::@added_attention_0_mask_bits blocks in (%c512
// CHECK: gpu.launch_func {{ *}}@added_kernels::@added_attention_0_mask_lists blocks in (%c4
// CHECK: gpu.launch_func {{ *}}@added_kernels::@added_attention_0
func.func @added(%q: memref<12x512x64xbf16>, %k: memref<12x512x64xbf16>, %v: memref<12x512x64xbf16>, %m: memref<512x512xbf16>, %o: memref<12x512x64xbf16>) {
  pit.attend ins(%q, %k, %v : memref<12x512x64xbf16>, memref<12x512x64xbf16>, memref<12x512x64xbf16>) modifiers(%m : memref<512x512xbf16>)
      outs(%o : memref<12x512x64xbf16>) maps [#q, #k, #v, affine_map<(h, i, j, e, f) -> (i, j)>, #o] {
  ^bb0(%score: f32, %number: bf16, %h: index, %i: index, %j: index):
    %wide = arith.extf %number : bf16 to f32
    %logit = arith.addf %score, %wide : f32
    pit.logit %logit : f32
  }
  return
}

// Numbers that are known to be no mask are added, and nobody looks for dead tiles in them: one kernel, next to the causal mask, too. A number that all share
// scales them.
// CHECK-LABEL: func @biased
// CHECK: gpu.launch_func {{ *}}@biased_kernels::@biased_attention_0
// CHECK-NOT: gpu.launch_func
func.func @biased(%q: memref<12x512x64xbf16>, %k: memref<12x512x64xbf16>, %v: memref<12x512x64xbf16>, %m: memref<512x512xbf16>, %by: memref<f32>, %o: memref<12x512x64xbf16>) {
  pit.attend {biases = array<i64: 0>} ins(%q, %k, %v : memref<12x512x64xbf16>, memref<12x512x64xbf16>, memref<12x512x64xbf16>)
      modifiers(%m, %by : memref<512x512xbf16>, memref<f32>) outs(%o : memref<12x512x64xbf16>)
      maps [#q, #k, #v, affine_map<(h, i, j, e, f) -> (i, j)>, affine_map<(h, i, j, e, f) -> ()>, #o] {
  ^bb0(%score: f32, %number: bf16, %scale: f32, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %wide = arith.extf %number : bf16 to f32
    %scaled = arith.divf %wide, %scale : f32
    %sum = arith.addf %score, %scaled : f32
    %earlier = arith.cmpi ule, %j, %i : index
    %logit = arith.select %earlier, %sum, %dead : f32
    pit.logit %logit : f32
  }
  return
}

// A logit that asks for more by key than the mask is computed by tiles: there are two numbers for each of them, and bits where elements differ.
// CHECK-LABEL: func @two
// CHECK: memref.alloc() : memref<64xi64>
// CHECK: memref.alloc() : memref<8192xi32>
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func {{ *}}@two_kernels::@two_attention_0_mask0
// CHECK: gpu.launch_func {{ *}}@two_kernels::@two_attention_0
func.func @two(%q: memref<12x512x64xbf16>, %k: memref<12x512x64xbf16>, %v: memref<12x512x64xbf16>, %m: memref<512x512xi1>, %o: memref<12x512x64xbf16>) {
  pit.attend ins(%q, %k, %v : memref<12x512x64xbf16>, memref<12x512x64xbf16>, memref<12x512x64xbf16>) modifiers(%m : memref<512x512xi1>)
      outs(%o : memref<12x512x64xbf16>) maps [#q, #k, #v, affine_map<(h, i, j, e, f) -> (i, j)>, #o] {
  ^bb0(%score: f32, %live: i1, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %earlier = arith.cmpi ule, %j, %i : index
    %both = arith.andi %live, %earlier : i1
    %logit = arith.select %both, %score, %dead : f32
    pit.logit %logit : f32
  }
  return
}

// A window leaves few steps: they are narrow, too.
// PLAN-LABEL: func @window
// PLAN: pit.attend {{.*}} plan <engine = wgmma, tile = [128, 64], warps = 12, stages = 4>
func.func @window(%q: memref<12x4096x64xbf16>, %k: memref<12x4096x64xbf16>, %v: memref<12x4096x64xbf16>, %o: memref<12x4096x64xbf16>) {
  pit.attend ins(%q, %k, %v : memref<12x4096x64xbf16>, memref<12x4096x64xbf16>, memref<12x4096x64xbf16>)
      outs(%o : memref<12x4096x64xbf16>) maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %h: index, %i: index, %j: index):
    %dead = arith.constant 0xFF800000 : f32
    %width = arith.constant 300 : index
    %last = arith.addi %j, %width : index
    %near = arith.cmpi uge, %last, %i : index
    %earlier = arith.cmpi ule, %j, %i : index
    %live = arith.andi %near, %earlier : i1
    %logit = arith.select %live, %score, %dead : f32
    pit.logit %logit : f32
  }
  return
}

// Few queries do not fill warpgroups. Keys whose elements are not side by side are copied.
// PLAN-LABEL: func @few
// PLAN: %[[PACKED:.*]] = memref.alloc() : memref<12x512x64xbf16>
// PLAN: linalg.transpose
// PLAN: pit.attend ins(%{{.*}}, %[[PACKED]], {{.*}} plan <engine = mma_sync, tile = [16, 64], warps = 2, stages = 2, parts = 4>
func.func @few(%q: memref<12x1x64xbf16>, %k: memref<12x64x512xbf16>, %v: memref<12x512x64xbf16>, %o: memref<12x1x64xf32>) {
  pit.attend ins(%q, %k, %v : memref<12x1x64xbf16>, memref<12x64x512xbf16>, memref<12x512x64xbf16>)
      outs(%o : memref<12x1x64xf32>) maps [#q, affine_map<(h, i, j, e, f) -> (h, e, j)>, #v, #o] {
  ^bb0(%score: f32, %h: index, %i: index, %j: index):
    pit.logit %score : f32
  }
  return
}

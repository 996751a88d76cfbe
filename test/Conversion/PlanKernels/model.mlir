// At one level, all kernels of a model stand in a row, and say how they compute it.
// RUN: pit-opt %s --pit-plan-kernels -o %t.planned && FileCheck %s --check-prefixes=CHECK,HOPPER --input-file=%t.planned
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_80 | FileCheck %s --check-prefixes=CHECK,AMPERE
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_86 | FileCheck %s --check-prefixes=SMALLER
// What is printed is read, and planning again changes nothing.
// RUN: pit-opt %t.planned --pit-plan-kernels | diff %t.planned -
// Conversions emit what is planned, the same as where they plan themselves, and nothing else.
// RUN: pit-opt %t.planned --convert-contractions-to-hopper=plan=false --convert-attention-to-gpu=plan=false --convert-sums-to-gpu=plan=false --convert-rows-to-gpu=plan=false -o %t.kernels
// RUN: FileCheck %s --check-prefix=KERNELS --input-file=%t.kernels
// Clean-ups in between keep plans.
// RUN: pit-opt %t.planned --canonicalize --cse --convert-contractions-to-hopper=plan=false --convert-attention-to-gpu=plan=false --convert-sums-to-gpu=plan=false --convert-rows-to-gpu=plan=false | FileCheck %s --check-prefix=KERNELS
// RUN: pit-opt %s --convert-contractions-to-hopper --convert-attention-to-gpu --convert-sums-to-gpu=cache-hints --convert-rows-to-gpu | diff %t.kernels -
// RUN: pit-opt %s --convert-contractions-to-hopper=plan=false --convert-sums-to-gpu=plan=false --convert-rows-to-gpu=plan=false | FileCheck %s --check-prefix=UNPLANNED
// With strict, sums along rows keep their order.
// RUN: pit-opt %s --pit-plan-kernels=strict | FileCheck %s --check-prefix=STRICT
// An older chip has no kernels of products and attention.
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_75 | FileCheck %s --check-prefix=TURING

// CHECK-LABEL: func.func @model
// CHECK: pit.contract rows
// HOPPER-SAME: plan <family = gather_gemm, tile = [
// AMPERE-SAME: plan <family = gather_gemm, engine = mma_sync, tile = [
// CHECK: pit.attend
// CHECK-SAME: plan <engine = mma_sync, tile = [64, 64], warps = 4, stages = 2>
// CHECK: pit.tiled tile 64 plan <family = row_wise, tile = [8, 256], vector = 8, max_blocks = {{1056|864}}>
// CHECK: pit.tiled tile 64 plan <family = list_map, tile = [256, 1], max_blocks = {{1056|864}}>
// The fill is done by the sum.
// CHECK: linalg.fill ins({{.*}} memref<16x512xf32>)
// HOPPER: pit.tiled tile 64 plan <family = segment_sum, tile = [4, 512], vector = 8, unroll = 4, evict_first = true>
// AMPERE: pit.tiled tile 64 plan <family = segment_sum, tile = [4, 512], vector = 8, unroll = 4>
// Ops of a group are neighbours, behind what they have nothing to do with.
// CHECK: linalg.fill {pit.plan = #pit.row_plan<family = fill, tile = [1, 1024], vector = 4, max_blocks = {{2112|1728}}>}
// CHECK: linalg.fill ins({{.*}} memref<64xf32>)
// CHECK-NEXT: linalg.generic {{.*}}"reduction"{{.*}}pit.plan = #pit.row_plan<family = row_wise, tile = [8, 256], vector = 8, max_blocks = {{1056|864}}, group = 0>
// CHECK: linalg.generic {{.*}}pit.plan = #pit.row_plan<family = row_wise, tile = [8, 256], vector = 8, max_blocks = {{1056|864}}, group = 0>
// Blocks of 256 threads that 84 multiprocessors of 1536 threads run at a time.
// SMALLER-COUNT-2: max_blocks = 504

// KERNELS-LABEL: func.func @model
// KERNELS-NOT: pit.{{contract|attend|tiled}}
// KERNELS-NOT: linalg
// KERNELS: gpu.launch_func @model_kernels::@model_contraction_0
// KERNELS: gpu.launch_func @model_kernels::@model_attention_0
// KERNELS: gpu.launch_func @model_kernels::@model_rows_0
// KERNELS: gpu.launch_func @model_kernels::@model_numbers_0
// KERNELS: gpu.launch_func @model_kernels::@model_sum_0
// KERNELS: gpu.launch_func @model_kernels::@model_fill_0
// KERNELS: gpu.launch_func @model_kernels::@model_rows_1
// KERNELS-NOT: linalg
// KERNELS: return

// UNPLANNED: pit.contract
// UNPLANNED-COUNT-3: pit.tiled
// UNPLANNED-COUNT-2: linalg.generic {{.*}}"parallel"
// UNPLANNED-NOT: gpu.launch_func

// STRICT: pit.tiled tile 64 plan <family = row_wise
// STRICT: pit.tiled tile 64 plan <family = segment_sum
// STRICT: linalg.generic {indexing_maps = {{.*}}"reduction"]} ins({{.*}} memref<64xf32>) {

// The product became what it was made of.
// TURING-NOT: pit.contract
// TURING: pit.tiled tile 64 {
// TURING: linalg.generic {{.*}}"reduction"
// TURING: pit.attend_sequences {{.*}} outs({{.*}}) {causal
// TURING: pit.tiled tile 64 plan <family = row_wise, tile = [8, 256], vector = 8, max_blocks = 160>

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>
#vec = affine_map<(r, j) -> (j)>
#each = affine_map<(i) -> (i)>
!b = !pit.index_buffer<!pit.index<[64], coordinate = 0, tile = [1], width = 32>>
!s = !pit.index_buffer<!pit.index<[16, 64], coordinate = 1, tile = [1, 1], width = 32>>
!tile = memref<?x512xbf16, strided<[?, ?], offset: ?>>
!shared = memref<512xbf16, strided<[?], offset: ?>>
!number = memref<?xf32, strided<[?], offset: ?>>
!numbers = memref<?xf32, strided<[?], offset: ?>>
!sums = memref<512xf32, strided<[?], offset: ?>>
func.func @model(%offsets: memref<2xi64>, %coords: memref<64xi32>, %starts: memref<17xi64>, %listed: memref<64xi32>,
                 %sequences: memref<5xi64>, %x: memref<64x512xbf16>, %w: memref<512x512xbf16>, %h: memref<64x512xbf16>,
                 %k: memref<64x8x64xbf16>, %v: memref<64x8x64xbf16>, %o: memref<64x8x64xbf16>, %g: memref<512xbf16>,
                 %y: memref<64x512xbf16>, %gates: memref<16x64xf32>, %weights: memref<64xf32>, %z: memref<16x512xf32>)
    -> (memref<64xf32>, memref<64x512xf32>, memref<1024x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<64xi32> -> !b
  pit.contract rows over(%i : !b) ins(%x, %w : memref<64x512xbf16>, memref<512x512xbf16>) outs(%h : memref<64x512xbf16>)
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, false>}
  %q = memref.expand_shape %h [[0], [1, 2]] output_shape [64, 8, 64] : memref<64x512xbf16> into memref<64x8x64xbf16>
  pit.attend_sequences %q, %k, %v sequences(%sequences : memref<5xi64>) outs(%o) {causal, extent = 64 : i64, scale = 0.125 : f32}
    : memref<64x8x64xbf16>, memref<64x8x64xbf16>, memref<64x8x64xbf16>, memref<64x8x64xbf16>
  %c = memref.collapse_shape %o [[0], [1, 2]] : memref<64x8x64xbf16> into memref<64x512xbf16>
  pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: true, false, false>}
      over(%i : !b) ins(%c, %g : memref<64x512xbf16>, memref<512xbf16>) outs(%y : memref<64x512xbf16>) {
  ^bb0(%a: !tile, %all: !shared, %to: !tile):
    %d = memref.dim %to, %c0 : !tile
    %s = memref.alloc(%d) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%s : memref<?xf32>)
    linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
        ins(%a : !tile) outs(%s : memref<?xf32>) {
    ^bb0(%l: bf16, %acc: f32):
      %t = arith.extf %l : bf16 to f32
      %n = arith.addf %acc, %t : f32
      linalg.yield %n : f32
    }
    linalg.generic {indexing_maps = [#row, #one, #vec, #row], iterator_types = ["parallel", "parallel"]}
        ins(%a, %s, %all : !tile, memref<?xf32>, !shared) outs(%to : !tile) {
    ^bb0(%l: bf16, %t: f32, %u: bf16, %acc: bf16):
      %e = arith.extf %l : bf16 to f32
      %m = arith.subf %e, %t : f32
      %f = arith.extf %u : bf16 to f32
      %p = arith.mulf %m, %f : f32
      %n = arith.truncf %p : f32 to bf16
      linalg.yield %n : bf16
    }
    pit.yield
  }
  %e = pit.assemble %starts, %listed : memref<17xi64>, memref<64xi32> -> !s
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>], packed = array<i1: false, true>}
      over(%e : !s) ins(%gates : memref<16x64xf32>) outs(%weights : memref<64xf32>) {
  ^bb0(%a: !number, %r: !number):
    linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]} ins(%a : !number) outs(%r : !number) {
    ^bb0(%l: f32, %acc: f32):
      %n = arith.negf %l : f32
      linalg.yield %n : f32
    }
    pit.yield
  }
  linalg.fill ins(%zero : f32) outs(%z : memref<16x512xf32>)
  pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>}
      over(%e : !s) ins(%y : memref<64x512xbf16>) outs(%z : memref<16x512xf32>) {
  ^bb0(%a: !tile, %r: !sums):
    linalg.generic {indexing_maps = [#row, #vec], iterator_types = ["reduction", "parallel"]} ins(%a : !tile) outs(%r : !sums) {
    ^bb0(%l: bf16, %acc: f32):
      %t = arith.extf %l : bf16 to f32
      %n = arith.addf %acc, %t : f32
      linalg.yield %n : f32
    }
    pit.yield
  }
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%y : memref<64x512xbf16>) outs(%sum : memref<64xf32>) {
  ^bb0(%l: bf16, %acc: f32):
    %t = arith.extf %l : bf16 to f32
    %n = arith.addf %acc, %t : f32
    linalg.yield %n : f32
  }
  %other = memref.alloc() : memref<1024x1024xf32>
  linalg.fill ins(%zero : f32) outs(%other : memref<1024x1024xf32>)
  %shares = memref.alloc() : memref<64x512xf32>
  linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"]}
      ins(%y, %sum : memref<64x512xbf16>, memref<64xf32>) outs(%shares : memref<64x512xf32>) {
  ^bb0(%l: bf16, %t: f32, %acc: f32):
    %u = arith.extf %l : bf16 to f32
    %n = arith.divf %u, %t : f32
    linalg.yield %n : f32
  }
  return %sum, %shares, %other : memref<64xf32>, memref<64x512xf32>, memref<1024x1024xf32>
}

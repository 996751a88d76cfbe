// Plans by hand are kept, and are what conversions emit: threads, registers and shared memory follow them.
// RUN: pit-opt %s --pit-plan-kernels | FileCheck %s
// RUN: pit-opt %s --pit-plan-kernels --convert-contractions-to-hopper=plan=false --convert-attention-to-gpu=plan=false --convert-sums-to-gpu=plan=false --convert-rows-to-gpu=plan=false | FileCheck %s --check-prefix=KERNELS
// RUN: pit-opt %s --convert-contractions-to-hopper --convert-attention-to-gpu --convert-sums-to-gpu --convert-rows-to-gpu | FileCheck %s --check-prefix=KERNELS

// CHECK: plan <family = gather_gemm, tile = [64, 128], stages = 5>
// CHECK: plan <engine = mma_sync, tile = [32, 80], warps = 2, stages = 4>
// CHECK: plan <family = row_wise, tile = [1, 128], vector = 2, max_blocks = 7>
// CHECK: plan <family = list_map, tile = [64, 1], max_blocks = 3>
// CHECK: plan <family = segment_sum, tile = [2, 256], vector = 4, unroll = 2>
// CHECK: linalg.generic {{.*}}pit.plan = #pit.row_plan<family = row_wise, tile = [4, 128], vector = 4, max_blocks = 5, group = 2>
// CHECK: linalg.fill {pit.plan = #pit.row_plan<family = fill, tile = [1, 1024], vector = 8, max_blocks = 9>}
// CHECK: linalg.generic {{.*}}pit.plan = #pit.row_plan<family = row_wise, tile = [4, 128], vector = 4, max_blocks = 5, group = 2>

// Two warps of 16 rows: two tiles of 64 positions, eight heads, four sequences; 32 rows of 128 bytes of Q, and four stages of 80
// rows each of K and V, are more than a kernel may declare.
// KERNELS: arith.constant 86016 : i32
// KERNELS: gpu.launch_func @model_kernels::@model_attention_0 blocks in (%c64{{[_0-9]*}}, {{.*}}) threads in (%c64{{[_0-9]*}}, {{.*}}) dynamic_shared_memory_size
// KERNELS: gpu.launch_func @model_kernels::@model_rows_0 blocks in (%c7{{[_0-9]*}}, {{.*}}) threads in (%c64
// KERNELS: gpu.launch_func @model_kernels::@model_numbers_0 blocks in (%c1{{[_0-9]*}}, {{.*}}) threads in (%c64
// KERNELS: gpu.launch_func @model_kernels::@model_sum_0 blocks in (%c16{{[_0-9]*}}, {{.*}}) threads in (%c128
// KERNELS: gpu.launch_func @model_kernels::@model_fill_0 blocks in (%c9{{[_0-9]*}}, {{.*}}) threads in (%c128
// KERNELS: gpu.launch_func @model_kernels::@model_rows_1 blocks in (%c5{{[_0-9]*}}, {{.*}}) threads in (%c128
// KERNELS: llvm.func @model_attention_0({{.*}} nvvm.reqntid = array<i32: 64, 1, 1>
// Three steps are under way while one is computed, and as many behind the last.
// KERNELS-COUNT-4: nvvm.cp.async.commit.group
// KERNELS: nvvm.cp.async.wait.group 3
// KERNELS: scf.for
// KERNELS: nvvm.cp.async.commit.group
// KERNELS-NEXT: nvvm.cp.async.wait.group 3
// A row of 512 columns has two warps, which meet in shared memory: four vectors of two each.
// KERNELS: llvm.func @model_rows_0({{.*}} nvvm.reqntid = array<i32: 64, 1, 1>
// KERNELS-COUNT-4: llvm.load {{.*}} -> vector<2xbf16>
// KERNELS-COUNT-5: nvvm.shfl.sync bfly
// KERNELS: nvvm.barrier

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
    plan <family = gather_gemm, tile = [64, 128], stages = 5, consumers = 1>
    {indexing_maps = [#mk, #kn, #mn], listed = array<i1: true, false, false>}
  %q = memref.expand_shape %h [[0], [1, 2]] output_shape [64, 8, 64] : memref<64x512xbf16> into memref<64x8x64xbf16>
  pit.attend_sequences %q, %k, %v sequences(%sequences : memref<5xi64>) outs(%o)
    plan <engine = mma_sync, tile = [32, 80], warps = 2, stages = 4> {causal, extent = 64 : i64, scale = 0.125 : f32}
    : memref<64x8x64xbf16>, memref<64x8x64xbf16>, memref<64x8x64xbf16>, memref<64x8x64xbf16>
  %c = memref.collapse_shape %o [[0], [1, 2]] : memref<64x8x64xbf16> into memref<64x512xbf16>
  pit.tiled tile 64 plan <family = row_wise, tile = [1, 128], vector = 2, max_blocks = 7> {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: true, false, false>}
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
  pit.tiled tile 64 plan <family = list_map, tile = [64, 1], max_blocks = 3> {dims = [array<i64: 0, 1>, array<i64: -1, 0>], packed = array<i1: false, true>}
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
  pit.tiled tile 64 plan <family = segment_sum, tile = [2, 256], vector = 4, unroll = 2> {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>}
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
      ins(%y : memref<64x512xbf16>) outs(%sum : memref<64xf32>) attrs = {pit.plan = #pit.row_plan<family = row_wise, tile = [4, 128], vector = 4, max_blocks = 5, group = 2>} {
  ^bb0(%l: bf16, %acc: f32):
    %t = arith.extf %l : bf16 to f32
    %n = arith.addf %acc, %t : f32
    linalg.yield %n : f32
  }
  %other = memref.alloc() : memref<1024x1024xf32>
  linalg.fill {pit.plan = #pit.row_plan<family = fill, tile = [1, 1024], vector = 8, max_blocks = 9>} ins(%zero : f32) outs(%other : memref<1024x1024xf32>)
  %shares = memref.alloc() : memref<64x512xf32>
  linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"]}
      ins(%y, %sum : memref<64x512xbf16>, memref<64xf32>) outs(%shares : memref<64x512xf32>) attrs = {pit.plan = #pit.row_plan<family = row_wise, tile = [4, 128], vector = 4, max_blocks = 5, group = 2>} {
  ^bb0(%l: bf16, %t: f32, %acc: f32):
    %u = arith.extf %l : bf16 to f32
    %n = arith.divf %u, %t : f32
    linalg.yield %n : f32
  }
  return %sum, %shares, %other : memref<64xf32>, memref<64x512xf32>, memref<1024x1024xf32>
}

// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// Where more pieces are live than pays, the blocks of the same launch compute
// the dense product.

!index = !pit.index<[1056, 192], coordinate = 0, tile = [1, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @values(
// Behind what pieces of rows take: A and C as boxes, of 256 rows and of 16; B in panels.
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<64x64xbf16
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<256x64xbf16
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<2x64x64xbf16
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<16x64xbf16
// CHECK: gpu.launch_func @values_kernels::@values_contraction_0 blocks in (%{{.*}}, %c1, %c1) threads in (%c640, %c1, %c1)
// CHECK-SAME: %c1056_i32 : i32, %c1984_i32 : i32, %c192_i32 : i32, %c192_i32 : i32, %c1984_i32 : i32, %c33_i32 : i32, %{{.*}} : !nvgpu.tensormap.descriptor<{{.*}}>, %{{.*}} : !nvgpu.tensormap.descriptor<{{.*}}>, %{{.*}} : !nvgpu.tensormap.descriptor<{{.*}}>, %c1056_i32 : i32, %c1984_i32 : i32, %c192_i32 : i32)
// CHECK: llvm.func @values_contraction_0(
// Each thread looks at one of up to 640 words: 33 for each of three pieces.
// CHECK: arith.minui %{{.*}}, %c640_i32
// CHECK: llvm.intr.ctpop
// CHECK: arith.cmpi ule
// With up to 2.3 % of 32 rows live (x 256), two pieces of k are multiplied before they are added, otherwise one.
// CHECK: arith.muli %{{.*}}, %c188_i32
// CHECK: arith.cmpi ule
// CHECK-COUNT-8: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 64, k = 16>
// CHECK: nvvm.cp.async.mbarrier.arrive
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 64, k = 16>
// Pieces of rows take the registers that they have; four warpgroups of the dense variant take more.
// CHECK-NOT: nvvm.wgmma.mma_async {{.*}} n = 64,
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: nvvm.setmaxregister increase 104
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 16>
func.func @values(%a: memref<1056x192xbf16>, %b: memref<192x1984xbf16>, %c: memref<1056x1984xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<4xi64>
  %coords = memref.alloc() : memref<3168xi32>
  pit.detect_into values(%a : memref<1056x192xbf16>) outs(%offsets, %coords : memref<4xi64>, memref<3168xi32>)
    <kind = values, axes = [0, 1], tile = [1, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<4xi64>, memref<3168xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1056x1984xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1056x1984xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1056x192xbf16>, memref<192x1984xbf16>)
      outs(%sum : memref<1056x1984xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x1984xbf16, #tile>, %tc: memref<?x1984xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x1984xbf16, #tile>) outs(%tc : memref<?x1984xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<1056x1984xf32>) outs(%c : memref<1056x1984xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

!index = !pit.index<[1056, 192], coordinate = 0, tile = [1, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// It may be asked not to.
// CHECK-LABEL: func.func @not_wanted(
// CHECK: gpu.launch_func
// CHECK: llvm.func @not_wanted_contraction_0(
// CHECK-NOT: nvvm.setmaxregister
// CHECK-NOT: n = 128, k = 16
func.func @not_wanted(%a: memref<1056x192xbf16>, %b: memref<192x1984xbf16>, %c: memref<1056x1984xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<4xi64>
  %coords = memref.alloc() : memref<3168xi32>
  pit.detect_into values(%a : memref<1056x192xbf16>) outs(%offsets, %coords : memref<4xi64>, memref<3168xi32>)
    <kind = values, axes = [0, 1], tile = [1, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<4xi64>, memref<3168xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1056x1984xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1056x1984xf32>)
  pit.tiled tile 64 {pit.dense_variant = false, dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1056x192xbf16>, memref<192x1984xbf16>)
      outs(%sum : memref<1056x1984xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x1984xbf16, #tile>, %tc: memref<?x1984xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x1984xbf16, #tile>) outs(%tc : memref<?x1984xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<1056x1984xf32>) outs(%c : memref<1056x1984xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

!index = !pit.index<[1056, 192], coordinate = 0, tile = [1, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// What is dead of bits that are given needs not be zero.
// CHECK-LABEL: func.func @given(
// CHECK: gpu.launch_func
// CHECK: llvm.func @given_contraction_0(
// Where many of its rows are dead, the dense variant has lanes read zeros instead of them: each finds one of the warp's rows by
// its bit. Half of a step's products are asked for at a time.
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: nvvm.setmaxregister increase 104
// CHECK: scf.for
// CHECK: %[[WORD:.*]] = nvvm.shfl.sync idx
// CHECK: arith.shrui %[[WORD]]
// CHECK: arith.select
// CHECK-COUNT-2: nvvm.ldmatrix
// CHECK: wgmma.mma_async.sync.aligned.m64n128k16
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-COUNT-2: nvvm.ldmatrix
// CHECK: wgmma.mma_async.sync.aligned.m64n128k16
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// Where few are, three warps of the loading warpgroup clear them in shared memory, and the others take a stage when all of these
// have.
// CHECK: nvvm.mbarrier.init {{.*}}, %c96_i32
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: llvm.store volatile %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK: nvvm.fence.proxy
// CHECK: nvvm.setmaxregister increase 104
// CHECK-NOT: nvvm.ldmatrix
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 16>
func.func @given(%a: memref<1056x192xbf16>, %b: memref<192x1984xbf16>, %c: memref<1056x1984xbf16>, %live: memref<1056x3xi1>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<4xi64>
  %coords = memref.alloc() : memref<3168xi32>
  pit.detect_into by(%live : memref<1056x3xi1>) outs(%offsets, %coords : memref<4xi64>, memref<3168xi32>)
    <kind = blocks, axes = [0, 1], tile = [1, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<4xi64>, memref<3168xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1056x1984xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1056x1984xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1056x192xbf16>, memref<192x1984xbf16>)
      outs(%sum : memref<1056x1984xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x1984xbf16, #tile>, %tc: memref<?x1984xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x1984xbf16, #tile>) outs(%tc : memref<?x1984xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<1056x1984xf32>) outs(%c : memref<1056x1984xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// Of C, only live blocks are computed: tiles are those of listed blocks. Blocks
// may be cut by the end of C. What is elementwise is part of it; the rest of C
// stays as it was filled.
!index = !pit.index<[1000, 328], coordinate = 0, tile = [128, 256], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @blocks(
// CHECK: pit.detect_into
// CHECK-NOT: pit.tiled
// CHECK: nvgpu.tma.create.descriptor {{.*}}tensor = memref<128x64xbf16,
// Tiles are as many as there may be at most: 8 by 2.
// CHECK: gpu.launch_func {{.*}} blocks in (%c16, {{.*}} args({{.*}} %c1000_i32 : i32, %c328_i32 : i32, %c200_i32 : i32, %c2_i32 : i32, {{.*}})
// CHECK: llvm.func @blocks_contraction_0(
// Whoever loads and who multiplies look for the segment of a list's entry.
// CHECK-COUNT-2: llvm.intr.ctpop
// CHECK: wgmma
// CHECK: arith.maximumf
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
func.func @blocks(%a: memref<1000x200xbf16>, %b: memref<200x328xbf16>, %live: memref<8x2xi1>, %bias: memref<328xf32>,
                  %c: memref<1000x328xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %offsets = memref.alloc() : memref<3xi64>
  %coords = memref.alloc() : memref<16xi32>
  pit.detect_into by(%live : memref<8x2xi1>) outs(%offsets, %coords : memref<3xi64>, memref<16xi32>)
    <kind = blocks, axes = [0, 1], tile = [128, 256]> : !index
  %i = pit.assemble %offsets, %coords : memref<3xi64>, memref<16xi32> -> !pit.index_buffer<!index>
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 1>, array<i64: -1, 0>, array<i64: 0, 1>],
                      packed = array<i1: false, false, false, false>}
      over(%i : !pit.index_buffer<!index>)
      ins(%a, %b, %bias : memref<1000x200xbf16>, memref<200x328xbf16>, memref<328xf32>) outs(%c : memref<1000x328xbf16>) {
  ^bb0(%ta: memref<?x200xbf16, #tile>, %tb: memref<200x?xbf16, #tile>, %tv: memref<?xf32, strided<[?], offset: ?>>,
       %tc: memref<?x?xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x?xbf16, #tile>
    %n = memref.dim %tc, %c1 : memref<?x?xbf16, #tile>
    %sum = memref.alloc(%m, %n) : memref<?x?xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x?xf32>)
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x200xbf16, #tile>, memref<200x?xbf16, #tile>) outs(%sum : memref<?x?xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tv : memref<?x?xf32>, memref<?xf32, strided<[?], offset: ?>>) outs(%tc : memref<?x?xbf16, #tile>) {
    ^bb0(%x: f32, %v: f32, %o: bf16):
      %y = arith.addf %x, %v : f32
      %z = arith.maximumf %y, %zero : f32
      %t = arith.truncf %z : f32 to bf16
      linalg.yield %t : bf16
    }
    pit.yield
  }
  return
}

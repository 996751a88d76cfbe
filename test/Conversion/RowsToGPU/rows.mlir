// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file | FileCheck %s

!i = !pit.index<[64], coordinate = 0, tile = [1], width = 32>
!b = !pit.index_buffer<!i>
#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>
#vec = affine_map<(r, j) -> (j)>
!tile = memref<?x512xbf16, strided<[?, ?], offset: ?>>

// g * (x - sum(x)), from packed rows to listed ones: two vectors of 8 elements per lane, a sum over 32 lanes, and zeros
// for rows that are not listed.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: linalg.fill
// CHECK: gpu.launch_func @rows_kernels::@rows_rows_0
// CHECK-NOT: pit.tiled
// CHECK: llvm.func @rows_rows_0({{.*}}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>}
// CHECK: llvm.load {{.*}} invariant {{.*}} -> vector<8xbf16>
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.store {{.*}} : vector<8xbf16>
// CHECK: scf.while
// CHECK: llvm.store {{.*}} : vector<8xbf16>
func.func @rows(%offsets: memref<2xi64>, %coords: memref<64xi32>, %x: memref<64x512xbf16>, %g: memref<512xbf16>)
    -> memref<4x16x512xbf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  %c0 = arith.constant 0 : index
  %out = memref.alloc() : memref<4x16x512xbf16>
  linalg.fill ins(%none : bf16) outs(%out : memref<4x16x512xbf16>)
  %y = memref.collapse_shape %out [[0, 1], [2]] : memref<4x16x512xbf16> into memref<64x512xbf16>
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<64xi32> -> !b
  pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: true, false, false>}
      over(%i : !b) ins(%x, %g : memref<64x512xbf16>, memref<512xbf16>) outs(%y : memref<64x512xbf16>) {
  ^bb0(%a: !tile, %v: memref<512xbf16, strided<[?], offset: ?>>, %o: !tile):
    %d = memref.dim %o, %c0 : !tile
    %s = memref.alloc(%d) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%s : memref<?xf32>)
    linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
        ins(%a : !tile) outs(%s : memref<?xf32>) {
    ^bb0(%l: bf16, %acc: f32):
      %w = arith.extf %l : bf16 to f32
      %n = arith.addf %acc, %w : f32
      linalg.yield %n : f32
    }
    linalg.generic {indexing_maps = [#row, #one, #vec, #row], iterator_types = ["parallel", "parallel"]}
        ins(%a, %s, %v : !tile, memref<?xf32>, memref<512xbf16, strided<[?], offset: ?>>) outs(%o : !tile) {
    ^bb0(%l: bf16, %t: f32, %u: bf16, %acc: bf16):
      %w = arith.extf %l : bf16 to f32
      %m = arith.subf %w, %t : f32
      %f = arith.extf %u : bf16 to f32
      %p = arith.mulf %m, %f : f32
      %n = arith.truncf %p : f32 to bf16
      linalg.yield %n : bf16
    }
    pit.yield
  }
  return %out : memref<4x16x512xbf16>
}

// -----

!w = !pit.index<[64], coordinate = 0, tile = [1], width = 32>
!wb = !pit.index_buffer<!w>
!wide = memref<?x5120xf32, strided<[?, ?], offset: ?>>
!one = memref<?xf32, strided<[?], offset: ?>>
// More than a warp holds: a block per row. Its warps tell each other their sums in shared memory.
// CHECK-LABEL: func.func @wide
// CHECK-NOT: pit.tiled
// CHECK: llvm.func @wide_rows_0
// CHECK: nvvm.shfl.sync
// CHECK: nvvm.barrier
// CHECK-COUNT-8: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK: nvvm.barrier
func.func @wide(%offsets: memref<2xi64>, %coords: memref<64xi32>, %x: memref<64x5120xf32>, %y: memref<64xf32>) {
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<64xi32> -> !wb
  %zero = arith.constant 0.0 : f32
  pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, true>}
      over(%i : !wb) ins(%x : memref<64x5120xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: !wide, %o: !one):
    linalg.fill ins(%zero : f32) outs(%o : !one)
    linalg.generic {indexing_maps = [affine_map<(r, j) -> (r, j)>, affine_map<(r, j) -> (r)>], iterator_types = ["parallel", "reduction"]} ins(%a : !wide) outs(%o : !one) {
    ^bb0(%l: f32, %acc: f32):
      %n = arith.addf %l, %acc : f32
      linalg.yield %n : f32
    }
    pit.yield
  }
  return
}

// -----

!w = !pit.index<[64], coordinate = 0, tile = [1], width = 32>
!wb = !pit.index_buffer<!w>
!wide = memref<?x5120xf64, strided<[?, ?], offset: ?>>
!one = memref<?xf64, strided<[?], offset: ?>>
// Sums of 64 bits have as much room each.
// CHECK: llvm.mlir.global internal @wide_f64_kernels_shared_0_16() {{.*}} : !llvm.array<16 x i32>
// CHECK: llvm.func @wide_f64_rows_0
// CHECK-COUNT-8: llvm.load {{.*}} : !llvm.ptr<3> -> f64
func.func @wide_f64(%offsets: memref<2xi64>, %coords: memref<64xi32>, %x: memref<64x5120xf64>, %y: memref<64xf64>) {
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<64xi32> -> !wb
  %zero = arith.constant 0.0 : f64
  pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: true, true>}
      over(%i : !wb) ins(%x : memref<64x5120xf64>) outs(%y : memref<64xf64>) {
  ^bb0(%a: !wide, %o: !one):
    linalg.fill ins(%zero : f64) outs(%o : !one)
    linalg.generic {indexing_maps = [affine_map<(r, j) -> (r, j)>, affine_map<(r, j) -> (r)>], iterator_types = ["parallel", "reduction"]} ins(%a : !wide) outs(%o : !one) {
    ^bb0(%l: f64, %acc: f64):
      %n = arith.addf %l, %acc : f64
      linalg.yield %n : f64
    }
    pit.yield
  }
  return
}

// -----

!w = !pit.index<[64], coordinate = 0, tile = [1], width = 32>
!wb = !pit.index_buffer<!w>
!wide = memref<?x5120xf32, strided<[?, ?], offset: ?>>
!one = memref<?xf32, strided<[?], offset: ?>>
// A number that all of a row's warps read is not written before they did.
// CHECK: llvm.func @in_place_rows_0
// CHECK: nvvm.barrier
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<1>
func.func @in_place(%offsets: memref<2xi64>, %coords: memref<64xi32>, %x: memref<64x5120xf32>, %y: memref<64x5120xf32>, %s: memref<64xf32>) {
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<64xi32> -> !wb
  pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>, array<i64: 0>, array<i64: 0>], packed = array<i1: true, true, true, true>}
      over(%i : !wb) ins(%x, %s : memref<64x5120xf32>, memref<64xf32>) outs(%y, %s : memref<64x5120xf32>, memref<64xf32>) {
  ^bb0(%a: !wide, %b: !one, %o: !wide, %p: !one):
    linalg.generic {indexing_maps = [affine_map<(r, j) -> (r, j)>, affine_map<(r, j) -> (r)>, affine_map<(r, j) -> (r, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : !wide, !one) outs(%o : !wide) {
    ^bb0(%l: f32, %m: f32, %out: f32):
      %n = arith.mulf %l, %m : f32
      linalg.yield %n : f32
    }
    linalg.generic {indexing_maps = [affine_map<(r) -> (r)>, affine_map<(r) -> (r)>], iterator_types = ["parallel"]} ins(%b : !one) outs(%p : !one) {
    ^bb0(%m: f32, %out: f32):
      %n = arith.addf %m, %m : f32
      linalg.yield %n : f32
    }
    pit.yield
  }
  return
}

// -----

// What no other kernel takes in: 16 bytes per store. Small buffers are left to the kernels for all ops.
// CHECK-LABEL: func.func @fills
// CHECK: gpu.launch_func @fills_kernels::@fills_fill_0
// CHECK: linalg.fill ins({{.*}}) outs({{.*}} : memref<64xbf16>)
// CHECK: llvm.func @fills_fill_0
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xbf16>
func.func @fills(%x: memref<1024x1024xbf16>, %y: memref<64xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%x : memref<1024x1024xbf16>)
  linalg.fill ins(%zero : bf16) outs(%y : memref<64xbf16>)
  return
}

// -----

// Results of products close to each other that are zeroed first: one launch fills all, where the first one is. Not what is not allocated
// here, of other vectors, or used before.
// CHECK-LABEL: func.func @joined
// CHECK: memref.alloc
// CHECK: memref.alloc
// CHECK: gpu.launch_func @joined_kernels::@joined_fill_0 {{.*}} args(%{{[^,]*}} : memref<f32>, %{{[^,]*}} : memref<f32>)
// CHECK: linalg.matmul
// CHECK-NOT: gpu.launch_func
// CHECK: linalg.matmul
// CHECK: gpu.launch_func @joined_kernels::@joined_fill_1
// CHECK: gpu.launch_func @joined_kernels::@joined_fill_2
// CHECK: linalg.copy
// CHECK: gpu.launch_func @joined_kernels::@joined_fill_2
// CHECK: llvm.func @joined_fill_0
// CHECK: scf.for
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>
// CHECK: scf.for
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>
func.func @joined(%a: memref<1024x256xf32>, %w: memref<256x512xf32>, %y: memref<1024x512xf32>) -> (memref<1024x512xf32>, memref<1024x512xf32>, memref<1024x1024xbf16>, memref<1024x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %short = arith.constant 0.0 : bf16
  %one = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<1024x512xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1024x512xf32>)
  linalg.matmul ins(%a, %w : memref<1024x256xf32>, memref<256x512xf32>) outs(%b : memref<1024x512xf32>)
  %c = memref.alloc() : memref<1024x512xf32>
  linalg.fill ins(%one : f32) outs(%c : memref<1024x512xf32>)
  linalg.matmul ins(%a, %w : memref<1024x256xf32>, memref<256x512xf32>) outs(%c : memref<1024x512xf32>)
  %d = memref.alloc() : memref<1024x1024xbf16>
  linalg.fill ins(%short : bf16) outs(%d : memref<1024x1024xbf16>)
  linalg.fill ins(%zero : f32) outs(%y : memref<1024x512xf32>)
  %e = memref.alloc() : memref<1024x512xf32>
  linalg.copy ins(%c : memref<1024x512xf32>) outs(%e : memref<1024x512xf32>)
  linalg.fill ins(%zero : f32) outs(%e : memref<1024x512xf32>)
  return %b, %c, %d, %e : memref<1024x512xf32>, memref<1024x512xf32>, memref<1024x1024xbf16>, memref<1024x512xf32>
}

// -----

// Fills that are far apart: what is filled first would be in nobody's way for long.
// CHECK-LABEL: func.func @apart
// CHECK: gpu.launch_func @apart_kernels::@apart_fill_0
// CHECK-COUNT-9: linalg.copy
// CHECK: gpu.launch_func @apart_kernels::@apart_fill_0
func.func @apart(%x: memref<1024x512xf32>, %y: memref<1024x512xf32>) -> (memref<1024x512xf32>, memref<1024x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<1024x512xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1024x512xf32>)
  linalg.copy ins(%x : memref<1024x512xf32>) outs(%y : memref<1024x512xf32>)
  linalg.copy ins(%x : memref<1024x512xf32>) outs(%y : memref<1024x512xf32>)
  linalg.copy ins(%x : memref<1024x512xf32>) outs(%y : memref<1024x512xf32>)
  linalg.copy ins(%x : memref<1024x512xf32>) outs(%y : memref<1024x512xf32>)
  linalg.copy ins(%x : memref<1024x512xf32>) outs(%y : memref<1024x512xf32>)
  linalg.copy ins(%x : memref<1024x512xf32>) outs(%y : memref<1024x512xf32>)
  linalg.copy ins(%x : memref<1024x512xf32>) outs(%y : memref<1024x512xf32>)
  linalg.copy ins(%x : memref<1024x512xf32>) outs(%y : memref<1024x512xf32>)
  linalg.copy ins(%x : memref<1024x512xf32>) outs(%y : memref<1024x512xf32>)
  %c = memref.alloc() : memref<1024x512xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<1024x512xf32>)
  return %b, %c : memref<1024x512xf32>, memref<1024x512xf32>
}

// -----

!experts = !pit.index<[64, 4], coordinate = 0, tile = [1, 1], width = 32>
!expertsb = !pit.index_buffer<!experts>
!tile = memref<?x512xbf16, strided<[?, ?], offset: ?>>

// Segments may be those of a rank, and their first position then is not 0.
// CHECK-LABEL: func.func @segments
// CHECK: llvm.func @segments_rows_0(%[[OFFSETS:[^:]*]]:
// CHECK: %[[END:.*]] = llvm.load
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[OFFSETS]][%[[ZERO]]{{.*}}]
// CHECK: %[[BEGIN:.*]] = llvm.load %[[PLACE]] {{.*}} -> i64
// CHECK: %[[FIRST:.*]] = arith.addi %[[BEGIN]], %{{.*}} : i64
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[END]]
func.func @segments(%offsets: memref<5xi64>, %coords: memref<128xi32>, %x: memref<64x512xbf16>, %y: memref<128x512xbf16>) {
  %i = pit.assemble %offsets, %coords : memref<5xi64>, memref<128xi32> -> !expertsb
  pit.tiled flat tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: false, true>}
      over(%i : !expertsb) ins(%x : memref<64x512xbf16>) outs(%y : memref<128x512xbf16>) {
  ^bb0(%a: !tile, %o: !tile):
    linalg.exp ins(%a : !tile) outs(%o : !tile)
    pit.yield
  }
  return
}

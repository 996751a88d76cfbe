// RUN: pit-opt %s -convert-contractions-to-hopper=multiprocessors=4 -canonicalize -cse -split-input-file | FileCheck %s

// Where little is dead, all blocks multiply everything instead.
!index = !pit.index<[256, 512], coordinate = 1, tile = [32, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @own(
// CHECK-COUNT-3: nvgpu.tma.create.descriptor
// Larger boxes of A for the dense product; those of B and C are the same.
// CHECK: nvgpu.tma.create.descriptor {{.*}} box[%c128, %c64]
// CHECK: gpu.launch_func
// What is live is counted in words of the bitmap that all blocks look at.
// CHECK: llvm.func @own_contraction_0(
// CHECK: llvm.intr.ctpop
// CHECK: nvvm.barrier
// CHECK: nvvm.barrier
// CHECK: %[[SKIPS:.*]] = arith.cmpi ule
// CHECK: scf.if %[[SKIPS]]
// Where less still is live, up to 7 percent, tiles have two strips instead of four.
// CHECK: %[[LIVE:.*]] = arith.muli %{{.*}}, %c100_i64{{.*}} : i64
// CHECK: %[[FEW:.*]] = arith.cmpi ule, %{{.*}}, %{{.*}} : i64
// CHECK: scf.if %[[FEW]]
// CHECK-COUNT-8: nvvm.ldmatrix
// CHECK-COUNT-2: wgmma.mma_async
// CHECK: nvvm.wgmma.commit
// CHECK: } else {
// Up to 17 percent, four of 256 columns.
// CHECK: %[[SOME:.*]] = arith.cmpi ule, %{{.*}}, %{{.*}} : i64
// CHECK: scf.if %[[SOME]]
// CHECK-COUNT-8: nvvm.ldmatrix
// CHECK: nvvm.wgmma.commit
// CHECK: } else {
// Where more is, eight of 128 columns.
// CHECK-COUNT-4: nvvm.ldmatrix
// CHECK-COUNT-8: scf.if
// CHECK: nvvm.wgmma.commit
// CHECK: } else {
// CHECK: nvvm.wgmma.commit
func.func @own(%a: memref<256x512xbf16>, %b: memref<512x256xbf16>, %bias: memref<256xf32>,
                  %c: memref<256x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<64xi32>
  pit.detect_into values(%a : memref<256x512xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<64xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> rule 3 : !index
  %from = memref.cast %offsets : memref<9xi64> to memref<?xi64>
  %at = memref.cast %coords : memref<64xi32> to memref<?xi32>
  %i = pit.assemble %from, %at : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x512xbf16>, memref<512x256xbf16>)
      outs(%sum : memref<256x256xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<32x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x256xbf16, #tile>) outs(%tc : memref<32x256xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %bias : memref<256x256xf32>, memref<256xf32>) outs(%c : memref<256x256xbf16>) {
  ^bb0(%x: f32, %v: f32, %o: bf16):
    %y = arith.addf %x, %v : f32
    %z = arith.maximumf %y, %zero : f32
    %t = arith.truncf %z : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Not where the op says so.
!index = !pit.index<[256, 512], coordinate = 1, tile = [32, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @asked(
// CHECK-COUNT-3: nvgpu.tma.create.descriptor
// CHECK-NOT: nvgpu.tma.create.descriptor
// CHECK: llvm.func @asked_contraction_0(
// Tiles follow what is live all the same.
// CHECK-NOT: arith.cmpi ule, %{{.*}} : i32
// CHECK: arith.cmpi ule, %{{.*}} : i64
// CHECK-NOT: arith.cmpi ule, %{{.*}} : i32
func.func @asked(%a: memref<256x512xbf16>, %b: memref<512x256xbf16>, %bias: memref<256xf32>,
                  %c: memref<256x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<64xi32>
  pit.detect_into values(%a : memref<256x512xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<64xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> rule 3 : !index
  %from = memref.cast %offsets : memref<9xi64> to memref<?xi64>
  %at = memref.cast %coords : memref<64xi32> to memref<?xi32>
  %i = pit.assemble %from, %at : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x256xf32>)
  pit.tiled tile 64 {pit.dense_variant = false, dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x512xbf16>, memref<512x256xbf16>)
      outs(%sum : memref<256x256xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<32x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x256xbf16, #tile>) outs(%tc : memref<32x256xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %bias : memref<256x256xf32>, memref<256xf32>) outs(%c : memref<256x256xbf16>) {
  ^bb0(%x: f32, %v: f32, %o: bf16):
    %y = arith.addf %x, %v : f32
    %z = arith.maximumf %y, %zero : f32
    %t = arith.truncf %z : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// What was found is no longer what A holds.
!index = !pit.index<[256, 512], coordinate = 1, tile = [32, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @changed(
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @changed(%a: memref<256x512xbf16>, %b: memref<512x256xbf16>, %bias: memref<256xf32>,
                  %c: memref<256x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %other = arith.constant 1.0 : bf16
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<64xi32>
  pit.detect_into values(%a : memref<256x512xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<64xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> rule 3 : !index
  linalg.fill ins(%other : bf16) outs(%a : memref<256x512xbf16>)
  %from = memref.cast %offsets : memref<9xi64> to memref<?xi64>
  %at = memref.cast %coords : memref<64xi32> to memref<?xi32>
  %i = pit.assemble %from, %at : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<256x512xbf16>, memref<512x256xbf16>)
      outs(%sum : memref<256x256xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<32x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x256xbf16, #tile>) outs(%tc : memref<32x256xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %bias : memref<256x256xf32>, memref<256xf32>) outs(%c : memref<256x256xbf16>) {
  ^bb0(%x: f32, %v: f32, %o: bf16):
    %y = arith.addf %x, %v : f32
    %z = arith.maximumf %y, %zero : f32
    %t = arith.truncf %z : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Without rows there are no tiles to share.
!index = !pit.index<[0, 2048], coordinate = 1, tile = [32, 1], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @no_rows(
// CHECK: gpu.launch_func
func.func @no_rows(%a: memref<0x2048xbf16>, %b: memref<2048x4096xbf16>, %bias: memref<4096xf32>,
                  %c: memref<0x4096xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<1xi64>
  %coords = memref.alloc() : memref<16384xi32>
  pit.detect_into values(%a : memref<0x2048xbf16>) outs(%offsets, %coords : memref<1xi64>, memref<16384xi32>)
    <kind = values, axes = [0, 1], tile = [32, 1]> rule 3 : !index
  %i = pit.assemble %offsets, %coords : memref<1xi64>, memref<16384xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<0x4096xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<0x4096xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<0x2048xbf16>, memref<2048x4096xbf16>)
      outs(%sum : memref<0x4096xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x4096xbf16, #tile>, %tc: memref<32x4096xf32, #tile>):
    linalg.matmul ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x4096xbf16, #tile>)
      outs(%tc : memref<32x4096xf32, #tile>)
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %bias : memref<0x4096xf32>, memref<4096xf32>) outs(%c : memref<0x4096xbf16>) {
  ^bb0(%x: f32, %v: f32, %o: bf16):
    %y = arith.addf %x, %v : f32
    %z = arith.maximumf %y, %zero : f32
    %t = arith.truncf %z : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

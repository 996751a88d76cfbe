// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// Of A, only live micro-tiles are multiplied. They are found as bits, and lists
// that nobody else reads are not written. The elementwise op is part of it.
!index = !pit.index<[256, 512], coordinate = 1, tile = [32, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[A:.*]]: memref<256x512xbf16>, %[[B:.*]]: memref<512x256xbf16>, %[[BIAS:.*]]: memref<256xf32>, %[[C:.*]]: memref<256x256xbf16>)
// CHECK-NOT: pit.detect_into
// CHECK: %[[BITS:.*]] = memref.alloc() : memref<9xi32>
// CHECK-NEXT: pit.detect_bits_into values(%[[A]] : memref<256x512xbf16>) outs(%[[BITS]] : memref<9xi32>) <kind = values, axes = [0, 1], tile = [32, 64]> rule 3 :
// CHECK-NOT: pit.tiled
// CHECK-COUNT-3: nvgpu.tma.create.descriptor {{.*}} l2promo = l2promo_256b
// CHECK: %[[PBITS:.*]] = memref.reinterpret_cast %[[BITS]]
// CHECK-NOT: linalg.
// CHECK: gpu.launch_func {{.*}} %[[PBITS]] : memref<i32, strided<[]>>, %c256_i32 : i32, %c256_i32 : i32, %c512_i32 : i32, %c1_i32 : i32, {{.*}})
// CHECK: memref.dealloc %[[BITS]]
// Four strips of 32 rows are the columns of instructions, each if its bit says
// so, with the same columns of B in registers.
// CHECK: llvm.func @blocks_contraction_0(
// CHECK: llvm.atomicrmw add
// CHECK: llvm.intr.cttz
// CHECK: llvm.store volatile %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK: llvm.intr.ctpop
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: llvm.load volatile
// CHECK-COUNT-8: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>
// CHECK-COUNT-4: scf.if
// CHECK: nvvm.wgmma.commit
// Every lane gives a stage back by itself.
// CHECK-NOT: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3> -> i64
// CHECK: arith.maximumf
// CHECK: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<col>
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
func.func @blocks(%a: memref<256x512xbf16>, %b: memref<512x256xbf16>, %bias: memref<256xf32>,
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

// Someone else reads the lists: they stay, beside the bits. Rows of A are
// dynamic, and micro-tiles of 16 k are several to a step.
!index = !pit.index<[?, 512], coordinate = 1, tile = [64, 16], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @both(
// CHECK: pit.detect_bits_into values(%{{.*}} : memref<?x512xbf16>) extents(%{{.*}}) outs(%{{.*}} : memref<?xi32>)
// CHECK: pit.detect_into
// CHECK-NOT: pit.tiled
// CHECK: gpu.launch_func
// CHECK: memref.load
// CHECK: llvm.func @both_contraction_0(
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
func.func @both(%a: memref<?x512xbf16>, %b: memref<256x512xbf16>, %m: index, %n: index, %c: memref<?x256xbf16>) -> i32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %offsets = memref.alloc(%n) : memref<?xi64>
  %coords = memref.alloc(%n) : memref<?xi32>
  pit.detect_into values(%a : memref<?x512xbf16>) extents(%m) outs(%offsets, %coords : memref<?xi64>, memref<?xi32>)
    <kind = values, axes = [0, 1], tile = [64, 16]> : !index
  %i = pit.assemble %offsets, %coords extents(%m) : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc(%m) : memref<?x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 1>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<?x512xbf16>, memref<256x512xbf16>)
      outs(%sum : memref<?x256xf32>) {
  ^bb0(%ta: memref<64x?xbf16, #tile>, %tb: memref<256x?xbf16, #tile>, %tc: memref<64x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<64x?xbf16, #tile>, memref<256x?xbf16, #tile>) outs(%tc : memref<64x256xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<?x256xf32>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  %first = memref.load %coords[%c0] : memref<?xi32>
  return %first : i32
}

// -----

// A is made behind the detection, which gives the number of its rows.
!index = !pit.index<[?, 512], coordinate = 1, tile = [64, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @later(
// CHECK-SAME: %[[M:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index,
// CHECK: arith.ceildivui %[[M]], %c64
// CHECK: pit.detect_bits_into by(
// What is dead is not zero: it is never multiplied. Tiles follow what is live all the same.
// CHECK-COUNT-3: nvgpu.tma.create.descriptor
// CHECK-NOT: nvgpu.tma.create.descriptor
// CHECK: gpu.launch_func
// CHECK: llvm.func @later_contraction_0(
// CHECK-NOT: arith.cmpi ule, %{{.*}} : i32
// CHECK: arith.cmpi ule, %{{.*}} : i64
// CHECK: nvvm.setmaxregister
func.func @later(%live: memref<?x8xi1>, %b: memref<256x512xbf16>, %m: index, %n: index, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : bf16
  %offsets = memref.alloc(%n) : memref<?xi64>
  %coords = memref.alloc(%n) : memref<?xi32>
  pit.detect_into by(%live : memref<?x8xi1>) extents(%m) outs(%offsets, %coords : memref<?xi64>, memref<?xi32>)
    <kind = blocks, axes = [0, 1], tile = [64, 64]> : !index
  %a = memref.alloc(%m) : memref<?x512xbf16>
  linalg.fill ins(%one : bf16) outs(%a : memref<?x512xbf16>)
  %i = pit.assemble %offsets, %coords extents(%m) : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc(%m) : memref<?x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 1>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<?x512xbf16>, memref<256x512xbf16>)
      outs(%sum : memref<?x256xf32>) {
  ^bb0(%ta: memref<64x?xbf16, #tile>, %tb: memref<256x?xbf16, #tile>, %tc: memref<64x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<64x?xbf16, #tile>, memref<256x?xbf16, #tile>) outs(%tc : memref<64x256xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<?x256xf32>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// RUN: pit-opt %s -convert-contractions-to-hopper=multiprocessors=16 -canonicalize -cse -split-input-file | FileCheck %s

// Where a mask says which blocks of C are sampled, and all others are a constant,
// one launch reads the mask, computes what is sampled and fills the rest.
!index = !pit.index<[1000, 328], coordinate = 0, tile = [128, 256], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[LIVE:[^:]*]]: memref<8x2xi1>
// CHECK-NOT: pit.detect_into
// CHECK-NOT: linalg.fill
// CHECK: %[[MASK:.*]] = memref.reinterpret_cast %[[LIVE]] to offset: [0], sizes: [], strides: []
// As many blocks of threads as there are of C.
// CHECK: gpu.launch_func {{.*}} blocks in (%c16, %c1, %c1) threads in (%c384, %c1, %c1)
// CHECK-SAME: %[[MASK]] : memref<i1,
// CHECK-NOT: gpu.launch_func
// CHECK: llvm.func @blocks_contraction_0(
// What nobody wants, as the output has it.
// CHECK: %[[FILL:.*]] = arith.constant 1.500000e+00 : f32
// Everyone reads all of the mask, ...
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<1> -> i8
// CHECK: nvvm.barrier
// ... makes lists of its own of it, ...
// CHECK: llvm.store volatile {{.*}} : i32, !llvm.ptr<3>
// ... and the copy engine fills, in a warp that loads nothing, ...
// CHECK: nvvm.fence.proxy
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// ... while others multiply.
// CHECK: nvvm.wgmma.mma_async
// CHECK: arith.maximumf
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// Or all of C is multiplied, and what nobody wants replaced.
// CHECK: } else {
// CHECK: nvvm.wgmma.mma_async
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[FILL]] : f32
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
func.func @blocks(%a: memref<1000x200xbf16>, %b: memref<200x328xbf16>, %live: memref<8x2xi1>, %bias: memref<328xf32>,
                  %c: memref<1000x328xbf16>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 1.5 : bf16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %offsets = memref.alloc() : memref<3xi64>
  %coords = memref.alloc() : memref<16xi32>
  pit.detect_into by(%live : memref<8x2xi1>) outs(%offsets, %coords : memref<3xi64>, memref<16xi32>)
    <kind = blocks, axes = [0, 1], tile = [128, 256]> : !index
  %i = pit.assemble %offsets, %coords : memref<3xi64>, memref<16xi32> -> !pit.index_buffer<!index>
  linalg.fill ins(%none : bf16) outs(%c : memref<1000x328xbf16>)
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

// -----

// Otherwise blocks are listed: nothing says what C holds, ...
!index = !pit.index<[1000, 328], coordinate = 0, tile = [128, 256], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @not_filled(
// CHECK: pit.detect_into
// CHECK: gpu.launch_func
func.func @not_filled(%a: memref<1000x200xbf16>, %b: memref<200x328xbf16>, %live: memref<8x2xi1>, %bias: memref<328xf32>,
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

// -----

// ... what it is filled with is not known, ...
!index = !pit.index<[1000, 328], coordinate = 0, tile = [128, 256], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @filled_with_anything(
// CHECK: pit.detect_into
// CHECK: linalg.fill
// CHECK: gpu.launch_func
func.func @filled_with_anything(%a: memref<1000x200xbf16>, %b: memref<200x328xbf16>, %live: memref<8x2xi1>, %bias: memref<328xf32>,
                  %c: memref<1000x328xbf16>, %none: bf16) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %offsets = memref.alloc() : memref<3xi64>
  %coords = memref.alloc() : memref<16xi32>
  pit.detect_into by(%live : memref<8x2xi1>) outs(%offsets, %coords : memref<3xi64>, memref<16xi32>)
    <kind = blocks, axes = [0, 1], tile = [128, 256]> : !index
  %i = pit.assemble %offsets, %coords : memref<3xi64>, memref<16xi32> -> !pit.index_buffer<!index>
  linalg.fill ins(%none : bf16) outs(%c : memref<1000x328xbf16>)
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

// -----

// ... it is read before it is complete, ...
!index = !pit.index<[1000, 328], coordinate = 0, tile = [128, 256], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @read_between(
// CHECK: pit.detect_into
// CHECK: linalg.fill
// CHECK: memref.copy
// CHECK: gpu.launch_func
func.func @read_between(%a: memref<1000x200xbf16>, %b: memref<200x328xbf16>, %live: memref<8x2xi1>, %bias: memref<328xf32>,
                  %c: memref<1000x328xbf16>, %d: memref<1000x328xbf16>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 1.5 : bf16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %offsets = memref.alloc() : memref<3xi64>
  %coords = memref.alloc() : memref<16xi32>
  pit.detect_into by(%live : memref<8x2xi1>) outs(%offsets, %coords : memref<3xi64>, memref<16xi32>)
    <kind = blocks, axes = [0, 1], tile = [128, 256]> : !index
  %i = pit.assemble %offsets, %coords : memref<3xi64>, memref<16xi32> -> !pit.index_buffer<!index>
  linalg.fill ins(%none : bf16) outs(%c : memref<1000x328xbf16>)
  memref.copy %c, %d : memref<1000x328xbf16> to memref<1000x328xbf16>
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

// -----

// ... or the mask is another one by then.
!index = !pit.index<[1000, 328], coordinate = 0, tile = [128, 256], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @mask_changes(
// CHECK: pit.detect_into
// CHECK: linalg.fill
// CHECK: memref.copy
// CHECK: gpu.launch_func
func.func @mask_changes(%a: memref<1000x200xbf16>, %b: memref<200x328xbf16>, %live: memref<8x2xi1>, %bias: memref<328xf32>,
                  %c: memref<1000x328xbf16>, %other: memref<8x2xi1>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 1.5 : bf16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %offsets = memref.alloc() : memref<3xi64>
  %coords = memref.alloc() : memref<16xi32>
  pit.detect_into by(%live : memref<8x2xi1>) outs(%offsets, %coords : memref<3xi64>, memref<16xi32>)
    <kind = blocks, axes = [0, 1], tile = [128, 256]> : !index
  %i = pit.assemble %offsets, %coords : memref<3xi64>, memref<16xi32> -> !pit.index_buffer<!index>
  linalg.fill ins(%none : bf16) outs(%c : memref<1000x328xbf16>)
  memref.copy %other, %live : memref<8x2xi1> to memref<8x2xi1>
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

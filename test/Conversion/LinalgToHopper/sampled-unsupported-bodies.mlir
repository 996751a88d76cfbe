// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file | FileCheck %s

// Products of sampled blocks as in sampled.mlir, but for one thing, which no kernel has: they stay for the generic path.

// Sums begin at 1.
!index = !pit.index<[1000, 328], coordinate = 0, tile = [128, 256], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @sums_from_one
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @sums_from_one(%a: memref<1000x200xbf16>, %b: memref<200x328xbf16>, %live: memref<8x2xi1>, %bias: memref<328xf32>,
                  %c: memref<1000x328xbf16>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0.0 : bf16
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
    linalg.fill ins(%one : f32) outs(%sum : memref<?x?xf32>)
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

// Sums begin at what is there.
!index = !pit.index<[1000, 328], coordinate = 0, tile = [128, 256], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @sums_from_anything
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @sums_from_anything(%a: memref<1000x200xbf16>, %b: memref<200x328xbf16>, %live: memref<8x2xi1>, %bias: memref<328xf32>,
                  %c: memref<1000x328xbf16>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
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

// Rows of B and C do not begin at multiples of 16 bytes.
!index = !pit.index<[1000, 327], coordinate = 0, tile = [128, 256], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @odd_columns
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @odd_columns(%a: memref<1000x200xbf16>, %b: memref<200x327xbf16>, %live: memref<8x2xi1>, %bias: memref<327xf32>,
                  %c: memref<1000x327xbf16>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %offsets = memref.alloc() : memref<3xi64>
  %coords = memref.alloc() : memref<16xi32>
  pit.detect_into by(%live : memref<8x2xi1>) outs(%offsets, %coords : memref<3xi64>, memref<16xi32>)
    <kind = blocks, axes = [0, 1], tile = [128, 256]> : !index
  %i = pit.assemble %offsets, %coords : memref<3xi64>, memref<16xi32> -> !pit.index_buffer<!index>
  linalg.fill ins(%none : bf16) outs(%c : memref<1000x327xbf16>)
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 1>, array<i64: -1, 0>, array<i64: 0, 1>],
                      packed = array<i1: false, false, false, false>}
      over(%i : !pit.index_buffer<!index>)
      ins(%a, %b, %bias : memref<1000x200xbf16>, memref<200x327xbf16>, memref<327xf32>) outs(%c : memref<1000x327xbf16>) {
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

// A sum is stored a second time.
!index = !pit.index<[1000, 328], coordinate = 0, tile = [128, 256], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @another_store
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @another_store(%a: memref<1000x200xbf16>, %b: memref<200x328xbf16>, %live: memref<8x2xi1>, %bias: memref<328xf32>,
                  %c: memref<1000x328xbf16>,
                  %last: memref<1xf32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
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
    %first = memref.load %sum[%c0, %c0] : memref<?x?xf32>
    memref.store %first, %last[%c0] : memref<1xf32>
    pit.yield
  }
  return
}

// -----

// Sums of a block are summed up, too.
!index = !pit.index<[1000, 328], coordinate = 0, tile = [128, 256], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @another_op
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @another_op(%a: memref<1000x200xbf16>, %b: memref<200x328xbf16>, %live: memref<8x2xi1>, %bias: memref<328xf32>,
                  %c: memref<1000x328xbf16>,
                  %all: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
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
    linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
        ins(%sum : memref<?x?xf32>) outs(%all : memref<f32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.addf %o, %x : f32
      linalg.yield %y : f32
    }
    pit.yield
  }
  return
}

// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file | FileCheck %s

// Products of live pieces of rows that stay for the generic path.

// Columns end inside a tile.
!index = !pit.index<[1000, 512], coordinate = 0, tile = [1, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @columns(
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @columns(%a: memref<1000x512xbf16>, %b: memref<512x96xbf16>, %c: memref<1000x96xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<8000xi32>
  pit.detect_into values(%a : memref<1000x512xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<8000xi32>)
    <kind = values, axes = [0, 1], tile = [1, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<8000xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1000x96xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1000x96xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1000x512xbf16>, memref<512x96xbf16>)
      outs(%sum : memref<1000x96xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x96xbf16, #tile>, %tc: memref<?x96xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x96xbf16, #tile>) outs(%tc : memref<?x96xf32, #tile>) {
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
      ins(%sum : memref<1000x96xf32>) outs(%c : memref<1000x96xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Pieces of k that one row of the swizzle does not hold.
!index = !pit.index<[1000, 512], coordinate = 0, tile = [1, 128], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @depth(
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @depth(%a: memref<1000x512xbf16>, %b: memref<512x128xbf16>, %c: memref<1000x128xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<5xi64>
  %coords = memref.alloc() : memref<4000xi32>
  pit.detect_into values(%a : memref<1000x512xbf16>) outs(%offsets, %coords : memref<5xi64>, memref<4000xi32>)
    <kind = values, axes = [0, 1], tile = [1, 128]> : !index
  %i = pit.assemble %offsets, %coords : memref<5xi64>, memref<4000xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1000x128xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1000x128xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1000x512xbf16>, memref<512x128xbf16>)
      outs(%sum : memref<1000x128xf32>) {
  ^bb0(%ta: memref<?x128xbf16, #tile>, %tb: memref<128x128xbf16, #tile>, %tc: memref<?x128xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x128xbf16, #tile>, memref<128x128xbf16, #tile>) outs(%tc : memref<?x128xf32, #tile>) {
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
      ins(%sum : memref<1000x128xf32>) outs(%c : memref<1000x128xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// The last piece of k is shorter: chunks of A would come from the next row.
!index = !pit.index<[1000, 520], coordinate = 0, tile = [1, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @tail(
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @tail(%a: memref<1000x520xbf16>, %b: memref<520x128xbf16>, %c: memref<1000x128xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<10xi64>
  %coords = memref.alloc() : memref<9000xi32>
  pit.detect_into values(%a : memref<1000x520xbf16>) outs(%offsets, %coords : memref<10xi64>, memref<9000xi32>)
    <kind = values, axes = [0, 1], tile = [1, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<10xi64>, memref<9000xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1000x128xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1000x128xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1000x520xbf16>, memref<520x128xbf16>)
      outs(%sum : memref<1000x128xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x128xbf16, #tile>, %tc: memref<?x128xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x128xbf16, #tile>) outs(%tc : memref<?x128xf32, #tile>) {
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
      ins(%sum : memref<1000x128xf32>) outs(%c : memref<1000x128xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Of a B stored [n, k], boxes would hold other rows.
!index = !pit.index<[1000, 512], coordinate = 0, tile = [1, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @transposed(
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @transposed(%a: memref<1000x512xbf16>, %b: memref<128x512xbf16>, %c: memref<1000x128xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<8000xi32>
  pit.detect_into values(%a : memref<1000x512xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<8000xi32>)
    <kind = values, axes = [0, 1], tile = [1, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<8000xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1000x128xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1000x128xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 1>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1000x512xbf16>, memref<128x512xbf16>)
      outs(%sum : memref<1000x128xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<128x64xbf16, #tile>, %tc: memref<?x128xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<128x64xbf16, #tile>) outs(%tc : memref<?x128xf32, #tile>) {
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
      ins(%sum : memref<1000x128xf32>) outs(%c : memref<1000x128xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Something else than rounding follows.
!index = !pit.index<[1000, 512], coordinate = 0, tile = [1, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @relu(
// CHECK-NOT: gpu.launch_func
// CHECK: pit.detect_into
// CHECK: pit.tiled
func.func @relu(%a: memref<1000x512xbf16>, %b: memref<512x128xbf16>, %c: memref<1000x128xbf16>) {
  %zero = arith.constant 0.0 : f32
  %offsets = memref.alloc() : memref<9xi64>
  %coords = memref.alloc() : memref<8000xi32>
  pit.detect_into values(%a : memref<1000x512xbf16>) outs(%offsets, %coords : memref<9xi64>, memref<8000xi32>)
    <kind = values, axes = [0, 1], tile = [1, 64]> : !index
  %i = pit.assemble %offsets, %coords : memref<9xi64>, memref<8000xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<1000x128xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<1000x128xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%a, %b : memref<1000x512xbf16>, memref<512x128xbf16>)
      outs(%sum : memref<1000x128xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x128xbf16, #tile>, %tc: memref<?x128xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x128xbf16, #tile>) outs(%tc : memref<?x128xf32, #tile>) {
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
      ins(%sum : memref<1000x128xf32>) outs(%c : memref<1000x128xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.maximumf %x, %zero : f32
    %t = arith.truncf %y : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

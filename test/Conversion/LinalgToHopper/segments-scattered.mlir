// RUN: pit-opt %s -convert-contractions-to-hopper=short-segments=true -canonicalize -cse -split-input-file | FileCheck %s

// One expert per token: rows of the result go to where the list says, each once, after what is done to them once they
// are rounded, with a number of the row.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#line = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// CHECK-LABEL: func.func @once(
// CHECK-SAME: %{{.*}}: memref<?x8xf32>, %{{.*}}, %{{.*}}, %[[NUMBERS:.*]]: memref<?xf32>
// CHECK: pit.detect_into
// CHECK-NOT: pit.tiled
// CHECK: %[[PN:.*]] = memref.reinterpret_cast %[[NUMBERS]] to offset: [0]
// CHECK: gpu.launch_func {{.*}} %[[PN]] :
// CHECK-NOT: pit.tiled
// CHECK: llvm.func @once_contraction_0(
// CHECK-SAME: %[[POINTER:[^ ]*]]: !llvm.ptr<1>)
// Of the narrowest tile: all sums are rounded as they are, ...
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 48, k = 16>
// CHECK: %[[ROWS:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> i32
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[POINTER]]
// CHECK: %[[NUMBER:.*]] = llvm.load %[[AT]] {{.*}}: !llvm.ptr<1> -> f32
// CHECK-NOT: arith.mulf
// CHECK: nvvm.stmatrix
// ... and the rest is computed of what comes back.
// CHECK: %[[CHUNK:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> vector<4xi32>
// CHECK: llvm.bitcast %[[CHUNK]] : vector<4xi32> to vector<8xbf16>
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.mulf %{{.*}}, %[[NUMBER]]
// CHECK: llvm.store %{{.*}} vector<4xi32>, !llvm.ptr<1>
func.func @once(%gate: memref<?x8xf32>, %a: memref<?x72xbf16>, %b: memref<8x72x256xbf16>, %numbers: memref<?xf32>,
                %offsets: memref<9xi64>, %rows: memref<?xi32>, %tokens: index, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.detect_into values(%gate : memref<?x8xf32>) extents(%tokens) outs(%offsets, %rows : memref<9xi64>, memref<?xi32>)
    <kind = values, axes = [0, 1], at_most = 1> : !lists
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>, array<i64: 0, -1>],
                     packed = array<i1: true, false, true, false>}
      over(%i : !index) ins(%a, %b, %numbers : memref<?x72xbf16>, memref<8x72x256xbf16>, memref<?xf32>)
      outs(%c : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tn: memref<?xf32, #line>, %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x256xbf16, #tile>
    %acc = memref.alloc(%m) : memref<?x256xf32>
    %rounded = memref.alloc(%m) : memref<?x256xbf16>
    linalg.fill ins(%zero : f32) outs(%acc : memref<?x256xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>) outs(%acc : memref<?x256xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%acc : memref<?x256xf32>) outs(%rounded : memref<?x256xbf16>) {
    ^bb1(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%tn, %rounded : memref<?xf32, #line>, memref<?x256xbf16>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb1(%n: f32, %x: bf16, %o: bf16):
      %f = arith.extf %x : bf16 to f32
      %p = arith.mulf %f, %n : f32
      %t = arith.truncf %p : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}

// -----

!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>

// Lists of two experts per token, and those that no detection here has written, may have a row twice: the last one
// would win, or whichever block comes last.
// CHECK-LABEL: func.func @twice(
// CHECK-COUNT-2: pit.tiled
// CHECK-NOT: gpu.launch_func
func.func @twice(%gate: memref<?x8xf32>, %a: memref<?x72xbf16>, %b: memref<8x72x256xbf16>, %offsets: memref<9xi64>,
                 %rows: memref<?xi32>, %offsets2: memref<9xi64>, %rows2: memref<?xi32>, %tokens: index, %c: memref<?x256xf32>) {
  %zero = arith.constant 0.0 : f32
  pit.detect_into values(%gate : memref<?x8xf32>) extents(%tokens) outs(%offsets, %rows : memref<9xi64>, memref<?xi32>)
    <kind = values, axes = [0, 1], at_most = 2> : !lists
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  %j = pit.assemble %offsets2, %rows2 extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, false>}
      over(%i : !index) ins(%a, %b : memref<?x72xbf16>, memref<8x72x256xbf16>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>) outs(%tc : memref<?x256xf32, #tile>)
  }
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, false>}
      over(%j : !index) ins(%a, %b : memref<?x72xbf16>, memref<8x72x256xbf16>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>) outs(%tc : memref<?x256xf32, #tile>)
  }
  return
}

// -----

!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>

// The detection in front wrote other lists of the same memory, or the offsets of these were written since.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-2: pit.tiled
// CHECK-NOT: gpu.launch_func
func.func @others(%gate: memref<?x8xf32>, %a: memref<?x72xbf16>, %b: memref<8x72x256xbf16>, %lists: memref<8192xi8>,
                  %offsets: memref<9xi64>, %tokens: index, %c: memref<?x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %half = arith.constant 4096 : index
  %n = arith.constant 1024 : index
  %rows = memref.view %lists[%c0][%n] : memref<8192xi8> to memref<?xi32>
  %rows2 = memref.view %lists[%half][%n] : memref<8192xi8> to memref<?xi32>
  %i = pit.assemble %offsets, %rows2 extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  pit.detect_into values(%gate : memref<?x8xf32>) extents(%tokens) outs(%offsets, %rows : memref<9xi64>, memref<?xi32>)
    <kind = values, axes = [0, 1], at_most = 1> : !lists
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, false>}
      over(%i : !index) ins(%a, %b : memref<?x72xbf16>, memref<8x72x256xbf16>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>) outs(%tc : memref<?x256xf32, #tile>)
  }
  %j = pit.assemble %offsets, %rows extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  memref.store %none, %offsets[%c0] : memref<9xi64>
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, false>}
      over(%j : !index) ins(%a, %b : memref<?x72xbf16>, memref<8x72x256xbf16>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>) outs(%tc : memref<?x256xf32, #tile>)
  }
  return
}

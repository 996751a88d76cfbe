// RUN: pit-opt %s -convert-contractions-to-mma -canonicalize -cse -split-input-file | FileCheck %s

// Rows of A that a list names, multiplied, go to the same rows of C.
!rows = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @listed(
// CHECK-SAME: %[[A:.*]]: memref<?x72xbf16>, %[[B:.*]]: memref<72x256xbf16>, %[[ROWS:.*]]: memref<?xi32>, %[[OFFSETS:.*]]: memref<2xi64>, %[[C:.*]]: memref<?x256xbf16>)
// CHECK-NOT: pit.
// CHECK: memref.dim %[[ROWS]]
// CHECK: %[[PROWS:.*]] = memref.reinterpret_cast %[[ROWS]] to offset: [0], sizes: [], strides: []
// CHECK: %[[PCOUNT:.*]] = memref.reinterpret_cast %[[OFFSETS]] to offset: [1], sizes: [], strides: []
// CHECK: gpu.launch_func {{.*}}, %[[PROWS]] : {{.*}}, %[[PCOUNT]] : memref<i64, strided<[], offset: 1>>
// The number of rows is read on the device, and so are theirs, once per tile.
// CHECK: llvm.func @listed_contraction_0
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> i64
// CHECK: scf.for
// CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<1> -> i32
// CHECK: nvvm.cp.async.shared.global
// CHECK: scf.for
// CHECK-NOT: llvm.load
// CHECK: nvvm.mma.sync
// CHECK: nvvm.cp.async.wait.group 0
// Each row of C is looked up.
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> i32
// CHECK: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<1>
func.func @listed(%a: memref<?x72xbf16>, %b: memref<72x256xbf16>, %rows: memref<?xi32>, %offsets: memref<2xi64>,
                  %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %extent = memref.dim %a, %c0 : memref<?x72xbf16>
  %i = pit.assemble %offsets, %rows extents(%extent) : memref<2xi64>, memref<?xi32> -> !index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: false, false, false>}
      over(%i : !index) ins(%a, %b : memref<?x72xbf16>, memref<72x256xbf16>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x72xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x256xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>) outs(%sum : memref<?x256xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x256xf32>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb0(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x256xf32>
    pit.yield
  }
  return
}

// -----

// Tokens per expert: rows of A are gathered, B is the expert's, and rows of C
// are packed in the order of the lists.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @experts(
// CHECK-SAME: memref<8x72x256xbf16>, %[[ROWS:[^:]*]]: memref<?xi32>, %[[OFFSETS:[^:]*]]: memref<9xi64>
// CHECK-DAG: %[[S:.*]] = arith.constant 8 : i32
// CHECK-DAG: %[[STRIDE:.*]] = arith.constant 18432 : i64
// Each segment may have a tile that is not full.
// CHECK: %[[M:.*]] = memref.dim %[[ROWS]]
// CHECK: %[[FULL:.*]] = arith.ceildivui %[[M]]
// CHECK: arith.addi %[[FULL]], %c8
// CHECK: %[[POFFSETS:.*]] = memref.reinterpret_cast %[[OFFSETS]] to offset: [0]
// CHECK: gpu.launch_func {{.*}}, %[[POFFSETS]] : {{.*}}, %[[STRIDE]] : i64, %[[S]] : i32)
// CHECK-NOT: pit.tiled
// Every warp walks through the offsets, a segment per lane.
// CHECK: llvm.func @experts_contraction_0
// CHECK: llvm.load {{.*}} !llvm.ptr<1> -> i64
// CHECK: nvvm.shfl.sync up
// CHECK: scf.while
// CHECK: nvvm.vote.sync ballot
// CHECK: scf.condition
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.mma.sync
// CHECK: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<1>
func.func @experts(%a: memref<?x72xbf16>, %b: memref<8x72x256xbf16>, %rows: memref<?xi32>, %offsets: memref<9xi64>,
                   %tokens: index, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>],
                      packed = array<i1: false, false, true>, pit.draw_tiles = true}
      over(%i : !index) ins(%a, %b : memref<?x72xbf16>, memref<8x72x256xbf16>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x72xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x256xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>) outs(%sum : memref<?x256xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x256xf32>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb0(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x256xf32>
    pit.yield
  }
  return
}

// -----

// Rows of A along the other axis can only be packed; a segment starts anywhere
// in them, so they are loaded one by one.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>

// CHECK-LABEL: func.func @transposed(
// CHECK: gpu.launch_func
// CHECK: llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK: nvvm.mma.sync
func.func @transposed(%a: memref<72x512xbf16>, %b: memref<8x72x256xbf16>, %rows: memref<512xi32>,
                      %offsets: memref<9xi64>, %tokens: index, %c: memref<512x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %at = memref.transpose %a (i, j) -> (j, i) : memref<72x512xbf16> to memref<512x72xbf16, strided<[1, 512]>>
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<9xi64>, memref<512xi32> -> !index
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>],
                      packed = array<i1: true, false, true>}
      over(%i : !index) ins(%at, %b : memref<512x72xbf16, strided<[1, 512]>>, memref<8x72x256xbf16>)
      outs(%c : memref<512x256xf32>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>)
      outs(%tc : memref<?x256xf32, #tile>)
    pit.yield
  }
  return
}

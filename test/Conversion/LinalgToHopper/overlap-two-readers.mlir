// RUN: pit-opt %s -convert-contractions-to-hopper | FileCheck %s

// Of two products that read the same rows, the first waits for rows, and the second for the end of that one.
!lists = !pit.index<[?, 40], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @two_readers(
// CHECK: pit.signaled
// CHECK: gpu.launch_func @{{.*}}::@two_readers_contraction_0
// CHECK: pit.signaled
// CHECK: gpu.launch_func @{{.*}}::@two_readers_contraction_1
// CHECK-NOT: pit.signaled
// CHECK: gpu.launch_func @{{.*}}::@two_readers_contraction_2
// CHECK-NOT: pit.signaled
// CHECK: memref.dealloc
// CHECK-LABEL: llvm.func @two_readers_contraction_1
// CHECK: syncscope("device") acquire
// CHECK-LABEL: llvm.func @two_readers_contraction_2
// CHECK-NOT: acquire
func.func @two_readers(%a: memref<?x264xbf16>, %b: memref<40x264x512xbf16>, %b2: memref<40x512x256xbf16>, %rows: memref<?xi32>,
                     %offsets: memref<41xi64>, %tokens: index, %many: index, %b3: memref<40x512x256xbf16>, %c: memref<?x256xbf16>,
                     %d: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<41xi64>, memref<?xi32> -> !index
  %hidden = memref.alloc(%many) : memref<?x512xbf16>
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x264xbf16>, memref<40x264x512xbf16>) outs(%hidden : memref<?x512xbf16>) {
  ^bb0(%ta: memref<?x264xbf16, #tile>, %tb: memref<264x512xbf16, #tile>, %tc: memref<?x512xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x512xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x512xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x512xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x264xbf16, #tile>, memref<264x512xbf16, #tile>) outs(%sum : memref<?x512xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x512xf32>) outs(%tc : memref<?x512xbf16, #tile>) {
    ^bb1(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x512xf32>
    pit.yield
  }
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, true>}
      over(%i : !index) ins(%hidden, %b2 : memref<?x512xbf16>, memref<40x512x256xbf16>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x512xbf16, #tile>, %tb: memref<512x256xbf16, #tile>, %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x256xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x256xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x512xbf16, #tile>, memref<512x256xbf16, #tile>) outs(%sum : memref<?x256xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x256xf32>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb1(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x256xf32>
    pit.yield
  }
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, true>}
      over(%i : !index) ins(%hidden, %b3 : memref<?x512xbf16>, memref<40x512x256xbf16>) outs(%d : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x512xbf16, #tile>, %tb: memref<512x256xbf16, #tile>, %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x256xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x256xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x512xbf16, #tile>, memref<512x256xbf16, #tile>) outs(%sum : memref<?x256xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x256xf32>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb1(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x256xf32>
    pit.yield
  }
  memref.dealloc %hidden : memref<?x512xbf16>
  return
}

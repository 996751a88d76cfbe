// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse | FileCheck %s

// Packed rows of A that lie in columns, which no swapped tail can read: whole strips of rows of the result are stored by the copy engine, and
// the rows behind the last whole one by threads.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>

// CHECK-LABEL: func.func @transposed(
// CHECK: llvm.func @transposed_contraction_0
// Whether a strip of 16 rows ends within the segment.
// CHECK: %[[END:.*]] = arith.addi %[[ROW:.*]], %c16_i32 : i32
// CHECK-NEXT: %[[WHOLE:.*]] = arith.cmpi ule, %[[END]], %{{.*}} : i32
// CHECK-NEXT: scf.if %[[WHOLE]]
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK: else
// CHECK: arith.cmpi ult, %[[ROW]]
// CHECK: llvm.store
func.func @transposed(%i: !index, %a: memref<?x64xbf16, strided<[1, 4096]>>, %b: memref<8x64x256xbf16>, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x64xbf16, strided<[1, 4096]>>, memref<8x64x256xbf16>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x256xbf16, #tile>, %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x64xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x256xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
    linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x256xbf16, #tile>) outs(%sum : memref<?x256xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    }
    linalg.generic {
        indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x256xf32>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb0(%x: f32, %out: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x256xf32>
    pit.yield
  }
  return
}

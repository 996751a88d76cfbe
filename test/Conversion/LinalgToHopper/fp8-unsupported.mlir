// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file | FileCheck %s
// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: Function=eight_bits | {{.*}}Reason="dense GEMM: wgmma reads f8E4M3FN only where k is contiguous in A and B", {{.*}}Suggestion="store A as [m, k] and B as [n, k]"
// REMARK: Function=eight_bits_listed | {{.*}}Reason="GEMM of listed rows: inputs are f8E4M3FN; its kernels multiply bf16 and f16"

// Inputs of 8 bits lie along k.
// CHECK-LABEL: @eight_bits
// CHECK-NOT: gpu.launch_func
func.func @eight_bits(%a: memref<128x64xf8E4M3FN>, %b: memref<64x256xf8E4M3FN>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xf8E4M3FN>, memref<64x256xf8E4M3FN>) outs(%c : memref<128x256xf32>)
  return
}

// -----

// Rows of 8 bits that a list names.
// CHECK-LABEL: @eight_bits_listed
// CHECK-NOT: gpu.launch_func
!index = !pit.index_buffer<!pit.index<[?], coordinate = 0, tile = [1], width = 32>>
#tile = strided<[?, ?], offset: ?>
func.func @eight_bits_listed(%a: memref<?x64xf8E4M3FN>, %b: memref<256x64xf8E4M3FN>, %rows: memref<?xi32>, %offsets: memref<2xi64>,
                             %c: memref<?x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %extent = memref.dim %a, %c0 : memref<?x64xf8E4M3FN>
  %i = pit.assemble %offsets, %rows extents(%extent) : memref<2xi64>, memref<?xi32> -> !index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: false, false, false>}
      over(%i : !index) ins(%a, %b : memref<?x64xf8E4M3FN>, memref<256x64xf8E4M3FN>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x64xf8E4M3FN, #tile>, %tb: memref<256x64xf8E4M3FN, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xf8E4M3FN, #tile>, memref<256x64xf8E4M3FN, #tile>) outs(%tc : memref<?x256xf32, #tile>) {
    ^bb0(%x: f8E4M3FN, %y: f8E4M3FN, %acc: f32):
      %xf = arith.extf %x : f8E4M3FN to f32
      %yf = arith.extf %y : f8E4M3FN to f32
      %p = arith.mulf %xf, %yf : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  return
}

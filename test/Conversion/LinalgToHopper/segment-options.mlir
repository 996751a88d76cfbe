// RUN: pit-opt %s -convert-contractions-to-hopper=card=%S/Inputs/untuned.json | FileCheck %s --check-prefixes=CHECK,FREE,LONG
// RUN: pit-opt %s -convert-contractions-to-hopper="card=%S/Inputs/untuned.json free-buffers=false short-segments=true" | FileCheck %s --check-prefixes=CHECK,KEEP,SHORT

// The counter from which blocks draw tiles is freed behind the launch, or by
// ownership-based deallocation, which refuses what is freed before. Whether
// tiles are made for short segments may be said by an option.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>

// CHECK-LABEL: func.func @experts(
// LONG: arith.constant 128 : index
// SHORT: arith.constant 160 : index
// CHECK: %[[COUNTER:.*]] = memref.alloc() : memref<1xi32>
// CHECK: linalg.fill {{.*}} outs(%[[COUNTER]]
// CHECK: gpu.launch_func
// FREE-NEXT: memref.dealloc %[[COUNTER]]
// KEEP-NOT: memref.dealloc
// CHECK: return
func.func @experts(%a: memref<?x72xbf16>, %b: memref<8x72x256xbf16>, %rows: memref<?xi32>, %offsets: memref<9xi64>,
                   %tokens: index, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>],
                      packed = array<i1: false, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x72xbf16>, memref<8x72x256xbf16>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x72xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x256xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>) outs(%sum : memref<?x256xf32>)
    linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                    iterator_types = ["parallel", "parallel"]}
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

// Beside the accumulators of 160 rows and 256 columns, there are no registers for the steps that stand for a function.
// CHECK-LABEL: func.func @gelu(
// CHECK: gpu.launch_func
func.func @gelu(%a: memref<?x1088xbf16>, %b: memref<8x1088x8192xbf16>, %rows: memref<?xi32>, %offsets: memref<9xi64>,
                   %tokens: index, %c: memref<?x8192xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>],
                      packed = array<i1: false, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x1088xbf16>, memref<8x1088x8192xbf16>) outs(%c : memref<?x8192xbf16>) {
  ^bb0(%ta: memref<?x1088xbf16, #tile>, %tb: memref<1088x8192xbf16, #tile>, %tc: memref<?x8192xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x1088xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x8192xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x8192xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x1088xbf16, #tile>, memref<1088x8192xbf16, #tile>) outs(%sum : memref<?x8192xf32>)
    linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                    iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x8192xf32>) outs(%tc : memref<?x8192xbf16, #tile>) {
    ^bb0(%x: f32, %o: bf16):
      %y = math.erf %x : f32
      %t = arith.truncf %y : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x8192xf32>
    pit.yield
  }
  return
}

// SHORT: gpu.module @experts_kernels
// SHORT: <m = 64, n = 160, k = 16>
// SHORT: gpu.module @gelu_kernels
// SHORT-NOT: <m = 64, n = 1{{[3-6]}}
// SHORT: <m = 64, n = 128, k = 16>
// SHORT-NOT: <m = 64, n = 1{{[3-6]}}

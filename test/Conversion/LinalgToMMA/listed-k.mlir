// RUN: pit-opt %s -pit-form-kernels=chip=sm_80 -split-input-file 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: pit-opt %s -convert-contractions-to-mma -canonicalize -cse -split-input-file | FileCheck %s
// RUN: pit-opt %s -convert-contractions-to-mma -split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A sum of ragged k for each segment, of any number of columns: rows of A are
// listed, those of B lie packed.
!ks = !pit.index<[456, 4], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!ks>
#tile = strided<[?, ?], offset: ?>
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// FORM-LABEL: func.func @ragged(
// FORM-NOT: linalg.
// FORM: pit.contract segment_depth over(%{{.*}}) ins(%arg0, %arg1 : memref<456x69xf32>, memref<912x131xf32>) outs(%arg4 : memref<4x69x131xf32>)
// FORM-SAME: listed = array<i1: true, false, false>
// CHECK-LABEL: func.func @ragged(
// CHECK-SAME: %[[A:.*]]: memref<456x69xf32>, %[[B:.*]]: memref<912x131xf32>, %[[KS:.*]]: memref<912xi32>, %[[OFFSETS:.*]]: memref<5xi64>, %[[C:.*]]: memref<4x69x131xf32>)
// CHECK-NOT: pit.
// CHECK-NOT: linalg.
// CHECK: %[[PKS:.*]] = memref.reinterpret_cast %[[KS]] to offset: [0], sizes: [], strides: []
// CHECK: %[[PO:.*]] = memref.reinterpret_cast %[[OFFSETS]] to offset: [0], sizes: [], strides: []
// CHECK: gpu.launch_func {{.*}}, %[[PKS]] : {{.*}}, %[[PO]] : {{.*}}, %c69_i32 : i32, %c131_i32 : i32, %c912_i32 : i32, %c69_i32 : i32, %c131_i32 : i32, %c131_i32 : i32, %c9039_i64 : i64, %c4_i32 : i32)
// CHECK: llvm.func @ragged_contraction_0
// Where the segment begins and ends.
// CHECK: scf.for
// CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<1> -> i64
// Row numbers of all first stages are read before the first copy, ...
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> i32
// CHECK: nvvm.cp.async.shared.global
// ... and each of the others a stage ahead of its copies.
// CHECK: scf.for
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> i32
// CHECK: nvvm.cp.async.wait.group
// CHECK: nvvm.cp.async.wait.group 0
func.func @ragged(%a: memref<456x69xf32>, %b: memref<912x131xf32>, %ks: memref<912xi32>, %offsets: memref<5xi64>,
                  %c: memref<4x69x131xf32>) {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %offsets, %ks : memref<5xi64>, memref<912xi32> -> !index
  linalg.fill ins(%zero : f32) outs(%c : memref<4x69x131xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: false, true, false>}
      over(%i : !index) ins(%a, %b : memref<456x69xf32>, memref<912x131xf32>) outs(%c : memref<4x69x131xf32>) {
  ^bb0(%ta: memref<?x69xf32, #tile>, %tb: memref<?x131xf32, #tile>, %tc: memref<69x131xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x69xf32, #tile>, memref<?x131xf32, #tile>) outs(%tc : memref<69x131xf32, #tile>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  return
}

// -----

// One list, whose length is read on the device; bf16, by the matrix units. Each
// of one column is a row of one element.
!k = !pit.index<[512], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!k>
#tile = strided<[?, ?], offset: ?>
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// FORM-LABEL: func.func @one_list(
// FORM: pit.contract depth over(%{{.*}}) ins(%arg0, %arg1 : memref<512x1xbf16>, memref<512x72xbf16>)
// CHECK-LABEL: func.func @one_list(
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [1], sizes: [], strides: []
// CHECK: llvm.func @one_list_contraction_0
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> i64
// CHECK: nvvm.mma.sync
func.func @one_list(%a: memref<512x1xbf16>, %b: memref<512x72xbf16>, %k: memref<512xi32>, %offsets: memref<2xi64>,
                    %c: memref<1x72xf32>) {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %offsets, %k : memref<2xi64>, memref<512xi32> -> !index
  linalg.fill ins(%zero : f32) outs(%c : memref<1x72xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0>, array<i64: 0>, array<i64: -1>], packed = array<i1: false, false, false>}
      over(%i : !index) ins(%a, %b : memref<512x1xbf16>, memref<512x72xbf16>) outs(%c : memref<1x72xf32>) {
  ^bb0(%ta: memref<?x1xbf16, #tile>, %tb: memref<?x72xbf16, #tile>, %tc: memref<1x72xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x1xbf16, #tile>, memref<?x72xbf16, #tile>) outs(%tc : memref<1x72xf32, #tile>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %xf = arith.extf %x : bf16 to f32
      %yf = arith.extf %y : bf16 to f32
      %p = arith.mulf %xf, %yf : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  return
}

// -----

// Each segment has an A of its own, between those of the others.
!ks = !pit.index<[456, 4], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!ks>
#tile = strided<[?, ?], offset: ?>
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// FORM-LABEL: func.func @of_segments(
// FORM: pit.contract segment_depth
// FORM-SAME: indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], listed = array<i1: true, false, false>
// CHECK-LABEL: func.func @of_segments(
// Distances of rows and of segments of A, and of segments of C.
// CHECK: gpu.launch_func {{.*}}, %c912_i32 : i32, %c256_i32 : i32, %c72_i32 : i32, %c72_i32 : i32, %c64_i64 : i64, %c4608_i64 : i64, %c4_i32 : i32)
func.func @of_segments(%a: memref<456x4x64xf64>, %b: memref<912x72xf64>, %ks: memref<912xi32>, %offsets: memref<5xi64>,
                       %c: memref<4x64x72xf64>) {
  %zero = arith.constant 0.0 : f64
  %i = pit.assemble %offsets, %ks : memref<5xi64>, memref<912xi32> -> !index
  linalg.fill ins(%zero : f64) outs(%c : memref<4x64x72xf64>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: false, true, false>}
      over(%i : !index) ins(%a, %b : memref<456x4x64xf64>, memref<912x72xf64>) outs(%c : memref<4x64x72xf64>) {
  ^bb0(%ta: memref<?x64xf64, #tile>, %tb: memref<?x72xf64, #tile>, %tc: memref<64x72xf64, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xf64, #tile>, memref<?x72xf64, #tile>) outs(%tc : memref<64x72xf64, #tile>) {
    ^bb0(%x: f64, %y: f64, %acc: f64):
      %p = arith.mulf %x, %y : f64
      %r = arith.addf %acc, %p : f64
      linalg.yield %r : f64
    }
    pit.yield
  }
  return
}

// -----

// Left alone: A is stored [m, k], so that a point of the list is no row of it.
!ks = !pit.index<[456, 4], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!ks>
#tile = strided<[?, ?], offset: ?>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// FORM-LABEL: func.func @along_k(
// FORM: pit.tiled
// CHECK-LABEL: func.func @along_k(
// CHECK-NOT: gpu.launch_func
// REMARK: Function=along_k{{.*}}Reason="grouped GEMM of ragged k: the list must name rows of both A, stored [k, m], and B, stored [k, n], or they must be packed through it"
func.func @along_k(%a: memref<64x456xf32>, %b: memref<912x72xf32>, %ks: memref<912xi32>, %offsets: memref<5xi64>,
                   %c: memref<4x64x72xf32>) {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %offsets, %ks : memref<5xi64>, memref<912xi32> -> !index
  linalg.fill ins(%zero : f32) outs(%c : memref<4x64x72xf32>)
  pit.tiled tile 64 {dims = [array<i64: 1, -1>, array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: false, true, false>}
      over(%i : !index) ins(%a, %b : memref<64x456xf32>, memref<912x72xf32>) outs(%c : memref<4x64x72xf32>) {
  ^bb0(%ta: memref<64x?xf32, #tile>, %tb: memref<?x72xf32, #tile>, %tc: memref<64x72xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<64x?xf32, #tile>, memref<?x72xf32, #tile>) outs(%tc : memref<64x72xf32, #tile>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  return
}

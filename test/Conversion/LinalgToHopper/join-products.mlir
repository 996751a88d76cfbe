// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// Queries, keys and values are products of the same rows: one launch in the place of the last one computes them all, each
// with a B, an output and a bias of its own. The tile's number says which of them it belongs to.
!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#vector = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @three(
// CHECK-SAME: %[[B0:[a-z0-9_]*]]: memref<768x768xbf16>, %[[B1:[a-z0-9_]*]]: memref<768x768xbf16>, %[[B2:[a-z0-9_]*]]: memref<768x768xbf16>
// CHECK-SAME: %[[W0:[a-z0-9_]*]]: memref<768xf32>, %[[W1:[a-z0-9_]*]]: memref<768xf32>, %[[W2:[a-z0-9_]*]]: memref<768xf32>
// CHECK-SAME: %[[C0:[a-z0-9_]*]]: memref<4096x768xbf16>, %[[C1:[a-z0-9_]*]]: memref<4096x768xbf16>, %[[C2:[a-z0-9_]*]]: memref<4096x768xbf16>
// CHECK-DAG: %[[PC0:.*]] = memref.reinterpret_cast %[[C0]] to offset: [0], sizes: [], strides: []
// CHECK-DAG: %[[PC1:.*]] = memref.reinterpret_cast %[[C1]] to offset: [0], sizes: [], strides: []
// CHECK-DAG: %[[PC2:.*]] = memref.reinterpret_cast %[[C2]] to offset: [0], sizes: [], strides: []
// CHECK-DAG: %[[PW1:.*]] = memref.reinterpret_cast %[[W1]] to offset: [0], sizes: [], strides: []
// CHECK-DAG: %[[PW2:.*]] = memref.reinterpret_cast %[[W2]] to offset: [0], sizes: [], strides: []
// CHECK: gpu.launch_func {{.*}}%[[PC0]] : {{.*}}%[[PC1]] : {{.*}}, %[[PW1]] : {{.*}}%[[PC2]] : {{.*}}, %[[PW2]] :
// CHECK-NOT: gpu.launch_func
// CHECK-NOT: pit.tiled
// CHECK: llvm.func @three_contraction_0
// What is the part's own is chosen where a tile begins: tensor maps of B, outputs, biases.
// CHECK: arith.select %{{.*}}, %arg{{.*}}, %arg{{.*}} : !llvm.ptr
// CHECK: arith.select %{{.*}}, %arg{{.*}}, %{{.*}} : !llvm.ptr
// CHECK: arith.select %{{.*}}, %arg{{.*}}, %arg{{.*}} : !llvm.ptr<1>
// CHECK: arith.select %{{.*}}, %arg{{.*}}, %{{.*}} : !llvm.ptr<1>
func.func @three(%i: !index, %a: memref<4096x768xbf16>,
    %b0: memref<768x768xbf16>, %b1: memref<768x768xbf16>, %b2: memref<768x768xbf16>,
    %w0: memref<768xf32>, %w1: memref<768xf32>, %w2: memref<768xf32>,
    %c0_: memref<4096x768xbf16>, %c1_: memref<4096x768xbf16>, %c2_: memref<4096x768xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b0, %w0 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c0_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b1, %w1 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c1_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b2, %w2 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c2_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  return
}

// -----

// The first result is read in between.
!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#vector = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @read
// CHECK-COUNT-2: gpu.launch_func
func.func @read(%i: !index, %a: memref<4096x768xbf16>, %b0: memref<768x768xbf16>, %b1: memref<768x768xbf16>,
    %w0: memref<768xf32>, %w1: memref<768xf32>, %c0_: memref<4096x768xbf16>, %c1_: memref<4096x768xbf16>, %d: memref<4096x768xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b0, %w0 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c0_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  memref.copy %c0_, %d : memref<4096x768xbf16> to memref<4096x768xbf16>
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b1, %w1 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c1_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  return
}

// -----

// The first bias changes in between.
!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#vector = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @written
// CHECK-COUNT-2: gpu.launch_func
func.func @written(%i: !index, %a: memref<4096x768xbf16>, %b0: memref<768x768xbf16>, %b1: memref<768x768xbf16>,
    %w0: memref<768xf32>, %w1: memref<768xf32>, %c0_: memref<4096x768xbf16>, %c1_: memref<4096x768xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b0, %w0 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c0_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  linalg.fill ins(%zero : f32) outs(%w0 : memref<768xf32>)
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b1, %w1 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c1_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  return
}

// -----

// The second reads what the first one writes.
!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#vector = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @chained
// CHECK-COUNT-2: gpu.launch_func
func.func @chained(%i: !index, %a: memref<4096x768xbf16>, %b0: memref<768x768xbf16>, %b1: memref<768x768xbf16>,
    %w0: memref<768xf32>, %w1: memref<768xf32>, %c0_: memref<4096x768xbf16>, %c1_: memref<4096x768xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b0, %w0 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c0_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%c0_, %b1, %w1 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c1_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  return
}

// -----

// Both write to the same buffer: the order matters.
!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#vector = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @overwritten
// CHECK-COUNT-2: gpu.launch_func
func.func @overwritten(%i: !index, %a: memref<4096x768xbf16>, %b0: memref<768x768xbf16>, %b1: memref<768x768xbf16>,
    %w0: memref<768xf32>, %w1: memref<768xf32>, %c0_: memref<4096x768xbf16>, %c1_: memref<4096x768xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b0, %w0 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c0_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b1, %w1 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c0_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  return
}

// -----

// Other rows of the same matrix.
!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#vector = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @other_rows
// CHECK-COUNT-2: gpu.launch_func
func.func @other_rows(%i: !index, %a: memref<4096x768xbf16>, %b0: memref<768x768xbf16>, %b1: memref<768x768xbf16>,
    %w0: memref<768xf32>, %w1: memref<768xf32>, %c0_: memref<4096x768xbf16>, %c1_: memref<4096x768xbf16>, %j: !index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b0, %w0 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c0_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%j : !index) ins(%a, %b1, %w1 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c1_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  return
}

// -----

// Other columns.
!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#vector = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @narrow
// CHECK-COUNT-2: gpu.launch_func
func.func @narrow(%i: !index, %a: memref<4096x768xbf16>, %b0: memref<768x768xbf16>, %b1: memref<768x768xbf16>,
    %w0: memref<768xf32>, %w1: memref<768xf32>, %c0_: memref<4096x768xbf16>, %c1_: memref<4096x768xbf16>, %e: memref<768x256xbf16>, %v: memref<256xf32>, %d: memref<4096x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b0, %w0 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c0_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %e, %v : memref<4096x768xbf16>, memref<768x256xbf16>, memref<256xf32>)
      outs(%d : memref<4096x256xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x256xbf16, #tile>, %tbias: memref<256xf32, #vector>,
       %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x256xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x256xbf16, #tile>)
      outs(%sum : memref<?x256xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x256xf32>, memref<256xf32, #vector>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x256xf32>
    pit.yield
  }
  return
}

// -----

// Views of a result may be made in between.
!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#vector = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @views
// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// CHECK-NOT: pit.tiled
func.func @views(%i: !index, %a: memref<4096x768xbf16>, %b0: memref<768x768xbf16>, %b1: memref<768x768xbf16>,
    %w0: memref<768xf32>, %w1: memref<768xf32>, %c0_: memref<4096x768xbf16>, %c1_: memref<4096x768xbf16>, %d: memref<4096x12x64xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b0, %w0 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c0_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  %view = memref.expand_shape %c0_ [[0], [1, 2]] output_shape [4096, 12, 64]
    : memref<4096x768xbf16> into memref<4096x12x64xbf16>
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: -1>, array<i64: 0>],
                           packed = array<i1: true, false, false, true>}
      over(%i : !index) ins(%a, %b1, %w1 : memref<4096x768xbf16>, memref<768x768xbf16>, memref<768xf32>)
      outs(%c1_ : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tbias: memref<768xf32, #vector>,
       %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>)
      outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %tbias : memref<?x768xf32>, memref<768xf32, #vector>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %s = arith.addf %x, %w : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  memref.copy %view, %d : memref<4096x12x64xbf16> to memref<4096x12x64xbf16>
  return
}

// -----

// The rows that are listed change in between.
// CHECK-LABEL: func.func @lists_change(
// CHECK: gpu.launch_func
// CHECK: linalg.fill
// CHECK: gpu.launch_func
!rows = !pit.index<[4096], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
func.func @lists_change(%offsets: memref<2xi64>, %coords: memref<4096xi32>, %a: memref<4096x768xbf16>, %b0: memref<768x768xbf16>, %b1: memref<768x768xbf16>, %o0: memref<4096x768xbf16>, %o1: memref<4096x768xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  %i = pit.assemble %offsets, %coords : memref<2xi64>, memref<4096xi32> -> !index
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: false, false, true>}
      over(%i : !index) ins(%a, %b0 : memref<4096x768xbf16>, memref<768x768xbf16>) outs(%o0 : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>) outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : memref<?x768xf32>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  linalg.fill ins(%five : i32) outs(%coords : memref<4096xi32>)
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: false, false, true>}
      over(%i : !index) ins(%a, %b1 : memref<4096x768xbf16>, memref<768x768xbf16>) outs(%o1 : memref<4096x768xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x768xbf16, #tile>, %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %ta, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x768xbf16, #tile>) outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : memref<?x768xf32>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb0(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  return
}

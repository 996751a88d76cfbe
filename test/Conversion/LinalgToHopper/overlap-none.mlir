// RUN: pit-opt %s --split-input-file -convert-contractions-to-hopper | FileCheck %s

// An argument may be other memory as well, of which the first kernel does not tell.
!lists = !pit.index<[?, 40], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @arguments(
// CHECK-NOT: pit.signaled
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: pit.signaled
// CHECK-LABEL: llvm.func @arguments_contraction_0
// CHECK-NOT: llvm.fence
// CHECK-LABEL: llvm.func @arguments_contraction_1
// CHECK-NOT: acquire
func.func @arguments(%a: memref<?x264xbf16>, %b: memref<40x264x512xbf16>, %b2: memref<40x512x256xbf16>, %rows: memref<?xi32>,
                     %offsets: memref<41xi64>, %tokens: index, %hidden: memref<?x512xbf16>, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<41xi64>, memref<?xi32> -> !index
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
  return
}

// -----

// So few steps along k that who tells would keep others waiting.
!lists = !pit.index<[?, 40], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @few_steps(
// CHECK-NOT: pit.signaled
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: pit.signaled
// CHECK-LABEL: llvm.func @few_steps_contraction_0
// CHECK-NOT: llvm.fence
// CHECK-LABEL: llvm.func @few_steps_contraction_1
// CHECK-NOT: acquire
func.func @few_steps(%a: memref<?x192xbf16>, %b: memref<40x192x512xbf16>, %b2: memref<40x512x256xbf16>, %rows: memref<?xi32>,
                     %offsets: memref<41xi64>, %tokens: index, %many: index, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<41xi64>, memref<?xi32> -> !index
  %hidden = memref.alloc(%many) : memref<?x512xbf16>
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x192xbf16>, memref<40x192x512xbf16>) outs(%hidden : memref<?x512xbf16>) {
  ^bb0(%ta: memref<?x192xbf16, #tile>, %tb: memref<192x512xbf16, #tile>, %tc: memref<?x512xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x512xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x512xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x512xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x192xbf16, #tile>, memref<192x512xbf16, #tile>) outs(%sum : memref<?x512xf32>)
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
  memref.dealloc %hidden : memref<?x512xbf16>
  return
}

// -----

// What nobody scatters to is cleared between them, for which the second one waits.
!lists = !pit.index<[?, 40], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @scattered(
// CHECK-NOT: pit.signaled
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: pit.signaled
// CHECK-LABEL: llvm.func @scattered_contraction_0
// CHECK-NOT: llvm.fence
// CHECK-LABEL: llvm.func @scattered_contraction_1
// CHECK-NOT: acquire
func.func @scattered(%a: memref<?x264xbf16>, %b: memref<40x264x512xbf16>, %b2: memref<40x512x256xbf16>, %rows: memref<?xi32>,
                     %offsets: memref<41xi64>, %tokens: index, %many: index, %gate: memref<?x40xf32>, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  pit.detect_into values(%gate : memref<?x40xf32>) extents(%tokens) outs(%offsets, %rows : memref<41xi64>, memref<?xi32>)
    <kind = values, axes = [0, 1], at_most = 1> : !lists
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
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, false>}
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
  memref.dealloc %hidden : memref<?x512xbf16>
  return
}

// -----

// Something else changes the rows.
!lists = !pit.index<[?, 40], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @changed(
// CHECK-NOT: pit.signaled
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: pit.signaled
// CHECK-LABEL: llvm.func @changed_contraction_0
// CHECK-NOT: llvm.fence
// CHECK-LABEL: llvm.func @changed_contraction_1
// CHECK-NOT: acquire
func.func @changed(%a: memref<?x264xbf16>, %b: memref<40x264x512xbf16>, %b2: memref<40x512x256xbf16>, %rows: memref<?xi32>,
                   %offsets: memref<41xi64>, %tokens: index, %many: index, %c: memref<?x256xbf16>) {
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
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%hidden : memref<?x512xbf16>) {
  ^bb0(%x: bf16):
    %n = arith.negf %x : bf16
    linalg.yield %n : bf16
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
  memref.dealloc %hidden : memref<?x512xbf16>
  return
}

// -----

// The second one reads them once more, and not only as its A.
!lists = !pit.index<[?, 40], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @read_again(
// CHECK-NOT: pit.signaled
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: pit.signaled
// CHECK-LABEL: llvm.func @read_again_contraction_0
// CHECK-NOT: llvm.fence
// CHECK-LABEL: llvm.func @read_again_contraction_1
// CHECK-NOT: acquire
func.func @read_again(%a: memref<?x264xbf16>, %b: memref<40x264x512xbf16>, %b2: memref<40x512x512xbf16>, %rows: memref<?xi32>,
                      %offsets: memref<41xi64>, %tokens: index, %many: index, %c: memref<?x512xbf16>) {
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
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: true, false, true, true>}
      over(%i : !index) ins(%hidden, %b2, %hidden : memref<?x512xbf16>, memref<40x512x512xbf16>, memref<?x512xbf16>) outs(%c : memref<?x512xbf16>) {
  ^bb0(%ta: memref<?x512xbf16, #tile>, %tb: memref<512x512xbf16, #tile>, %te: memref<?x512xbf16, #tile>, %tc: memref<?x512xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x512xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x512xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x512xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x512xbf16, #tile>, memref<512x512xbf16, #tile>) outs(%sum : memref<?x512xf32>)
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %te : memref<?x512xf32>, memref<?x512xbf16, #tile>) outs(%tc : memref<?x512xbf16, #tile>) {
    ^bb1(%x: f32, %e: bf16, %o: bf16):
      %f = arith.extf %e : bf16 to f32
      %s = arith.addf %x, %f : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x512xf32>
    pit.yield
  }
  memref.dealloc %hidden : memref<?x512xbf16>
  return
}

// -----

// Someone changes where segments end: the second one would wait for rows that the first does not have.
!lists = !pit.index<[?, 40], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @other_lists(
// CHECK-NOT: pit.signaled
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: pit.signaled
// CHECK-LABEL: llvm.func @other_lists_contraction_0
// CHECK-NOT: llvm.fence
// CHECK-LABEL: llvm.func @other_lists_contraction_1
// CHECK-NOT: acquire
func.func @other_lists(%a: memref<?x264xbf16>, %b: memref<40x264x512xbf16>, %b2: memref<40x512x256xbf16>, %rows: memref<?xi32>,
                   %offsets: memref<41xi64>, %tokens: index, %many: index, %c: memref<?x256xbf16>) {
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
  %end = arith.constant 7 : i64
  linalg.fill ins(%end : i64) outs(%offsets : memref<41xi64>)
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
  memref.dealloc %hidden : memref<?x512xbf16>
  return
}

// -----

// An argument that is written may be the lists.
!lists = !pit.index<[?, 40], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @aliased_lists(
// CHECK-NOT: pit.signaled
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: pit.signaled
// CHECK-LABEL: llvm.func @aliased_lists_contraction_0
// CHECK-NOT: llvm.fence
// CHECK-LABEL: llvm.func @aliased_lists_contraction_1
// CHECK-NOT: acquire
func.func @aliased_lists(%a: memref<?x264xbf16>, %b: memref<40x264x512xbf16>, %b2: memref<40x512x256xbf16>, %rows: memref<?xi32>,
                   %offsets: memref<41xi64>, %tokens: index, %end: i64, %other: memref<41xi64>, %many: index, %c: memref<?x256xbf16>) {
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
  linalg.fill ins(%end : i64) outs(%other : memref<41xi64>)
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
  memref.dealloc %hidden : memref<?x512xbf16>
  return
}

// -----

// There are more segments than the lists' type says, and no flags for them.
!lists = !pit.index<[?, 40], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @more_segments(
// CHECK-NOT: pit.signaled
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: pit.signaled
// CHECK-LABEL: llvm.func @more_segments_contraction_0
// CHECK-NOT: llvm.fence
// CHECK-LABEL: llvm.func @more_segments_contraction_1
// CHECK-NOT: acquire
func.func @more_segments(%a: memref<?x264xbf16>, %b: memref<40x264x512xbf16>, %b2: memref<40x512x256xbf16>, %rows: memref<?xi32>,
                   %offsets: memref<100xi64>, %tokens: index, %many: index, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<100xi64>, memref<?xi32> -> !index
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
  memref.dealloc %hidden : memref<?x512xbf16>
  return
}

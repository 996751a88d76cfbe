// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// What the first product writes, behind a ReLU, is what the second one takes
// live micro-tiles of: the first sets their bits, of which there are 64 strips
// of one word, and nobody reads its output to find them.
!index = !pit.index<[2048, 1024], coordinate = 1, tile = [32, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @told(
// CHECK-NOT: pit.detect
// CHECK: %[[BITS:.*]] = memref.alloc() : memref<65xi32>
// CHECK-NEXT: linalg.fill ins(%{{.*}} : i32) outs(%[[BITS]] : memref<65xi32>)
// CHECK: %[[TOLD:.*]] = memref.reinterpret_cast %[[BITS]]
// CHECK: gpu.launch_func @{{.*}}::@told_contraction_0 {{.*}}%[[TOLD]] : memref<i32, strided<[]>>
// CHECK-NOT: pit.detect
// CHECK-NOT: memref<65xi32>
// CHECK: gpu.launch_func @{{.*}}::@told_contraction_1 {{.*}}%[[TOLD]] : memref<i32, strided<[]>>
// CHECK: memref.dealloc %[[BITS]]
// Four micro-tiles of 64 columns lie side by side in a tile; one word has them.
// CHECK: llvm.func @told_contraction_0(
// CHECK: nvvm.wgmma.mma_async
// CHECK: nvvm.redux.sync{{.*}}or
// CHECK-NOT: nvvm.redux
// CHECK: llvm.atomicrmw _or
// CHECK: nvvm.stmatrix
// CHECK: llvm.func @told_contraction_1(
// CHECK-NOT: nvvm.redux
func.func @told(%x: memref<2048x512xbf16>, %w: memref<512x1024xbf16>, %v: memref<1024x256xbf16>,
                %y: memref<2048x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %up = memref.alloc() : memref<2048x1024xf32>
  linalg.fill ins(%zero : f32) outs(%up : memref<2048x1024xf32>)
  linalg.matmul ins(%x, %w : memref<2048x512xbf16>, memref<512x1024xbf16>) outs(%up : memref<2048x1024xf32>)
  %h = memref.alloc() : memref<2048x1024xbf16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%up : memref<2048x1024xf32>) outs(%h : memref<2048x1024xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %r = arith.maximumf %s, %zero : f32
    %t = arith.truncf %r : f32 to bf16
    linalg.yield %t : bf16
  }
  %offsets = memref.alloc() : memref<65xi64>
  %coords = memref.alloc() : memref<1024xi32>
  pit.detect_into values(%h : memref<2048x1024xbf16>) outs(%offsets, %coords : memref<65xi64>, memref<1024xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> rule 3 : !index
  %from = memref.cast %offsets : memref<65xi64> to memref<?xi64>
  %at = memref.cast %coords : memref<1024xi32> to memref<?xi32>
  %i = pit.assemble %from, %at : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<2048x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<2048x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%h, %v : memref<2048x1024xbf16>, memref<1024x256xbf16>)
      outs(%sum : memref<2048x256xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<32x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x256xbf16, #tile>) outs(%tc : memref<32x256xf32, #tile>) {
    ^bb0(%p: bf16, %q: bf16, %acc: f32):
      %pf = arith.extf %p : bf16 to f32
      %qf = arith.extf %q : bf16 to f32
      %m = arith.mulf %pf, %qf : f32
      %r = arith.addf %acc, %m : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<2048x256xf32>) outs(%y : memref<2048x256xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// Someone changes some of the output before what is live is found.
!index = !pit.index<[2048, 1024], coordinate = 1, tile = [32, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @changed(
// CHECK: gpu.launch_func
// CHECK: pit.detect_bits_into
// CHECK: gpu.launch_func
// CHECK-NOT: nvvm.redux
// CHECK-LABEL: llvm.func @changed_contraction_1(
func.func @changed(%x: memref<2048x512xbf16>, %w: memref<512x1024xbf16>, %v: memref<1024x256xbf16>,
                %y: memref<2048x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : bf16
  %up = memref.alloc() : memref<2048x1024xf32>
  linalg.fill ins(%zero : f32) outs(%up : memref<2048x1024xf32>)
  linalg.matmul ins(%x, %w : memref<2048x512xbf16>, memref<512x1024xbf16>) outs(%up : memref<2048x1024xf32>)
  %h = memref.alloc() : memref<2048x1024xbf16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%up : memref<2048x1024xf32>) outs(%h : memref<2048x1024xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %r = arith.maximumf %s, %zero : f32
    %t = arith.truncf %r : f32 to bf16
    linalg.yield %t : bf16
  }
  %part = memref.subview %h[0, 0] [32, 64] [1, 1] : memref<2048x1024xbf16> to memref<32x64xbf16, strided<[1024, 1]>>
  linalg.fill ins(%one : bf16) outs(%part : memref<32x64xbf16, strided<[1024, 1]>>)
  %offsets = memref.alloc() : memref<65xi64>
  %coords = memref.alloc() : memref<1024xi32>
  pit.detect_into values(%h : memref<2048x1024xbf16>) outs(%offsets, %coords : memref<65xi64>, memref<1024xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> rule 3 : !index
  %from = memref.cast %offsets : memref<65xi64> to memref<?xi64>
  %at = memref.cast %coords : memref<1024xi32> to memref<?xi32>
  %i = pit.assemble %from, %at : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<2048x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<2048x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%h, %v : memref<2048x1024xbf16>, memref<1024x256xbf16>)
      outs(%sum : memref<2048x256xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<32x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x256xbf16, #tile>) outs(%tc : memref<32x256xf32, #tile>) {
    ^bb0(%p: bf16, %q: bf16, %acc: f32):
      %pf = arith.extf %p : bf16 to f32
      %qf = arith.extf %q : bf16 to f32
      %m = arith.mulf %pf, %qf : f32
      %r = arith.addf %acc, %m : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<2048x256xf32>) outs(%y : memref<2048x256xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// What is stored at a time has columns of two micro-tiles.
!index = !pit.index<[2048, 1024], coordinate = 1, tile = [32, 32], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @narrow(
// CHECK: gpu.launch_func
// CHECK: pit.detect_bits_into
// CHECK: gpu.launch_func
// CHECK-NOT: nvvm.redux
// CHECK-LABEL: llvm.func @narrow_contraction_1(
func.func @narrow(%x: memref<2048x512xbf16>, %w: memref<512x1024xbf16>, %v: memref<1024x256xbf16>,
                %y: memref<2048x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %up = memref.alloc() : memref<2048x1024xf32>
  linalg.fill ins(%zero : f32) outs(%up : memref<2048x1024xf32>)
  linalg.matmul ins(%x, %w : memref<2048x512xbf16>, memref<512x1024xbf16>) outs(%up : memref<2048x1024xf32>)
  %h = memref.alloc() : memref<2048x1024xbf16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%up : memref<2048x1024xf32>) outs(%h : memref<2048x1024xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %r = arith.maximumf %s, %zero : f32
    %t = arith.truncf %r : f32 to bf16
    linalg.yield %t : bf16
  }
  %offsets = memref.alloc() : memref<65xi64>
  %coords = memref.alloc() : memref<2048xi32>
  pit.detect_into values(%h : memref<2048x1024xbf16>) outs(%offsets, %coords : memref<65xi64>, memref<2048xi32>)
    <kind = values, axes = [0, 1], tile = [32, 32]> rule 3 : !index
  %from = memref.cast %offsets : memref<65xi64> to memref<?xi64>
  %at = memref.cast %coords : memref<2048xi32> to memref<?xi32>
  %i = pit.assemble %from, %at : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<2048x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<2048x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%h, %v : memref<2048x1024xbf16>, memref<1024x256xbf16>)
      outs(%sum : memref<2048x256xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<32x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x256xbf16, #tile>) outs(%tc : memref<32x256xf32, #tile>) {
    ^bb0(%p: bf16, %q: bf16, %acc: f32):
      %pf = arith.extf %p : bf16 to f32
      %qf = arith.extf %q : bf16 to f32
      %m = arith.mulf %pf, %qf : f32
      %r = arith.addf %acc, %m : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<2048x256xf32>) outs(%y : memref<2048x256xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// An argument may be other memory as well.
!index = !pit.index<[2048, 1024], coordinate = 1, tile = [32, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @argument(
// CHECK: gpu.launch_func
// CHECK: pit.detect_bits_into
// CHECK: gpu.launch_func
// CHECK-NOT: nvvm.redux
// CHECK-LABEL: llvm.func @argument_contraction_1(
func.func @argument(%h: memref<2048x1024xbf16>, %x: memref<2048x512xbf16>, %w: memref<512x1024xbf16>, %v: memref<1024x256xbf16>,
                %y: memref<2048x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %up = memref.alloc() : memref<2048x1024xf32>
  linalg.fill ins(%zero : f32) outs(%up : memref<2048x1024xf32>)
  linalg.matmul ins(%x, %w : memref<2048x512xbf16>, memref<512x1024xbf16>) outs(%up : memref<2048x1024xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%up : memref<2048x1024xf32>) outs(%h : memref<2048x1024xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %r = arith.maximumf %s, %zero : f32
    %t = arith.truncf %r : f32 to bf16
    linalg.yield %t : bf16
  }
  %offsets = memref.alloc() : memref<65xi64>
  %coords = memref.alloc() : memref<1024xi32>
  pit.detect_into values(%h : memref<2048x1024xbf16>) outs(%offsets, %coords : memref<65xi64>, memref<1024xi32>)
    <kind = values, axes = [0, 1], tile = [32, 64]> rule 3 : !index
  %from = memref.cast %offsets : memref<65xi64> to memref<?xi64>
  %at = memref.cast %coords : memref<1024xi32> to memref<?xi32>
  %i = pit.assemble %from, %at : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<2048x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<2048x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%h, %v : memref<2048x1024xbf16>, memref<1024x256xbf16>)
      outs(%sum : memref<2048x256xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<32x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x256xbf16, #tile>) outs(%tc : memref<32x256xf32, #tile>) {
    ^bb0(%p: bf16, %q: bf16, %acc: f32):
      %pf = arith.extf %p : bf16 to f32
      %qf = arith.extf %q : bf16 to f32
      %m = arith.mulf %pf, %qf : f32
      %r = arith.addf %acc, %m : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<2048x256xf32>) outs(%y : memref<2048x256xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

// What is live is asked of the transposed output.
!index = !pit.index<[2048, 2048], coordinate = 1, tile = [32, 64], width = 32>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @turned(
// CHECK: gpu.launch_func
// CHECK: pit.detect_bits_into
// CHECK: gpu.launch_func
// CHECK-NOT: nvvm.redux
// CHECK-LABEL: llvm.func @turned_contraction_1(
func.func @turned(%x: memref<2048x512xbf16>, %w: memref<512x2048xbf16>, %v: memref<2048x256xbf16>,
                %y: memref<2048x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %up = memref.alloc() : memref<2048x2048xf32>
  linalg.fill ins(%zero : f32) outs(%up : memref<2048x2048xf32>)
  linalg.matmul ins(%x, %w : memref<2048x512xbf16>, memref<512x2048xbf16>) outs(%up : memref<2048x2048xf32>)
  %h = memref.alloc() : memref<2048x2048xbf16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%up : memref<2048x2048xf32>) outs(%h : memref<2048x2048xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %r = arith.maximumf %s, %zero : f32
    %t = arith.truncf %r : f32 to bf16
    linalg.yield %t : bf16
  }
  %offsets = memref.alloc() : memref<65xi64>
  %coords = memref.alloc() : memref<2048xi32>
  pit.detect_into values(%h : memref<2048x2048xbf16>) outs(%offsets, %coords : memref<65xi64>, memref<2048xi32>)
    <kind = values, axes = [1, 0], tile = [32, 64]> rule 3 : !index
  %from = memref.cast %offsets : memref<65xi64> to memref<?xi64>
  %at = memref.cast %coords : memref<2048xi32> to memref<?xi32>
  %i = pit.assemble %from, %at : memref<?xi64>, memref<?xi32> -> !pit.index_buffer<!index>
  %sum = memref.alloc() : memref<2048x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<2048x256xf32>)
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !pit.index_buffer<!index>) ins(%h, %v : memref<2048x2048xbf16>, memref<2048x256xbf16>)
      outs(%sum : memref<2048x256xf32>) {
  ^bb0(%ta: memref<32x?xbf16, #tile>, %tb: memref<?x256xbf16, #tile>, %tc: memref<32x256xf32, #tile>):
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<32x?xbf16, #tile>, memref<?x256xbf16, #tile>) outs(%tc : memref<32x256xf32, #tile>) {
    ^bb0(%p: bf16, %q: bf16, %acc: f32):
      %pf = arith.extf %p : bf16 to f32
      %qf = arith.extf %q : bf16 to f32
      %m = arith.mulf %pf, %qf : f32
      %r = arith.addf %acc, %m : f32
      linalg.yield %r : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<2048x256xf32>) outs(%y : memref<2048x256xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}


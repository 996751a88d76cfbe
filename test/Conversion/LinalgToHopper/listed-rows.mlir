// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s
// Who gathers needs a warpgroup for that.
// RUN: pit-opt %s -convert-contractions-to-hopper="specialise=false" -canonicalize -cse -split-input-file | FileCheck %s

// Rows of A that a list names, multiplied, go to the same rows of C.
!rows = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @listed(
// CHECK-SAME: %[[A:.*]]: memref<?x72xbf16>, %[[B:.*]]: memref<72x256xbf16>, %[[ROWS:.*]]: memref<?xi32>, %[[OFFSETS:.*]]: memref<2xi64>, %[[C:.*]]: memref<?x256xbf16>)
// CHECK-NOT: pit.
// CHECK: memref.dim %[[ROWS]]
// CHECK: %[[PA:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [], strides: []
// CHECK: %[[MAPB:.*]] = nvgpu.tma.create.descriptor
// CHECK: %[[PC:.*]] = memref.reinterpret_cast %[[C]] to offset: [0], sizes: [], strides: []
// CHECK: %[[PROWS:.*]] = memref.reinterpret_cast %[[ROWS]] to offset: [0], sizes: [], strides: []
// CHECK: %[[PCOUNT:.*]] = memref.reinterpret_cast %[[OFFSETS]] to offset: [1], sizes: [], strides: []
// CHECK: gpu.launch_func {{.*}} args(%[[PA]] : {{.*}}, %[[MAPB]] : {{.*}}, %[[PC]] : {{.*}}, %[[PROWS]] : {{.*}}, %[[PCOUNT]] : memref<i64, strided<[], offset: 1>>
// The number of rows is read on the device.
// CHECK: llvm.func @listed_contraction_0
// CHECK: llvm.load {{.*}} -> i64
// The whole warpgroup copies, and one barrier counts both operands, which lies behind those of empty stages.
// CHECK: llvm.getelementptr {{.*}}{{\[}}[[#FULL:]]{{\]}}
// CHECK-NEXT: nvvm.mbarrier.init %{{.*}}, %c129_i32
// CHECK-NEXT: llvm.getelementptr {{.*}}{{\[}}[[#FULL-32]]{{\]}}
// CHECK-NEXT: nvvm.mbarrier.init %{{.*}}, %c2_i32
// CHECK: nvvm.setmaxregister decrease 56
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK-COUNT-8: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.mbarrier.arrive {{.*}} {noinc = true}
// CHECK: nvvm.setmaxregister increase 224
// CHECK: nvvm.fence.proxy
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

// Packed rows come by the copy engine; only the output is scattered. The index
// may come from anywhere.
!rows = !pit.index<[?], coordinate = 0, tile = [1], width = 64>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>

// CHECK-LABEL: func.func @packed
// CHECK-DAG: pit.offsets
// CHECK-DAG: pit.coords
// CHECK-COUNT-2: nvgpu.tma.create.descriptor
// CHECK: gpu.launch_func
// CHECK: nvvm.setmaxregister decrease 40
// CHECK-NOT: nvvm.cp.async.shared.global
// CHECK: llvm.load {{.*}} !llvm.ptr<1> -> i64
func.func @packed(%i: !index, %a: memref<?x64xbf16>, %b: memref<64x256xbf16>, %c: memref<?x256xf32>) {
  %zero = arith.constant 0.0 : f32
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>], packed = array<i1: true, false, false>}
      over(%i : !index) ins(%a, %b : memref<?x64xbf16>, memref<64x256xbf16>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x256xbf16, #tile>)
      outs(%tc : memref<?x256xf32, #tile>)
    pit.yield
  }
  return
}

// -----

// Left alone: the region does more than a product.
!rows = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
!index = !pit.index_buffer<!rows>
#tile = strided<[?, ?], offset: ?>

// CHECK-LABEL: func.func @more
// CHECK-NOT: gpu.launch_func
// CHECK: pit.tiled
func.func @more(%i: !index, %a: memref<?x64xbf16>, %b: memref<64x256xbf16>, %c: memref<?x256xf32>,
                %d: memref<256x?xf32>) {
  %zero = arith.constant 0.0 : f32
  pit.tiled flat tile 128 {dims = [array<i64: 0>, array<i64: -1>, array<i64: 0>, array<i64: 1>],
                           packed = array<i1: false, false, false, false>}
      over(%i : !index) ins(%a, %b : memref<?x64xbf16>, memref<64x256xbf16>)
      outs(%c, %d : memref<?x256xf32>, memref<256x?xf32>) {
  ^bb0(%ta: memref<?x64xbf16, #tile>, %tb: memref<64x256xbf16, #tile>, %tc: memref<?x256xf32, #tile>,
       %td: memref<256x?xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x64xbf16, #tile>, memref<64x256xbf16, #tile>)
      outs(%tc : memref<?x256xf32, #tile>)
    linalg.transpose ins(%tc : memref<?x256xf32, #tile>) outs(%td : memref<256x?xf32, #tile>) permutation = [1, 0]
    pit.yield
  }
  return
}

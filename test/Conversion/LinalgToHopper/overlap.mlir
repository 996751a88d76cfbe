// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse | FileCheck %s

// The second product's A are the rows that the first one writes: it waits for those of a tile's segment alone, which the first one counts.
!lists = !pit.index<[?, 40], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @experts(
// CHECK: %[[HIDDEN:.*]] = memref.alloc({{.*}}) : memref<?x768xbf16>
// CHECK: %[[FLAGS:.*]] = memref.alloc() : memref<32xi32>
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[FLAGS]]
// Its rows as boxes and one by one, and the flags.
// CHECK: %[[BOXES:.*]] = pit.signaled %{{.*}} : !nvgpu.tensormap.descriptor
// CHECK: %[[ROWS:.*]] = pit.signaled %{{.*}} : memref<bf16, strided<[]>>
// CHECK: %[[TOLD:.*]] = pit.signaled %{{.*}} : memref<i32, strided<[]>>
// CHECK-NEXT: gpu.launch_func
// CHECK-SAME: %[[BOXES]] : !nvgpu
// CHECK-SAME: %[[ROWS]] : memref<bf16
// CHECK-SAME: %[[TOLD]] : memref<i32
// CHECK-NOT: dealloc %[[FLAGS]]
// CHECK-NOT: memref<32xi32>)
// CHECK: %[[A:.*]] = pit.signaled %{{.*}} : !nvgpu.tensormap.descriptor
// CHECK-NEXT: gpu.launch_func
// CHECK-SAME: args(%[[A]] : !nvgpu
// CHECK-SAME: %[[TOLD]] : memref<i32
// CHECK: memref.dealloc %[[FLAGS]]

// CHECK-LABEL: llvm.func @experts_contraction_0
// CHECK-SAME: %[[FLAGS:arg7]]: !llvm.ptr<1>
// Of the warps that load, one tells: what others stored before the barrier comes before the count, and of 40 segments, two share one of 30 flags; behind those are the counters from which the kernels draw their tiles.
// CHECK: nvvm.setmaxregister decrease
// CHECK: arith.divui %{{.*}}, %c2_i32
// CHECK: nvvm.mbarrier.try_wait
// CHECK: llvm.fence syncscope("device") release
// CHECK: llvm.getelementptr %[[FLAGS]]
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("device") monotonic
// Those that multiply say, between a tile's products and what writes them, that stores of the tile before are done.
// CHECK: nvvm.setmaxregister increase
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.cp.async.bulk.wait_group 0
// CHECK: nvvm.mbarrier.arrive
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta

// CHECK-LABEL: llvm.func @experts_contraction_1
// CHECK-SAME: %[[FLAGS:arg6]]: !llvm.ptr<1>
// CHECK: nvvm.setmaxregister decrease
// Each of the three tiles along n is signaled.
// CHECK: %[[TOLD:.*]] = arith.muli %{{.*}}, %c3_i32 : i32
// CHECK: %[[FLAG:.*]] = llvm.getelementptr %[[FLAGS]]
// CHECK: scf.while
// CHECK: %[[WORD:.*]] = llvm.load %[[FLAG]] atomic syncscope("device") acquire
// CHECK: arith.cmpi slt, %[[WORD]], %[[TOLD]]
// The copy engine reads what others wrote.
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
func.func @experts(%a: memref<?x264xbf16>, %b: memref<40x264x768xbf16>, %b2: memref<40x768x256xbf16>, %rows: memref<?xi32>,
                   %offsets: memref<41xi64>, %tokens: index, %many: index, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<41xi64>, memref<?xi32> -> !index
  %hidden = memref.alloc(%many) : memref<?x768xbf16>
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x264xbf16>, memref<40x264x768xbf16>) outs(%hidden : memref<?x768xbf16>) {
  ^bb0(%ta: memref<?x264xbf16, #tile>, %tb: memref<264x768xbf16, #tile>, %tc: memref<?x768xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x768xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x768xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x768xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x264xbf16, #tile>, memref<264x768xbf16, #tile>) outs(%sum : memref<?x768xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x768xf32>) outs(%tc : memref<?x768xbf16, #tile>) {
    ^bb1(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x768xf32>
    pit.yield
  }
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, true>}
      over(%i : !index) ins(%hidden, %b2 : memref<?x768xbf16>, memref<40x768x256xbf16>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%ta: memref<?x768xbf16, #tile>, %tb: memref<768x256xbf16, #tile>, %tc: memref<?x256xbf16, #tile>):
    %m = memref.dim %tc, %c0 : memref<?x256xbf16, #tile>
    %sum = memref.alloc(%m) : memref<?x256xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
    linalg.matmul ins(%ta, %tb : memref<?x768xbf16, #tile>, memref<768x256xbf16, #tile>) outs(%sum : memref<?x256xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : memref<?x256xf32>) outs(%tc : memref<?x256xbf16, #tile>) {
    ^bb1(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
    memref.dealloc %sum : memref<?x256xf32>
    pit.yield
  }
  memref.dealloc %hidden : memref<?x768xbf16>
  return
}

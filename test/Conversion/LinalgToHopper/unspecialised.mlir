// RUN: pit-opt %s -convert-contractions-to-hopper="specialise=false" -canonicalize -cse | FileCheck %s

// Two warpgroups load for themselves: thread 0 asks for the first two steps of a tile, and in each step for the next but one.
// CHECK-LABEL: func.func @whole
// CHECK: %[[THREADS:.*]] = arith.constant 256 : index
// CHECK: gpu.launch_func
// CHECK-SAME: threads in (%[[THREADS]],
// CHECK: llvm.func @whole_contraction_0
// CHECK-SAME: nvvm.reqntid = array<i32: 256, 1, 1>
// CHECK-NOT: nvvm.setmaxregister
// CHECK-COUNT-8: nvvm.mbarrier.init
// CHECK: scf.for
// CHECK: arith.minui %{{.*}}, %c2_i32
// CHECK: scf.for
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK-COUNT-2: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: scf.if
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK: nvvm.wgmma.mma_async {{.*}} D[<f32>, <zero>]
// CHECK: scf.for
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: nvvm.wgmma.mma_async
// CHECK-NOT: nvvm.setmaxregister
func.func @whole(%a: memref<?x128xbf16>, %b: memref<128x512xbf16>, %c: memref<?x512xbf16>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x128xbf16>
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc(%m) : memref<?x512xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<?x512xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x128xbf16>, memref<128x512xbf16>) outs(%sum : memref<?x512xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  }
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<?x512xf32>) outs(%c : memref<?x512xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %sum : memref<?x512xf32>
  return
}

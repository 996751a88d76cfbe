// RUN: pit-opt %s --convert-pieces-to-gpu | FileCheck %s

// A warp looks at each word, with what the others wrote before.
// CHECK-LABEL: func.func @wait(
// CHECK: gpu.launch_func @wait_kernels::@wait_pieces_0 blocks in (%c1{{.*}}) threads in (%c32
// CHECK-NOT: pit.await_pieces
// CHECK: memref.load
// CHECK: llvm.func @wait_pieces_0(%{{.*}}: !llvm.ptr<1>)
// CHECK: llvm.load %{{.*}} atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
func.func @wait(%x: memref<6x8xf32>, %words: memref<3xi32>, %rank: index) -> f32 {
  pit.await_pieces %x arrived(%words) own(%rank) : memref<6x8xf32>, memref<3xi32>
  %e = memref.load %x[%rank, %rank] : memref<6x8xf32>
  return %e : f32
}

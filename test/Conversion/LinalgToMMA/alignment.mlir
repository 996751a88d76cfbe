// RUN: pit-opt %s -convert-contractions-to-mma -canonicalize -cse -split-input-file | FileCheck %s

// Rows of 120 bytes are copied 8 bytes at a time, rows of 500 bytes 4 at a
// time. Columns are stored in pairs.
// CHECK-LABEL: func.func @pieces
// CHECK: gpu.launch_func
// CHECK-NOT: cache = cg
// CHECK-COUNT-4: nvvm.cp.async.shared.global {{.*}}, 8, cache = ca
// CHECK-COUNT-16: nvvm.cp.async.shared.global {{.*}}, 4, cache = ca
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.mma.sync
// CHECK: llvm.store {{.*}} {alignment = 8 : i64} : i64, !llvm.ptr<1>
// CHECK-NOT: vector<4xi32>, !llvm.ptr<1>
func.func @pieces(%a: memref<128x60xbf16>, %b: memref<60x250xbf16>, %c: memref<128x250xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x250xf32>)
  linalg.matmul ins(%a, %b : memref<128x60xbf16>, memref<60x250xbf16>) outs(%c : memref<128x250xf32>)
  return
}

// -----

// One odd stride is enough to load one by one; the other operand is copied.
// CHECK-LABEL: func.func @elements
// CHECK: gpu.launch_func
// CHECK: scf.if {{.*}} -> (i16)
// CHECK-NEXT: llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK: llvm.store {{.*}} : vector<8xi16>, !llvm.ptr<3>
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK: nvvm.mma.sync
// CHECK: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<1>
func.func @elements(%a: memref<128x61xbf16>, %b: memref<61x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x61xbf16>, memref<61x256xbf16>) outs(%c : memref<128x256xf32>)
  return
}

// RUN: pit-opt %s -convert-contractions-to-mma="f32-products=tf32x3" -canonicalize -cse -split-input-file | FileCheck %s
// RUN: pit-opt %s -convert-contractions-to-mma="f32-products=tf32" -canonicalize -cse -split-input-file | FileCheck %s --check-prefix=TF32
// RUN: pit-opt %s -convert-contractions-to-mma -split-input-file | FileCheck %s --check-prefix=SIMT

// Split into two tf32 each: of both steps of a stage, the three products of 4 x
// 4 fragments are added up from zero, and then added to the sums.
// CHECK-LABEL: func.func @matmul
// CHECK-DAG: %[[STAGES:.*]] = arith.constant 65536 : i32
// CHECK-NOT: linalg
// CHECK: gpu.launch_func {{.*}} dynamic_shared_memory_size %[[STAGES]]
// CHECK: llvm.func @matmul_contraction_0
// Where there are few large tiles, small ones take their place.
// CHECK: } else {
// CHECK-COUNT-4: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: scf.for
// The copies of a later stage are under way before this one is read: rows of A
// along k as tiles, columns of B word by word.
// CHECK-COUNT-4: nvvm.cp.async.shared.global
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-COUNT-4: nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<row>
// CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: %[[ROUNDED:.*]] = arith.addi %[[WORD:.*]], %c4096_i32
// CHECK: %[[HIGH:.*]] = arith.andi %[[ROUNDED]], %c-8192_i32
// CHECK-DAG: %[[F:.*]] = llvm.bitcast %[[WORD]] : i32 to f32
// CHECK-DAG: %[[FHIGH:.*]] = llvm.bitcast %[[HIGH]] : i32 to f32
// CHECK: arith.subf %[[F]], %[[FHIGH]] : f32
// CHECK: nvvm.mma.sync {{.*}}C[%[[ZERO:.*]], %[[ZERO]], %[[ZERO]], %[[ZERO]]] {{.*}} multiplicandAPtxType = #nvvm.mma_type<tf32>, {{.*}} shape = #nvvm.shape<m = 16, n = 8, k = 8>
// CHECK-COUNT-23: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK-COUNT-16: arith.addf
// CHECK-NOT: arith.addf
// CHECK-COUNT-24: nvvm.mma.sync
// CHECK-COUNT-16: arith.addf
// CHECK-COUNT-24: nvvm.mma.sync
// CHECK-COUNT-16: arith.addf
// CHECK-COUNT-24: nvvm.mma.sync
// CHECK-COUNT-16: arith.addf
// CHECK-NOT: nvvm.mma.sync
// Only then is the next one waited for, by all.
// CHECK: nvvm.cp.async.wait.group 2
// CHECK-NEXT: nvvm.barrier
// CHECK: scf.yield

// TF32-LABEL: func.func @matmul
// TF32: arith.constant 98304 : i32
// TF32: llvm.func @matmul_contraction_0
// TF32: } else {
// TF32: scf.for
// TF32: scf.for
// TF32-COUNT-32: nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
// TF32-COUNT-32: nvvm.mma.sync {{.*}} multiplicandAPtxType = #nvvm.mma_type<tf32>
// TF32-NOT: nvvm.mma.sync
// TF32-COUNT-32: nvvm.convert.float.to.tf32
// TF32-COUNT-32: nvvm.mma.sync

// By threads: in a stage, four steps of 4 k. A thread reads them of eight rows of A along k, and of two pieces of four
// columns of B, and multiplies them one after the other, 8 x 8 sums at a time.
// SIMT-LABEL: func.func @matmul
// SIMT-NOT: linalg
// SIMT: gpu.launch_func
// SIMT: llvm.func @matmul_contraction_0({{.*}}) attributes {{.*}}nvvm.minctasm = 2 : i32, nvvm.reqntid = array<i32: 128, 1, 1>
// SIMT: } else {
// SIMT: scf.for
// SIMT: scf.for
// SIMT-COUNT-16: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// SIMT-NOT: llvm.load
// SIMT-COUNT-256: llvm.intr.fma
// SIMT-NOT: llvm.intr.fma
// SIMT-COUNT-16: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// SIMT-COUNT-256: llvm.intr.fma
// SIMT-COUNT-16: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// SIMT-COUNT-256: llvm.intr.fma
// SIMT-COUNT-16: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// SIMT-COUNT-256: llvm.intr.fma
// SIMT-NOT: llvm.intr.fma
// SIMT: nvvm.cp.async.wait.group 2
func.func @matmul(%a: memref<?x128xf32>, %b: memref<128x512xf32>, %c: memref<?x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x512xf32>)
  linalg.matmul ins(%a, %b : memref<?x128xf32>, memref<128x512xf32>) outs(%c : memref<?x512xf32>)
  return
}

// -----

// Few tiles are small ones. Rows of 300 bytes are copied in pieces of 4, A
// word by word, and columns of B, which are rows in memory, as tiles.
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @few
// CHECK-DAG: %[[TILES:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[THREADS:.*]] = arith.constant 128 : index
// CHECK: gpu.launch_func {{.*}} blocks in (%[[TILES]], {{.*}} threads in (%[[THREADS]],
// CHECK: llvm.func @few_contraction_0
// CHECK-COUNT-16: nvvm.cp.async.shared.global {{.*}}, 4, cache = ca
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<row>
// CHECK: nvvm.mma.sync
func.func @few(%a: memref<75x100xf32>, %b: memref<75x75xf32>, %c: memref<100x75xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<100x75xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<75x100xf32>, memref<75x75xf32>) outs(%c : memref<100x75xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Where there are tiles enough, a thread has 8 x 16 sums. A, whose rows lie along k, is transposed while it is copied,
// 4 bytes at a time; of both operands neighbours are read at once then.
// SIMT-LABEL: func.func @wide
// SIMT: llvm.func @wide_contraction_0({{.*}}) attributes {{.*}}nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 256, 1, 1>
// SIMT: scf.for
// SIMT: scf.for
// SIMT-COUNT-16: llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xi32>
// SIMT-COUNT-16: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// SIMT-COUNT-512: llvm.intr.fma
// SIMT-NOT: llvm.intr.fma
// SIMT: llvm.load
func.func @wide(%a: memref<4096x128xf32>, %b: memref<128x1024xf32>, %c: memref<4096x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4096x1024xf32>)
  linalg.matmul ins(%a, %b : memref<4096x128xf32>, memref<128x1024xf32>) outs(%c : memref<4096x1024xf32>)
  return
}

// -----

// Functions of the sums are long for so many of them.
// SIMT-LABEL: func.func @functions
// SIMT: llvm.func @functions_contraction_0({{.*}}) attributes {{.*}}nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 256, 1, 1>
// SIMT: scf.for
// SIMT: scf.for
// SIMT-COUNT-256: llvm.intr.fma
// SIMT-NOT: llvm.intr.fma
// SIMT: llvm.load
func.func @functions(%a: memref<4096x128xf32>, %b: memref<128x1024xf32>, %d: memref<4096x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<4096x1024xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<4096x1024xf32>)
  linalg.matmul ins(%a, %b : memref<4096x128xf32>, memref<128x1024xf32>) outs(%c : memref<4096x1024xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<4096x1024xf32>) outs(%d : memref<4096x1024xf32>) {
  ^bb0(%s: f32, %o: f32):
    %e = math.erf %s : f32
    linalg.yield %e : f32
  }
  memref.dealloc %c : memref<4096x1024xf32>
  return
}

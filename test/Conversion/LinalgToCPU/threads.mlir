// What is cut for threads, and where parts begin.
// RUN: pit-opt %s -split-input-file --convert-contractions-to-cpu=thread-work=0 --convert-linalg-to-cpu-loops=thread-work=0 | FileCheck %s
// Less work than said stays with one thread, and all of it where nothing is said.
// RUN: pit-opt %s -split-input-file --convert-contractions-to-cpu=thread-work=1000000 --convert-linalg-to-cpu-loops=thread-work=1000000 | FileCheck %s --check-prefix=ONE
// RUN: pit-opt %s -split-input-file --convert-contractions-to-cpu --convert-linalg-to-cpu-loops | FileCheck %s --check-prefix=ONE

// The outermost loops together; the innermost one is made of vectors.
// CHECK-LABEL: func @elementwise
// CHECK: %[[C20:.*]] = arith.constant 20 : index
// CHECK: pit.parallel_range %{{.*}} by 1 work
// CHECK-NEXT: ^bb0(%[[BEGIN:.*]]: index, %[[END:.*]]: index)
// CHECK: scf.for %[[N:.*]] = %[[BEGIN]] to %[[END]]
// CHECK: arith.remui %[[N]]
// CHECK: scf.for
// ONE-LABEL: func @elementwise
// ONE-NOT: pit.parallel_range
func.func @elementwise(%x: memref<16x20x30xf32>, %y: memref<16x20x30xf32>) {
  linalg.exp ins(%x : memref<16x20x30xf32>) outs(%y : memref<16x20x30xf32>)
  return
}

// -----

// Eight rows are added up side by side.
// CHECK-LABEL: func @rows
// CHECK: pit.parallel_range %{{.*}} by 8 work
// ONE-LABEL: func @rows
// ONE-NOT: pit.parallel_range
func.func @rows(%x: memref<100x30xf32>, %y: memref<100xf32>) {
  linalg.reduce ins(%x : memref<100x30xf32>) outs(%y : memref<100xf32>) dimensions = [1]
    (%in: f32, %sum: f32) { %s = arith.addf %in, %sum : f32  linalg.yield %s : f32 }
  return
}

// -----

// Squares of a transposition.
// CHECK-LABEL: func @transposed
// CHECK: pit.parallel_range %{{.*}} by 16 work
// ONE-LABEL: func @transposed
// ONE-NOT: pit.parallel_range
func.func @transposed(%x: memref<100x300xf32>, %y: memref<300x100xf32>) {
  linalg.transpose ins(%x : memref<100x300xf32>) outs(%y : memref<300x100xf32>) permutation = [1, 0]
  return
}

// -----

// No sum is cut, nor what is written by several iterations.
// CHECK-LABEL: func @whole
// CHECK-NOT: pit.parallel_range
// ONE-LABEL: func @whole
// ONE-NOT: pit.parallel_range
func.func @whole(%x: memref<100x300xf32>, %y: memref<f32>, %z: memref<300xf32>) {
  linalg.reduce ins(%x : memref<100x300xf32>) outs(%y : memref<f32>) dimensions = [0, 1]
    (%in: f32, %sum: f32) { %s = arith.addf %in, %sum : f32  linalg.yield %s : f32 }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<100x300xf32>) outs(%z : memref<300xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// Tasks of a product: rows and columns as the runtime says, each with scratch memory of its own.
// CHECK-LABEL: func @product
// CHECK-NOT: memref.alloc
// CHECK: %[[ROWS:.*]], %[[COLUMNS:.*]] = pit.task_extents
// CHECK: pit.parallel_range %{{.*}} by 1 work
// CHECK: memref.alloc
// CHECK: scf.for
// CHECK: memref.dealloc
// ONE-LABEL: func @product
// ONE: memref.alloc
// ONE-NOT: pit.parallel_range
func.func @product(%a: memref<60x70xf32>, %b: memref<70x80xf32>, %c: memref<60x80xf32>) {
  linalg.matmul ins(%a, %b : memref<60x70xf32>, memref<70x80xf32>) outs(%c : memref<60x80xf32>)
  return
}

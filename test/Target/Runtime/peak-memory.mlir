// RUN: pit-opt %s --convert-functions-to-runtime --split-input-file | FileCheck %s

// What a call asks for is what it has at once: two buffers of n, then one of them and a third.

// CHECK-LABEL: func.func @pit_sum(
// CHECK: %[[FIRST:.*]] = arith.minui
// CHECK: %[[SECOND:.*]] = arith.minui
// CHECK: %[[BOTH:.*]] = arith.addi %[[FIRST]], %[[SECOND]] : index
// CHECK: %[[PEAK:.*]] = arith.maxui %[[FIRST]], %[[BOTH]] : index
// CHECK: %[[LEFT:.*]] = arith.subi %[[BOTH]], %[[FIRST]] : index
// CHECK: %[[THIRD:.*]] = arith.minui
// CHECK: %[[NOW:.*]] = arith.addi %[[LEFT]], %[[THIRD]] : index
// CHECK: %[[MOST:.*]] = arith.maxui %[[PEAK]], %[[NOW]] : index
// CHECK: %[[BYTES:.*]] = arith.index_cast %[[MOST]] : index to i64
// CHECK: llvm.call @pit_rt_memory(%{{.*}}, %[[BYTES]])
func.func @sum(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xi8>
  memref.dealloc %a : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf64>
  memref.dealloc %b : memref<?xi8>
  memref.dealloc %c : memref<?xf64>
  return
}

// -----

// Of a branch one region runs; what a loop allocates it frees. The result lies with the caller.

// CHECK-LABEL: func.func @pit_regions(
// CHECK: %[[A:.*]] = arith.minui
// CHECK: %[[B:.*]] = arith.minui
// CHECK-NOT: arith.addi
// CHECK: %[[EITHER:.*]] = arith.maxui %[[A]], %[[B]] : index
// CHECK: llvm.call @pit_rt_memory(
func.func @regions(%n: index, %c: i1) -> memref<?xf32> {
  %r = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  } else {
    %b = memref.alloc(%n) : memref<?xf64>
    memref.dealloc %b : memref<?xf64>
  }
  return %r : memref<?xf32>
}

// -----

// What is small is there.
// CHECK-LABEL: func.func @pit_small(
// CHECK-NOT: pit_rt_memory
func.func @small(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  return
}

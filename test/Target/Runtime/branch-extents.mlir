// RUN: not pit-opt %s --convert-functions-to-runtime --split-input-file 2>&1 | FileCheck %s
// RUN: not pit-opt %s --convert-functions-to-runtime --split-input-file 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Buffers that branches and loops make have extents that follow from the arguments, where both branches give the same.

// CHECK-LABEL: func.func @pit_branches_shapes(
// CHECK-DAG: %[[M:.*]] = memref.dim %{{.*}}, %c0
// CHECK-DAG: %[[N:.*]] = memref.dim %{{.*}}, %c1
// CHECK-NOT: scf.if
// CHECK-LABEL: func.func @pit_branches(
func.func @branches(%x: memref<?x?xf32>, %c: i1) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %c -> memref<?x?xf32> {
    %m = memref.dim %x, %c0 : memref<?x?xf32>
    %n = memref.dim %x, %c1 : memref<?x?xf32>
    %a = memref.alloc(%m, %n) : memref<?x?xf32>
    memref.copy %x, %a : memref<?x?xf32> to memref<?x?xf32>
    scf.yield %a : memref<?x?xf32>
  } else {
    %m = memref.dim %x, %c0 : memref<?x?xf32>
    %n = memref.dim %x, %c1 : memref<?x?xf32>
    %b = memref.alloc(%m, %n) : memref<?x?xf32>
    scf.yield %b : memref<?x?xf32>
  }
  return %r : memref<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @pit_chosen_shapes(
// CHECK-NOT: arith.select
// CHECK-LABEL: func.func @pit_chosen(
func.func @chosen(%n: index, %c: i1) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %r = arith.select %c, %a, %b : memref<?xf32>
  return %r : memref<?xf32>
}

// -----

// No iteration changes the extent, so it is that of what comes in.
// CHECK-LABEL: func.func @pit_carried_shapes(
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @pit_carried(
func.func @carried(%n: index, %k: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%t = %a) -> memref<?xf32> {
    %d = memref.dim %t, %c0 : memref<?xf32>
    %b = memref.alloc(%d) : memref<?xf32>
    memref.copy %t, %b : memref<?xf32> to memref<?xf32>
    memref.dealloc %t : memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// -----

// UNKNOWN: 'func.func' op returns result #0 with extents that are not known
func.func @other(%x: memref<?xf32>, %y: memref<?xf32>, %c: i1) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> memref<?xf32> {
    %m = memref.dim %x, %c0 : memref<?xf32>
    %a = memref.alloc(%m) : memref<?xf32>
    scf.yield %a : memref<?xf32>
  } else {
    %m = memref.dim %y, %c0 : memref<?xf32>
    %b = memref.alloc(%m) : memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// -----

// UNKNOWN: 'func.func' op returns result #0 with extents that are not known
func.func @grows(%n: index, %k: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%t = %a) -> memref<?xf32> {
    %d = memref.dim %t, %c0 : memref<?xf32>
    %e = arith.addi %d, %c1 : index
    %b = memref.alloc(%e) : memref<?xf32>
    memref.dealloc %t : memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// What a buffer in a kernel needs at most, where its size is an affine expression of numbers of which each is bounded.
// RUN: pit-opt %s -split-input-file -convert-linalg-to-gpu -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @grows(
// CHECK: %[[MOST:.*]] = arith.constant 9 : index
// CHECK: arith.muli
// CHECK: arith.floordivsi
// CHECK: arith.addi
// CHECK: %[[ALL:.*]] = arith.addi
// CHECK: memref.alloc(%[[ALL]]) : memref<?xf32>
// CHECK: gpu.launch
// CHECK-NOT: memref.alloc
func.func @grows(%n: memref<1xindex>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.dim %x, %c0 : memref<?xf32>
  %count = memref.load %n[%c0] : memref<1xindex>
  %few = arith.minsi %count, %c9 : index
  scf.for %i = %c0 to %count step %c1 {
    %size = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 4 + 3)>(%few)[%rows]
    %tile = memref.alloc(%size) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%tile : memref<?xf32>)
    memref.dealloc %tile : memref<?xf32>
  }
  return
}

// -----

// Where one operand makes it smaller, the least of that one is not known.
func.func @shrinks(%n: memref<1xindex>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.dim %x, %c0 : memref<?xf32>
  %count = memref.load %n[%c0] : memref<1xindex>
  %few = arith.minsi %count, %c9 : index
  scf.for %i = %c0 to %count step %c1 {
    // expected-note @+1 {{the size is computed here}}
    %size = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%few)[%rows]
    // expected-error @+1 {{needs a buffer in a kernel, of a size that the host can bound}}
    %tile = memref.alloc(%size) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%tile : memref<?xf32>)
    memref.dealloc %tile : memref<?xf32>
  }
  return
}

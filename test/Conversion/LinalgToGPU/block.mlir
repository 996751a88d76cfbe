// RUN: pit-opt %s -convert-linalg-to-gpu | FileCheck %s

func.func private @pit_rt_overflow(i64, i64, i64)

// What is read decides how far the loop goes: one kernel of one block. The buffer of the loop moves to the host with
// its bound; the error goes to the status buffer.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: memref<4xi64> {pit.status}
// CHECK-NOT: memref.load
// CHECK: %[[BOUND:.*]] = arith.constant 64 : index
// CHECK: memref.alloc(%[[BOUND]]) : memref<?xf32>
// CHECK: gpu.launch
// CHECK-SAME: workgroup
// CHECK: memref.load
// CHECK: scf.if
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK-NOT: memref.alloc
// CHECK: gpu.terminator
// CHECK-NOT: memref.load
// CHECK: memref.dealloc
func.func @packed(%n: memref<1xindex>, %x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rule = arith.constant 7 : i64
  %count = memref.load %n[%c0] : memref<1xindex>
  %last = scf.for %i = %c0 to %count step %c1 iter_args(%k = %c0) -> (index) {
    memref.store %k, %n[%c0] : memref<1xindex>
    %next = arith.addi %k, %i : index
    scf.yield %next : index
  }
  %many = arith.cmpi ugt, %last, %c64 : index
  scf.if %many {
    func.call @pit_rt_overflow(%rule, %rule, %rule) : (i64, i64, i64) -> ()
  }
  scf.for %i = %c0 to %last step %c64 {
    %left = arith.subi %last, %i : index
    %size = arith.minui %left, %c64 : index
    %tile = memref.alloc(%size) : memref<?xf32>
    %part = memref.subview %x[%i] [%size] [1] : memref<64xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %part, %tile : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32>
    memref.dealloc %tile : memref<?xf32>
  }
  return
}

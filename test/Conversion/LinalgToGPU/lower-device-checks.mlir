// Checks in the middle of a function are reports to the status buffer: status 1, where the message is, and both numbers.
// RUN: pit-opt %s --pit-lower-device-checks | FileCheck %s
// RUN: pit-opt %s --pit-lower-device-checks --convert-linalg-to-gpu | FileCheck %s --check-prefix=KERNEL

// Messages begin at multiples of 64 bytes, each one is there once, and ends with a zero.
// CHECK: memref.global "private" constant @main_messages : memref<192xi8> = dense<"0x
// CHECK-SAME: 7B307D206973207B317D000000
// CHECK-LABEL: func.func @main(
// CHECK: %[[TEXT:.*]] = memref.get_global @main_messages : memref<192xi8>
// CHECK: %[[ROWS:.*]] = memref.load
// CHECK: scf.for
// CHECK: %[[FAILS:.*]] = arith.xori %{{.*}}, %{{.*}} : i1
// CHECK: scf.if %[[FAILS]] {
// CHECK:   %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[TEXT]]
// CHECK:   %[[FIRST:.*]] = arith.constant 0 : index
// CHECK:   %[[PLACE:.*]] = arith.addi %[[BASE]], %[[FIRST]]
// CHECK:   %[[ADDRESS:.*]] = arith.index_cast %[[PLACE]] : index to i64
// CHECK:   call @pit_rt_refuse(%[[ADDRESS]], %{{.*}}, %{{.*}}) : (i64, i64, i64) -> ()
// CHECK: }
// CHECK: arith.constant 64 : index
// CHECK: call @pit_rt_refuse(
// CHECK: arith.constant 0 : index
// CHECK: call @pit_rt_refuse(
// CHECK-NOT: pit.check

// In a kernel, what was reported first stays.
// KERNEL-LABEL: func.func @main(
// KERNEL-SAME: memref<4xi64> {pit.status}
// KERNEL: gpu.launch
// KERNEL: %[[BEFORE:.*]] = memref.load %{{.*}}[%{{.*}}] : memref<4xi64>
// KERNEL: %[[NONE:.*]] = arith.cmpi eq, %[[BEFORE]], %c0_i64
// KERNEL: scf.if %[[NONE]] {
// KERNEL-COUNT-4: memref.store
// KERNEL-NOT: pit_rt_refuse(
// KERNEL: gpu.terminator
func.func @main(%n: memref<1xindex>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.load %n[%c0] : memref<1xindex>
  %extent = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi sle, %rows, %extent : index
  scf.for %i = %c0 to %rows step %c1 {
    pit.check %fits, "{0} is {1}"(%rows, %extent)
    pit.check %fits, "this message is longer than one of those pieces which hosts read one after the other: {0}"(%rows, %extent)
  }
  pit.check %fits, "{0} is {1}"(%rows, %extent)
  return
}

// What the host checks stays as it is, and so does a function without any.
// CHECK-LABEL: func.func private @other_checks(
// CHECK: pit.check
// CHECK-LABEL: func.func @other(
// CHECK-NOT: memref.get_global
func.func private @other_checks(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %extent = memref.dim %x, %c0 : memref<?xf32>
  %is = arith.cmpi sge, %extent, %c0 : index
  pit.check %is, "{0}, {1}"(%extent, %c0)
  return
}
func.func @other(%x: memref<?xf32>) attributes {pit.checks = @other_checks} {
  return
}

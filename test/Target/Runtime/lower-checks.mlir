// A function without a status calls the program where the checks hold, and returns nothing where they do not.
// RUN: pit-opt %s --pit-lower-checks | FileCheck %s

// CHECK: llvm.mlir.global internal constant @{{.*}}("a is {0}, b is {1}\00")
// CHECK-LABEL: func.func private @main_checked(
// CHECK: memref.alloc
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>) -> (memref<?xf32>, i64)
// CHECK: %[[NA:.*]] = memref.dim %[[A]]
// CHECK: %[[NB:.*]] = memref.dim %[[B]]
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[NA]], %[[NB]]
// CHECK: cf.cond_br %{{.*}}, ^[[MEMORY:.*]], ^[[REFUSE:.*]]
// CHECK: ^[[MEMORY]]:
// CHECK: %[[THERE:.*]] = llvm.call @pit_rt_memory(
// CHECK: cf.cond_br %{{.*}}, ^[[GO:.*]], ^[[REFUSE]]
// CHECK: ^[[GO]]:
// CHECK: %[[R:.*]]:2 = call @main_checked(%[[A]], %[[B]])
// CHECK: return %[[R]]#0, %[[R]]#1
// CHECK: ^[[REFUSE]]:
// CHECK: llvm.call @pit_rt_check(
// CHECK: memref.alloc(%c0{{.*}}) : memref<?xf32>
// CHECK: return
// CHECK-NOT: pit.check
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>) -> (memref<?xf32>, i64) attributes {pit.checks = @main_checks} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  %c7 = arith.constant 7 : i64
  return %r, %c7 : memref<?xf32>, i64
}
func.func private @main_checks(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %m = memref.dim %b, %c0 : memref<?xf32>
  %same = arith.cmpi eq, %n, %m : index
  pit.check %same, "a is {0}, b is {1}"(%n, %m)
  return
}

// A complex number that is returned where the checks fail, and a check in the middle of a loop, which is reported where it runs.
// CHECK-LABEL: func.func private @number_checked(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: %[[NONE:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: llvm.call @pit_rt_check(%[[NONE]],
// CHECK-LABEL: func.func @number(
// CHECK: complex.constant [0.000000e+00, 0.000000e+00] : complex<f64>
// CHECK-NOT: pit.check
func.func @number(%a: memref<?xcomplex<f64>>, %n: index) -> complex<f64> attributes {pit.checks = @number_checks} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?xcomplex<f64>>
  scf.for %i = %c0 to %n step %c1 {
    %fits = arith.cmpi slt, %i, %m : index
    pit.check %fits, "step {0} of {1}"(%i, %m)
  }
  %r = memref.load %a[%c0] : memref<?xcomplex<f64>>
  return %r : complex<f64>
}
func.func private @number_checks(%a: memref<?xcomplex<f64>>, %n: index) {
  %c0 = arith.constant 0 : index
  %good = arith.cmpi sge, %n, %c0 : index
  pit.check %good, "n is {0}, less than {1}"(%n, %c0)
  return
}

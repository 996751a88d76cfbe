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

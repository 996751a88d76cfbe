// RUN: pit-opt %s | pit-opt | FileCheck %s

// CHECK-LABEL: func.func @range
// CHECK: pit.parallel_range %{{.*}} by 8 work %{{.*}} {
// CHECK-NEXT: ^bb0(%[[begin:.*]]: index, %[[end:.*]]: index):
// CHECK: scf.for %{{.*}} = %[[begin]] to %[[end]]
func.func @range(%rows: index, %work: index, %x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  pit.parallel_range %rows by 8 work %work {
  ^bb0(%begin: index, %end: index):
    scf.for %i = %begin to %end step %c1 {
      memref.store %zero, %x[%i] : memref<?xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @task
// CHECK: %{{.*}}, %{{.*}} = pit.task_extents %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} by 6, 16
func.func @task(%b: index, %m: index, %n: index, %k: index) -> (index, index) {
  %rows, %columns = pit.task_extents %b, %m, %n, %k by 6, 16
  return %rows, %columns : index, index
}

// A range that computes nothing that is read is no longer there.
// RUN: pit-opt %s --canonicalize | FileCheck %s --check-prefix=CLEAN
// CLEAN-LABEL: func.func @unused
// CLEAN-NEXT: return
func.func @unused(%rows: index) {
  pit.parallel_range %rows by 1 work %rows {
  ^bb0(%begin: index, %end: index):
    %sum = arith.addi %begin, %end : index
  }
  return
}

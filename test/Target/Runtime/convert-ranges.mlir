// RUN: pit-opt %s --convert-ranges-to-runtime -split-input-file -verify-diagnostics | FileCheck %s

// What a part reads from outside is passed in memory; constants are not.
// CHECK-DAG: llvm.func @pit_rt_parallel(!llvm.ptr, !llvm.ptr, i64, i64, i64)
// CHECK-LABEL: func.func private @main_range(
// CHECK-SAME: %[[values:.*]]: !llvm.ptr, %[[first:.*]]: i64, %[[last:.*]]: i64)
// CHECK-DAG: %[[begin:.*]] = arith.index_cast %[[first]] : i64 to index
// CHECK-DAG: %[[end:.*]] = arith.index_cast %[[last]] : i64 to index
// CHECK-DAG: %[[one:.*]] = arith.constant 1 : index
// CHECK-DAG: llvm.load %{{.*}} : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-DAG: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: scf.for %{{.*}} = %[[begin]] to %[[end]] step %[[one]]
// CHECK: return
// CHECK-LABEL: func.func @main
// CHECK: %[[memory:.*]] = llvm.alloca %{{.*}} x !llvm.struct<
// CHECK: llvm.store
// CHECK: %[[function:.*]] = constant @main_range
// CHECK: %[[address:.*]] = builtin.unrealized_conversion_cast %[[function]]
// CHECK: llvm.call @pit_rt_parallel(%[[address]], %[[memory]],
// CHECK-NOT: pit.parallel_range
func.func @main(%x: memref<?xf32>, %y: f32, %n: index) {
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  pit.parallel_range %n by 16 work %c20 {
  ^bb0(%begin: index, %end: index):
    scf.for %i = %begin to %end step %c1 {
      memref.store %y, %x[%i] : memref<?xf32>
    }
  }
  return
}

// A name that is taken, and two ranges of a function.
func.func private @main_range_0(f32)

// CHECK-LABEL: func.func @extents
// CHECK: llvm.call @pit_rt_task_rows({{.*}}) : (i64, i64, i64, i64, i64, i64) -> i64
// CHECK: llvm.call @pit_rt_task_columns({{.*}}) : (i64, i64, i64, i64, i64, i64) -> i64
func.func @extents(%n: index) -> (index, index) {
  %rows, %columns = pit.task_extents %n, %n, %n, %n by 6, 16
  return %rows, %columns : index, index
}

// -----

func.func @no_type(%x: tensor<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{reads a value of type 'tensor<4xf32>' from outside, which cannot be passed to threads}}
  pit.parallel_range %n by 16 work %n {
  ^bb0(%begin: index, %end: index):
    %e = tensor.extract %x[%begin] : tensor<4xf32>
    memref.store %e, %y[%end] : memref<4xf32>
  }
  return
}

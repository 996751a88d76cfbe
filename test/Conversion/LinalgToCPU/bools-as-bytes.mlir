// RUN: pit-opt %s --pit-bools-as-bytes | FileCheck %s
// RUN: pit-opt %s --pit-bools-as-bytes | pit-opt --pit-bools-as-bytes | FileCheck %s

// Truth values in memory are bytes, of which LLVM makes vectors in loops.

// CHECK-LABEL: llvm.func @both
// CHECK:         %[[BYTE:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK:         %[[SET:.*]] = llvm.icmp "ne" %[[BYTE]], %{{.*}} : i8
// CHECK:         %[[NOT:.*]] = llvm.xor %[[SET]], %{{.*}} : i1
// CHECK:         %[[WIDE:.*]] = llvm.zext %[[NOT]] : i1 to i8
// CHECK:         llvm.store %[[WIDE]], %{{.*}} : i8, !llvm.ptr
llvm.func @both(%from: !llvm.ptr, %to: !llvm.ptr) {
  %true = llvm.mlir.constant(true) : i1
  %0 = llvm.load %from {alignment = 1 : i64} : !llvm.ptr -> i1
  %1 = llvm.xor %0, %true : i1
  llvm.store %1, %to : i1, !llvm.ptr
  llvm.return
}

// What is volatile, or no byte in memory, stays.

// CHECK-LABEL: llvm.func @others
// CHECK:         llvm.load volatile %{{.*}} : !llvm.ptr -> i1
// CHECK:         llvm.store volatile %{{.*}}, %{{.*}} : i1, !llvm.ptr
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> vector<8xi1>
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK-NOT:     llvm.icmp
llvm.func @others(%from: !llvm.ptr, %to: !llvm.ptr) -> i8 {
  %0 = llvm.load volatile %from : !llvm.ptr -> i1
  llvm.store volatile %0, %to : i1, !llvm.ptr
  %1 = llvm.load %from : !llvm.ptr -> vector<8xi1>
  llvm.store %1, %to : vector<8xi1>, !llvm.ptr
  %2 = llvm.load %from : !llvm.ptr -> i8
  llvm.return %2 : i8
}

// The whole way: no i1 is left in memory.

// RUN: pit-opt %s --pit-to-cpu | FileCheck %s --check-prefix=ALL
// ALL-LABEL: llvm.func @select_body
// ALL-NOT:     -> i1
// ALL:         llvm.load {{.*}} -> i8
// ALL-NOT:     : i1, !llvm.ptr
func.func @select_body(%m: tensor<64x64xi1>, %x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xi1>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %b = tensor.empty() : tensor<64x64xi1>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%m, %x : tensor<64x64xi1>, tensor<64x64xf32>) outs(%e, %b : tensor<64x64xf32>, tensor<64x64xi1>) {
  ^bb0(%live: i1, %v: f32, %o: f32, %p: i1):
    %1 = arith.select %live, %v, %zero : f32
    %2 = arith.cmpf olt, %v, %zero : f32
    linalg.yield %1, %2 : f32, i1
  } -> (tensor<64x64xf32>, tensor<64x64xi1>)
  return %0#0, %0#1 : tensor<64x64xf32>, tensor<64x64xi1>
}

// RUN: pit-opt %s --convert-launches-to-runtime | FileCheck %s

// A kernel that is given a view gets the address of the view's element 0.
// CHECK-LABEL: func.func @pit_run(
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %{{.*}} to offset: [1]
// CHECK: %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[VIEW]]
// CHECK: %{{.*}}, %[[OFFSET:.*]] = memref.extract_strided_metadata %[[VIEW]]
// CHECK: %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK: %[[BYTES:.*]] = arith.muli %[[OFFSET]], %[[EIGHT]] : index
// CHECK: %[[ADDRESS:.*]] = arith.addi %[[BASE]], %[[BYTES]] : index
// CHECK: %[[WORD:.*]] = arith.index_cast %[[ADDRESS]] : index to i64
// CHECK: llvm.store %[[WORD]]
// CHECK: llvm.call @pit_rt_launch
module attributes {gpu.container_module} {
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a", features = "+ptx80">, kernels = <[
    #gpu.kernel_metadata<"first", !llvm.func<void (ptr)>>]>, assembly = "the code">]
  func.func @run(%a: memref<2xi64>) {
    %c1 = arith.constant 1 : index
    %v = memref.reinterpret_cast %a to offset: [1], sizes: [], strides: [] : memref<2xi64> to memref<i64, strided<[], offset: 1>>
    gpu.launch_func @k::@first blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : memref<i64, strided<[], offset: 1>>)
    return
  }
}

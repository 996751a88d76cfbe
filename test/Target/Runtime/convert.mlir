// RUN: pit-opt %s --convert-launches-to-runtime | FileCheck %s

// The code is data with a hash; nothing runs before main.
// CHECK-NOT: llvm.mlir.global_ctors
// CHECK: llvm.mlir.global internal constant @pit_constants_0("\00\00\80?\00\00\00@"
// CHECK: llvm.mlir.global internal constant @k_code("the code\00")
// CHECK: llvm.mlir.global internal constant @k_image()
// CHECK-NOT: gpu.binary

// Extents and bytes of workspace, without a device.
// CHECK-LABEL: func.func @pit_run_shapes(
// CHECK-SAME: %[[CTX:.*]]: !llvm.ptr, %[[A:.*]]: !llvm.ptr, %[[N:.*]]: index, %[[EXTENTS:.*]]: !llvm.ptr, %[[BYTES:.*]]: !llvm.ptr) -> i32
// CHECK: llvm.call @pit_rt_begin_shapes(%[[F:.*]], %[[CTX]])
// CHECK: llvm.call @pit_rt_argument(%[[F]], %{{.*}}, %[[A]],
// CHECK: llvm.store %{{.*}}, %[[EXTENTS]]
// CHECK: llvm.store %{{.*}}, %[[BYTES]]
// CHECK: llvm.call @pit_rt_end
// CHECK-NOT: gpu.launch_func

// CHECK-LABEL: func.func @pit_run(
// CHECK-SAME: %[[CTX:.*]]: !llvm.ptr, %[[STREAM:.*]]: !llvm.ptr, %[[A:.*]]: !llvm.ptr, %[[N:.*]]: index, %[[R:.*]]: !llvm.ptr, %[[R1:.*]]: !llvm.ptr, %[[R2:.*]]: !llvm.ptr, %[[WS:.*]]: !llvm.ptr, %[[SIZE:.*]]: i64) -> i32
// CHECK: llvm.call @pit_rt_begin(%[[F:.*]], %[[CTX]], %[[STREAM]])
// CHECK: llvm.call @pit_rt_argument
// CHECK: llvm.call @pit_rt_status(%[[F]])
// CHECK: llvm.mlir.addressof @k_image
// CHECK: %[[K:.*]] = llvm.call @pit_rt_module
// CHECK: llvm.mlir.addressof @pit_constants
// CHECK: %[[C:.*]] = llvm.call @pit_rt_module
// CHECK: %[[W:.*]] = llvm.call @pit_rt_workspace(%[[F]], %[[WS]], %[[SIZE]],
// The buffer that is returned lies with the caller.
// CHECK: llvm.call @pit_rt_result(%[[F]], %{{.*}}, %[[R]],
// CHECK: llvm.getelementptr %[[W]]
// CHECK: llvm.call @pit_rt_constant(%[[F]], %[[C]],
// CHECK: llvm.call @pit_rt_launch(%[[F]], %[[K]], %[[NUMBER:.*]], %[[SIZES:.*]], %[[ARGS:.*]])
// The second kernel waits for the first itself.
// CHECK: llvm.call @pit_rt_launch_waiting(%[[F]], %[[K]], %{{.*}}, %[[SIZES]], %[[ARGS]])
// CHECK-NOT: memref.dealloc
// An argument that is returned is copied, a number stored.
// CHECK: %[[TO:.*]] = llvm.call @pit_rt_result(%[[F]], %{{.*}}, %[[R1]],
// CHECK: llvm.call @pit_rt_copy(%[[F]], %[[TO]],
// CHECK: llvm.store %{{.*}}, %[[R2]]
// CHECK: %[[STATUS:.*]] = llvm.call @pit_rt_end(%[[F]])
// CHECK: return %[[STATUS]]
module attributes {gpu.container_module} {
  memref.global "private" constant @table : memref<2xf32> = dense<[1.0, 2.0]>
  func.func private @pit_rt_overflow(i64, i64, i64)
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a", features = "+ptx80">, kernels = <[
    #gpu.kernel_metadata<"first", !llvm.func<void (ptr, i64)>>,
    #gpu.kernel_metadata<"second", !llvm.func<void (ptr, ptr, ptr)>, metadata = {pit.waits}>]>, assembly = "the code">]
  func.func @run(%a: memref<?x4xf32>, %n: index, %status: memref<4xi64> {pit.status})
      -> (memref<?xf32>, memref<?x4xf32>, index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %shared = arith.constant 65536 : i32
    %d = memref.dim %a, %c0 : memref<?x4xf32>
    %twice = arith.addi %d, %d : index
    %r = memref.alloc(%twice) : memref<?xf32>
    %w = memref.alloc(%n) : memref<?xi8>
    %t = memref.get_global @table : memref<2xf32>
    %w0, %o, %s, %st = memref.extract_strided_metadata %w : memref<?xi8> -> memref<i8>, index, index, index
    %r0, %o1, %s1, %st1 = memref.extract_strided_metadata %r : memref<?xf32> -> memref<f32>, index, index, index
    %t0, %o2, %s2, %st2 = memref.extract_strided_metadata %t : memref<2xf32> -> memref<f32>, index, index, index
    %s0, %o3, %s3, %st3 = memref.extract_strided_metadata %status : memref<4xi64> -> memref<i64>, index, index, index
    gpu.launch_func @k::@first blocks in (%d, %c1, %c1) threads in (%c32, %c1, %c1) args(%w0 : memref<i8>, %n : index)
    gpu.launch_func @k::@second blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      dynamic_shared_memory_size %shared args(%r0 : memref<f32>, %t0 : memref<f32>, %s0 : memref<i64>)
    memref.dealloc %w : memref<?xi8>
    return %r, %a, %twice : memref<?xf32>, memref<?x4xf32>, index
  }
}

// Launches that start early take as much shared memory as keeps more blocks than its share from a multiprocessor, of which an H200 has 132.
// RUN: pit-opt %s --split-input-file --pass-pipeline="builtin.module(gpu.module(pit-overlap-launches),pit-spread-blocks{chip=sm_90a},canonicalize)" | FileCheck %s
// RUN: not pit-opt %s --split-input-file --pit-spread-blocks=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not pit-opt %s --split-input-file --pit-spread-blocks="chip=sm_90a card=abacus" 2>&1 | FileCheck %s --check-prefix=CARD
// CHIP: error: {{.*}}sm_1
// CARD: error: {{.*}}abacus

module attributes {gpu.container_module} {
gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx80">] {
  llvm.mlir.global internal @static() {addr_space = 3 : i32} : !llvm.array<512 x i8>
  llvm.func @early(%x: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %v = llvm.load %x : !llvm.ptr<1> -> i32
    llvm.store %v, %x : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @with_static(%x: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %s = llvm.mlir.addressof @static : !llvm.ptr<3>
    %v = llvm.load %s : !llvm.ptr<3> -> i32
    llvm.store %v, %x : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @in_clusters(%x: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %v = llvm.load %x : !llvm.ptr<1> -> i32
    llvm.store %v, %x : i32, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: func.func @known
func.func @known(%x: memref<f32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c66 = arith.constant 66 : index
  %c67 = arith.constant 67 : index
  %c700 = arith.constant 700 : index
  %small = arith.constant 16384 : i32
  %large = arith.constant 200000 : i32
  // One block on each: a second one of half of 228 KiB has no room.
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 115840 : i32
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 76928 : i32
  // CHECK-DAG: %[[REST:.*]] = arith.constant 115328 : i32
  // CHECK-DAG: %[[SMALL:.*]] = arith.constant 16384 : i32
  // CHECK-DAG: %[[LARGE:.*]] = arith.constant 200000 : i32
  // CHECK: @early blocks in (%{{.*}}, %{{.*}}, %{{.*}}) {{.*}} dynamic_shared_memory_size %[[ONE]]
  gpu.launch_func @kernels::@early blocks in (%c66, %c2, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %small args(%x : memref<f32>)
  // CHECK: @early {{.*}} dynamic_shared_memory_size %[[TWO]]
  gpu.launch_func @kernels::@early blocks in (%c67, %c2, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %small args(%x : memref<f32>)
  // CHECK: @with_static {{.*}} dynamic_shared_memory_size %[[REST]]
  gpu.launch_func @kernels::@with_static blocks in (%c66, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %small args(%x : memref<f32>)
  // Many blocks, and those that have no room beside another one, stay.
  // CHECK: @early {{.*}} dynamic_shared_memory_size %[[SMALL]]
  gpu.launch_func @kernels::@early blocks in (%c700, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %small args(%x : memref<f32>)
  // CHECK: @early {{.*}} dynamic_shared_memory_size %[[LARGE]]
  gpu.launch_func @kernels::@early blocks in (%c66, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %large args(%x : memref<f32>)
  // CHECK: @in_clusters {{.*}} dynamic_shared_memory_size %[[SMALL]]
  gpu.launch_func @kernels::@in_clusters blocks in (%c66, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %small args(%x : memref<f32>)
  // CHECK: @early blocks
  // CHECK-NOT: dynamic_shared_memory_size
  // CHECK: return
  gpu.launch_func @kernels::@early blocks in (%c66, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>)
  return
}

// The host knows how many there are.
// CHECK-LABEL: func.func @unknown
// CHECK-SAME: (%{{.*}}: memref<f32>, %[[N:.*]]: index)
// CHECK: %[[IS_TWO:.*]] = arith.cmpi ule, %[[N]], %c264 : index
// CHECK: %[[TWO:.*]] = arith.select %[[IS_TWO]], %c76928_i32, %{{.*}} : i32
// CHECK: %[[IS_ONE:.*]] = arith.cmpi ule, %[[N]], %c132 : index
// CHECK: %[[BYTES:.*]] = arith.select %[[IS_ONE]], %c115840_i32, %[[TWO]] : i32
// CHECK: gpu.launch_func {{.*}} dynamic_shared_memory_size %[[BYTES]]
func.func @unknown(%x: memref<f32>, %n: index) {
  %c1 = arith.constant 1 : index
  %small = arith.constant 16384 : i32
  gpu.launch_func @kernels::@early blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %small args(%x : memref<f32>)
  return
}
}

// -----

// Older chips start no launch early.
module attributes {gpu.container_module} {
gpu.module @kernels [#nvvm.target<chip = "sm_80", features = "+ptx80">] {
  llvm.func @late(%x: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %v = llvm.load %x : !llvm.ptr<1> -> i32
    llvm.store %v, %x : i32, !llvm.ptr<1>
    llvm.return
  }
}
// CHECK-LABEL: func.func @older
// CHECK: %[[SMALL:.*]] = arith.constant 16384 : i32
// CHECK: gpu.launch_func {{.*}} dynamic_shared_memory_size %[[SMALL]]
func.func @older(%x: memref<f32>) {
  %c1 = arith.constant 1 : index
  %c66 = arith.constant 66 : index
  %small = arith.constant 16384 : i32
  gpu.launch_func @kernels::@late blocks in (%c66, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %small args(%x : memref<f32>)
  return
}
}

// RUN: pit-opt %s --split-input-file --pit-merge-alternatives --canonicalize --remarks-filter=pit-kernels 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @write(%to: memref<f32>) kernel {
    gpu.return
  }
  gpu.func @copy(%from: memref<f32>, %to: memref<f32>) kernel {
    gpu.return
  }
}

// Both write one result, and one of both is launched. What the alternative needs besides has one row where it does not run. A
// launch that is left out in another case is left out in both.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: memref<?x4xf32>, %[[N:.*]]: index, %[[STATUS:.*]]: memref<4xi64> {pit.status})
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK: %[[FEW:.*]] = arith.cmpi ult, %[[N]], %{{.*}}
// CHECK: %[[RESULT:.*]] = memref.alloc(%[[N]]) : memref<?x4xf32>
// CHECK: %[[ROWS:.*]] = arith.select %[[FEW]], %[[N]], %[[C1]]
// CHECK: %[[OWN:.*]] = memref.alloc(%[[ROWS]]) : memref<?x8xf32>
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[OWN]]
// CHECK: %[[BX:.*]] = arith.select %[[FEW]], %[[C3]], %[[C0]]
// CHECK: %[[BY:.*]] = arith.select %[[FEW]], %[[C1]], %[[C0]]
// CHECK: gpu.launch_func @kernels::@write blocks in (%[[BX]], %[[BY]], %[[C1]]) {{.*}} args(%[[BASE]] : memref<f32>)
// CHECK: %[[TO:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[RESULT]]
// CHECK: gpu.launch_func @kernels::@copy {{.*}} args(%[[BASE]] : memref<f32>, %[[TO]] : memref<f32>)
// CHECK: memref.dealloc %[[OWN]]
// CHECK: %[[MANY:.*]] = arith.cmpi ne, %[[N]], %[[C0]]
// CHECK: %[[TO:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[RESULT]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[MANY]]
// CHECK: %[[BY:.*]] = arith.select %[[BOTH]], %[[C1]], %[[C0]]
// CHECK: gpu.launch_func @kernels::@write blocks in (%{{.*}}, %[[BY]], %[[C1]]) {{.*}} args(%[[TO]] : memref<f32>)
// CHECK: return %[[RESULT]]
// CHECK-NOT: @main_dense
func.func @main(%x: memref<?x4xf32>, %n: index, %status: memref<4xi64> {pit.status}) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %few = arith.cmpi ult, %n, %c9 : index
  pit.alternative @main_dense if %few
  %many = arith.cmpi ne, %n, %c0 : index
  %blocks = arith.select %many, %c2, %c0 : index
  %y = arith.select %many, %c1, %c0 : index
  %r = memref.alloc(%n) : memref<?x4xf32>
  %to, %o, %s:2, %t:2 = memref.extract_strided_metadata %r : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  gpu.launch_func @kernels::@write blocks in (%blocks, %y, %c1) threads in (%c1, %c1, %c1) args(%to : memref<f32>)
  return %r : memref<?x4xf32>
}
func.func private @main_dense(%x: memref<?x4xf32>, %n: index) -> memref<?x4xf32> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc(%n) : memref<?x8xf32>
  %from, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<?x8xf32> -> memref<f32>, index, index, index, index, index
  gpu.launch_func @kernels::@write blocks in (%c3, %c1, %c1) threads in (%c1, %c1, %c1) args(%from : memref<f32>)
  %r = memref.alloc(%n) : memref<?x4xf32>
  %to, %o1, %s1:2, %t1:2 = memref.extract_strided_metadata %r : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  gpu.launch_func @kernels::@copy blocks in (%c3, %c1, %c1) threads in (%c1, %c1, %c1) args(%from : memref<f32>, %to : memref<f32>)
  memref.dealloc %a : memref<?x8xf32>
  return %r : memref<?x4xf32>
}
}

// -----

// Kernels of both are in one module, also those that have one name, which a global of the other one has.
// CHECK: gpu.module @main_kernels
// CHECK: llvm.mlir.global internal @shared() {{.*}} !llvm.array<4 x i8>
// CHECK: @main_0
// CHECK: llvm.mlir.global internal @[[SHARED:shared_[0-9]+]]() {{.*}} !llvm.array<8 x i8>
// CHECK: @main_dense_0
// CHECK: llvm.mlir.addressof @[[SHARED]]
// CHECK: llvm.mlir.addressof @dynamic :
// CHECK: llvm.call @declared(
// CHECK-NOT: gpu.module
// CHECK-LABEL: func.func @main
// CHECK: gpu.launch_func @main_kernels::@main_dense_0
// CHECK: gpu.launch_func @main_kernels::@main_0
module attributes {gpu.container_module} {
gpu.module @main_kernels {
  llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<4 x i8>
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  llvm.func @declared(!llvm.ptr<3>, !llvm.ptr<3>)
  llvm.func @main_0() attributes {gpu.kernel} {
    %0 = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %1 = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    llvm.call @declared(%0, %1) : (!llvm.ptr<3>, !llvm.ptr<3>) -> ()
    llvm.return
  }
}
gpu.module @main_dense_kernels {
  llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<8 x i8>
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  llvm.func @declared(!llvm.ptr<3>, !llvm.ptr<3>)
  llvm.func @main_dense_0() attributes {gpu.kernel} {
    %0 = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %1 = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    llvm.call @declared(%0, %1) : (!llvm.ptr<3>, !llvm.ptr<3>) -> ()
    llvm.return
  }
}
func.func @main(%c: i1) {
  %c1 = arith.constant 1 : index
  pit.alternative @main_dense if %c
  gpu.launch_func @main_kernels::@main_0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
  return
}
func.func private @main_dense(%c: i1) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @main_dense_kernels::@main_dense_0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
  return
}
}

// -----

// The alternative alone reports something.
// CHECK-LABEL: func.func @reports
// CHECK-SAME: (%[[C:.*]]: i1, %[[STATUS:.*]]: memref<4xi64> {pit.status})
// CHECK: gpu.launch_func {{.*}} args(%[[STATUS]] : memref<4xi64>)
// CHECK-NOT: @reports_dense
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @report(%to: memref<4xi64>) kernel {
    gpu.return
  }
}
func.func @reports(%c: i1) {
  pit.alternative @reports_dense if %c
  return
}
func.func private @reports_dense(%c: i1, %status: memref<4xi64> {pit.status}) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@report blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%status : memref<4xi64>)
  return
}
}

// -----

// What is no launch cannot be left out; nor can a result be written by both where one of them returns an argument.
// CHECK: gpu.module @stores_kernels
// CHECK-NOT: gpu.module
// CHECK-LABEL: func.func @stores
// CHECK-NOT: arith.select
// CHECK: return
// CHECK-NOT: @stores_dense
// REMARK: Function=stores
// REMARK-SAME: one of both does something else than to launch kernels
module attributes {gpu.container_module} {
gpu.module @stores_kernels {
  gpu.func @stores_0() kernel {
    gpu.return
  }
}
gpu.module @stores_dense_kernels {
  gpu.func @stores_dense_0() kernel {
    gpu.return
  }
}
func.func @stores(%x: memref<4xf32>, %c: i1) {
  pit.alternative @stores_dense if %c
  %c1 = arith.constant 1 : index
  gpu.launch_func @stores_kernels::@stores_0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
  return
}
func.func private @stores_dense(%x: memref<4xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch_func @stores_dense_kernels::@stores_dense_0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
  memref.store %zero, %x[%c0] : memref<4xf32>
  return
}
}

// -----

// CHECK-LABEL: func.func @returned
// CHECK: %[[R:.*]] = memref.alloc
// CHECK-NEXT: return %[[R]]
// CHECK-NOT: @returned_dense
// REMARK: Function=returned
// REMARK-SAME: the buffers of their results differ
func.func @returned(%x: memref<4xf32>, %c: i1) -> memref<4xf32> {
  pit.alternative @returned_dense if %c
  %r = memref.alloc() : memref<4xf32>
  return %r : memref<4xf32>
}
func.func private @returned_dense(%x: memref<4xf32>, %c: i1) -> memref<4xf32> {
  return %x : memref<4xf32>
}

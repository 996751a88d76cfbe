// RUN: pit-opt %s --merge-clears-into-kernels --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @counters(
// CHECK-DAG: %[[A:.*]] = memref.alloc() : memref<1xi32>
// CHECK-DAG: %[[B:.*]] = memref.alloc() : memref<4xi32>
// CHECK-NOT: linalg.fill
// CHECK: gpu.launch_func @k::@first {{.*}} args(%{{.*}} : memref<f32>, %[[ABASE:.*]] : memref<i32>, %[[BBASE:.*]] : memref<i32>)
// CHECK: gpu.launch_func @k::@second
// CHECK: llvm.func @first(%{{.*}}: !llvm.ptr<1> {llvm.noalias}, %[[PA:.*]]: !llvm.ptr<1>, %[[PB:.*]]: !llvm.ptr<1>)
// CHECK-DAG: %[[TB:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK-DAG: nvvm.read.ptx.sreg.ctaid.x
// CHECK: scf.if
// CHECK: %[[P:.*]] = llvm.getelementptr %[[PB]][%[[TB]]]
// CHECK: llvm.store %{{.*}}, %[[P]]
// CHECK: scf.if
// CHECK: llvm.getelementptr %[[PA]]
module attributes {gpu.container_module} {
  func.func @counters(%x: memref<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @k::@first blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<f32>)
    %a = memref.alloc() : memref<1xi32>
    linalg.fill ins(%c0 : i32) outs(%a : memref<1xi32>)
    %ab, %o, %s, %t = memref.extract_strided_metadata %a : memref<1xi32> -> memref<i32>, index, index, index
    gpu.launch_func @k::@second blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%ab : memref<i32>)
    %b = memref.alloc() : memref<4xi32>
    linalg.fill ins(%c0 : i32) outs(%b : memref<4xi32>)
    memref.dealloc %a : memref<1xi32>
    memref.dealloc %b : memref<4xi32>
    return
  }
  gpu.module @k {
    llvm.func @first(%x: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      llvm.return
    }
    llvm.func @second(%x: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      llvm.return
    }
  }
}

// -----

// What is not zero, large, the caller's, or used before stays; so does what comes before all launches.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-5: linalg.fill
module attributes {gpu.container_module} {
  func.func @others(%x: memref<f32>, %mine: memref<1xi32>) {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %early = memref.alloc() : memref<1xi32>
    linalg.fill ins(%c0 : i32) outs(%early : memref<1xi32>)
    %used = memref.alloc() : memref<1xi32>
    %base, %o, %s, %t = memref.extract_strided_metadata %used : memref<1xi32> -> memref<i32>, index, index, index
    gpu.launch_func @k::@first blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<f32>, %base : memref<i32>)
    linalg.fill ins(%c0 : i32) outs(%used : memref<1xi32>)
    %ones = memref.alloc() : memref<1xi32>
    linalg.fill ins(%one : i32) outs(%ones : memref<1xi32>)
    %large = memref.alloc() : memref<33xi32>
    linalg.fill ins(%c0 : i32) outs(%large : memref<33xi32>)
    linalg.fill ins(%c0 : i32) outs(%mine : memref<1xi32>)
    return
  }
  gpu.module @k {
    llvm.func @first(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      llvm.return
    }
  }
}

// -----

// A kernel that is launched twice would clear what the first launch counted.
// CHECK-LABEL: func.func @twice(
// CHECK: linalg.fill
module attributes {gpu.container_module} {
  func.func @twice(%x: memref<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @k::@first blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<f32>)
    %a = memref.alloc() : memref<1xi32>
    linalg.fill ins(%c0 : i32) outs(%a : memref<1xi32>)
    gpu.launch_func @k::@first blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<f32>)
    return
  }
  gpu.module @k {
    llvm.func @first(%x: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      llvm.return
    }
  }
}

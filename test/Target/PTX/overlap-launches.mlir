// RUN: pit-opt %s --split-input-file --pass-pipeline="builtin.module(gpu.module(pit-overlap-launches))" | FileCheck %s

gpu.module @hopper [#nvvm.target<chip = "sm_90a", features = "+ptx80">] {
  llvm.mlir.global internal @words() {addr_space = 3 : i32} : !llvm.array<4 x i64>
  // CHECK-LABEL: llvm.func @plain
  // CHECK-SAME: pit.waits
  // CHECK: nvvm.read.ptx.sreg.tid.x
  // CHECK: llvm.getelementptr
  // CHECK-NEXT: nvvm.griddepcontrol wait
  // CHECK-NEXT: nvvm.griddepcontrol launch_dependents
  // CHECK-NEXT: llvm.load
  llvm.func @plain(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    llvm.store %v, %p : f32, !llvm.ptr<1>
    llvm.return
  }

  // All threads pass the wait, not only those that touch memory.
  // CHECK-LABEL: llvm.func @branches
  // CHECK: nvvm.griddepcontrol wait
  // CHECK: llvm.cond_br
  // CHECK-NOT: nvvm.griddepcontrol
  llvm.func @branches(%x: !llvm.ptr<1>, %c: i1) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    llvm.cond_br %c, ^then, ^end
  ^then:
    llvm.store %one, %x : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }

  // Barriers are the block's own.
  // CHECK-LABEL: llvm.func @barriers
  // CHECK: llvm.cond_br
  // CHECK: nvvm.mbarrier.init
  // CHECK: nvvm.barrier
  // CHECK-NEXT: nvvm.griddepcontrol wait
  // CHECK-NEXT: nvvm.griddepcontrol launch_dependents
  // CHECK-NEXT: llvm.load
  llvm.func @barriers(%x: !llvm.ptr<1>, %c: i1) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %words = llvm.mlir.addressof @words : !llvm.ptr<3>
    llvm.cond_br %c, ^then, ^end
  ^then:
    nvvm.mbarrier.init %words, %one : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.br ^end
  ^end:
    nvvm.barrier
    %v = llvm.load %x : !llvm.ptr<1> -> f32
    llvm.return
  }

  // A loop is entered with the wait behind it, once; memory of no known space may be the device's.
  // CHECK-LABEL: llvm.func @loops
  // CHECK-NEXT: llvm.mlir.constant
  // CHECK-NEXT: nvvm.griddepcontrol wait
  // CHECK-NEXT: nvvm.griddepcontrol launch_dependents
  // CHECK-NEXT: llvm.br
  // CHECK-NOT: nvvm.griddepcontrol
  llvm.func @loops(%x: !llvm.ptr, %c: i1) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^head
  ^head:
    llvm.store %one, %x : i32, !llvm.ptr
    llvm.cond_br %c, ^head, ^end
  ^end:
    llvm.return
  }

  // Nothing to wait for, but those that follow rely on it.
  // CHECK-LABEL: llvm.func @empty
  // CHECK: nvvm.griddepcontrol wait
  // CHECK: llvm.return
  llvm.func @empty() attributes {nvvm.kernel} {
    llvm.return
  }

  // CHECK-LABEL: llvm.func @function
  // CHECK-NOT: nvvm.griddepcontrol
  // CHECK: llvm.return
  llvm.func @function() {
    llvm.return
  }

  // CHECK-LABEL: llvm.func @waits_already
  // CHECK-NOT: nvvm.griddepcontrol
  // CHECK: llvm.return
  llvm.func @waits_already() attributes {nvvm.kernel, pit.waits} {
    llvm.return
  }
}

// -----

// CHECK-LABEL: gpu.module @ampere
// CHECK-NOT: pit.waits
// CHECK-NOT: nvvm.griddepcontrol
gpu.module @ampere [#nvvm.target<chip = "sm_80", features = "+ptx70">] {
  llvm.func @plain(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %v = llvm.load %x : !llvm.ptr<1> -> f32
    llvm.return
  }
}

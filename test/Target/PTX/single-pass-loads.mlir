// What is read once and by whole sectors does not stay in the cache of a multiprocessor, where PTX can say so.
// RUN: pit-translate %s --pit-to-ptx --split-input-file | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx80">] {
    // CHECK: .version 8.0
    // CHECK: .visible .entry once(
    // CHECK: griddepcontrol.wait
    // CHECK: ld.global.L1::no_allocate.v4.b32 {%[[X:[a-z0-9]+]], %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %[[Y:[a-z0-9]+]]}, [
    // CHECK: or.b32 %{{.*}}, %[[X]], %[[Y]]
    llvm.func @once(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %0 = llvm.mlir.constant(0 : i32) : i32
      %3 = llvm.mlir.constant(3 : i32) : i32
      nvvm.griddepcontrol wait
      %v = llvm.load %x invariant {alignment = 16 : i64, nontemporal} : !llvm.ptr<1> -> vector<4xi32>
      %a = llvm.extractelement %v[%0 : i32] : vector<4xi32>
      %b = llvm.extractelement %v[%3 : i32] : vector<4xi32>
      %c = llvm.or %a, %b : i32
      llvm.store %c, %y : i32, !llvm.ptr<1>
      llvm.return
    }
    // Not other loads.
    // CHECK: .visible .entry others(
    // CHECK-NOT: no_allocate
    // CHECK: ret;
    llvm.func @others(%x: !llvm.ptr<1>, %s: !llvm.ptr<3>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %plain = llvm.load %x {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
      %x2 = llvm.getelementptr %x[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %short = llvm.load %x2 {alignment = 8 : i64, nontemporal} : !llvm.ptr<1> -> vector<2xi32>
      %x3 = llvm.getelementptr %x[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %volatile = llvm.load volatile %x3 {alignment = 16 : i64, nontemporal} : !llvm.ptr<1> -> vector<4xi32>
      %shared = llvm.load %s {alignment = 16 : i64, nontemporal} : !llvm.ptr<3> -> vector<4xi32>
      %y2 = llvm.getelementptr %y[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %y3 = llvm.getelementptr %y[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %y4 = llvm.getelementptr %y[48] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store %plain, %y {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
      llvm.store %short, %y2 {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<1>
      llvm.store %volatile, %y3 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
      llvm.store %shared, %y4 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

// PTX 7.0 cannot.
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_80", features = "+ptx70">] {
    // CHECK: .version 7.0
    // CHECK: .visible .entry old(
    // CHECK: ld.global.v4.b32
    llvm.func @old(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %v = llvm.load %x {alignment = 16 : i64, nontemporal} : !llvm.ptr<1> -> vector<4xi32>
      llvm.store %v, %y {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
      llvm.return
    }
  }
}

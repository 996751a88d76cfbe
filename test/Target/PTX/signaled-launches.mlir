// A launch need not wait for one before it where it waits inside for what that one hands over.
// RUN: pit-opt %s --pit-delay-launches | FileCheck %s
// RUN: pit-opt %s --pass-pipeline="builtin.module(pit-delay-launches,gpu.module(pit-overlap-launches))" \
// RUN:   | FileCheck %s --check-prefix=WAITS

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx80">] {
    llvm.func @clear(%flags: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      llvm.store %zero, %flags : i32, !llvm.ptr<1>
      llvm.return
    }
    // It waits for the flags to be cleared, and then lets the next one start.
    // CHECK-LABEL: llvm.func @tells
    // CHECK-SAME: <1>) attributes {gpu.kernel
    // WAITS-LABEL: llvm.func @tells
    // WAITS-NOT: llvm.cond_br
    // WAITS: nvvm.griddepcontrol wait
    // WAITS-NEXT: nvvm.griddepcontrol launch_dependents
    llvm.func @tells(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %flags: !llvm.ptr<1>, %log: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      %v = llvm.load %x : !llvm.ptr<1> -> i32
      llvm.store %v, %y : i32, !llvm.ptr<1>
      llvm.store %v, %log : i32, !llvm.ptr<1>
      llvm.fence syncscope("device") release
      %w = llvm.atomicrmw add %flags, %one syncscope("device") monotonic : !llvm.ptr<1>, i32
      llvm.return
    }
    // CHECK-LABEL: llvm.func @awaits
    // CHECK-SAME: %{{.*}}: i32 {pit.waits_last})
    // WAITS-LABEL: llvm.func @awaits
    // WAITS: llvm.cond_br
    // WAITS: llvm.fence syncscope("device") acq_rel
    // WAITS: nvvm.griddepcontrol launch_dependents
    // WAITS: llvm.load {{.*}} acquire
    // WAITS: nvvm.griddepcontrol wait
    // WAITS: llvm.return
    llvm.func @awaits(%y: !llvm.ptr<1>, %flags: !llvm.ptr<1>, %also: !llvm.ptr<1>, %z: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      llvm.br ^wait
    ^wait:
      %zero = llvm.mlir.constant(0 : i32) : i32
      %told = llvm.load %flags atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %waits = llvm.icmp "eq" %told, %zero : i32
      llvm.cond_br %waits, ^wait, ^go
    ^go:
      %v = llvm.load %y : !llvm.ptr<1> -> i32
      %w = llvm.load %also : !llvm.ptr<1> -> i32
      %u = llvm.add %v, %w : i32
      llvm.store %u, %z : i32, !llvm.ptr<1>
      llvm.return
    }
  }

  // CHECK-LABEL: func.func @signaled
  // CHECK-NOT: pit.signaled
  // CHECK: gpu.launch_func @kernels::@clear
  // CHECK: gpu.launch_func @kernels::@tells
  // CHECK: %[[YES:.*]] = arith.constant 1 : i32
  // CHECK: gpu.launch_func @kernels::@awaits {{.*}} %[[YES]] : i32)
  func.func @signaled(%x: memref<8x8xi32>, %also: memref<8x8xi32>) -> memref<8x8xi32> {
    %one = arith.constant 1 : index
    %y = memref.alloc() : memref<8x8xi32>
    %z = memref.alloc() : memref<8x8xi32>
    %log = memref.alloc() : memref<8x8xi32>
    %flags = memref.alloc() : memref<32xi32>
    gpu.launch_func @kernels::@clear blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%flags : memref<32xi32>)
    %h1 = pit.signaled %y : memref<8x8xi32>
    %h2 = pit.signaled %flags : memref<32xi32>
    gpu.launch_func @kernels::@tells blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %h1 : memref<8x8xi32>, %h2 : memref<32xi32>, %log : memref<8x8xi32>)
    %h3 = pit.signaled %y : memref<8x8xi32>
    %h4 = pit.signaled %flags : memref<32xi32>
    gpu.launch_func @kernels::@awaits blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%h3 : memref<8x8xi32>, %h4 : memref<32xi32>, %also : memref<8x8xi32>, %z : memref<8x8xi32>)
    return %z : memref<8x8xi32>
  }

  // Nothing says so; the first writes more that the second reads; they name other buffers; the second takes
  // the rows alone so.
  // CHECK-LABEL: func.func @not_signaled
  // CHECK: gpu.launch_func @kernels::@tells
  // CHECK: %[[NO1:.*]] = arith.constant 0 : i32
  // CHECK: gpu.launch_func @kernels::@awaits {{.*}} %[[NO1]] : i32)
  // CHECK: gpu.launch_func @kernels::@tells
  // CHECK: %[[NO2:.*]] = arith.constant 0 : i32
  // CHECK: gpu.launch_func @kernels::@awaits {{.*}} %[[NO2]] : i32)
  // CHECK: gpu.launch_func @kernels::@tells
  // CHECK: %[[NO3:.*]] = arith.constant 0 : i32
  // CHECK: gpu.launch_func @kernels::@awaits {{.*}} %[[NO3]] : i32)
  // CHECK: gpu.launch_func @kernels::@tells
  // CHECK: %[[NO4:.*]] = arith.constant 0 : i32
  // CHECK: gpu.launch_func @kernels::@awaits {{.*}} %[[NO4]] : i32)
  func.func @not_signaled(%x: memref<8x8xi32>, %also: memref<8x8xi32>) -> memref<8x8xi32> {
    %one = arith.constant 1 : index
    %y = memref.alloc() : memref<8x8xi32>
    %z = memref.alloc() : memref<8x8xi32>
    %log = memref.alloc() : memref<8x8xi32>
    %flags = memref.alloc() : memref<32xi32>
    gpu.launch_func @kernels::@tells blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %y : memref<8x8xi32>, %flags : memref<32xi32>, %log : memref<8x8xi32>)
    gpu.launch_func @kernels::@awaits blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%y : memref<8x8xi32>, %flags : memref<32xi32>, %also : memref<8x8xi32>, %z : memref<8x8xi32>)

    %h5 = pit.signaled %y : memref<8x8xi32>
    %h6 = pit.signaled %flags : memref<32xi32>
    gpu.launch_func @kernels::@tells blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %h5 : memref<8x8xi32>, %h6 : memref<32xi32>, %log : memref<8x8xi32>)
    %h7 = pit.signaled %y : memref<8x8xi32>
    %h8 = pit.signaled %flags : memref<32xi32>
    gpu.launch_func @kernels::@awaits blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%h7 : memref<8x8xi32>, %h8 : memref<32xi32>, %log : memref<8x8xi32>, %z : memref<8x8xi32>)

    %h9 = pit.signaled %flags : memref<32xi32>
    %h10 = pit.signaled %log : memref<8x8xi32>
    gpu.launch_func @kernels::@tells blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %y : memref<8x8xi32>, %h9 : memref<32xi32>, %h10 : memref<8x8xi32>)
    %h11 = pit.signaled %y : memref<8x8xi32>
    %h12 = pit.signaled %flags : memref<32xi32>
    gpu.launch_func @kernels::@awaits blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%h11 : memref<8x8xi32>, %h12 : memref<32xi32>, %also : memref<8x8xi32>, %z : memref<8x8xi32>)

    %h13 = pit.signaled %y : memref<8x8xi32>
    %h14 = pit.signaled %flags : memref<32xi32>
    gpu.launch_func @kernels::@tells blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %h13 : memref<8x8xi32>, %h14 : memref<32xi32>, %log : memref<8x8xi32>)
    %h15 = pit.signaled %y : memref<8x8xi32>
    gpu.launch_func @kernels::@awaits blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%h15 : memref<8x8xi32>, %flags : memref<32xi32>, %also : memref<8x8xi32>, %z : memref<8x8xi32>)
    return %z : memref<8x8xi32>
  }

  // Something between them that the second one needs; buffers that are used again: the next one that tells overwrites rows that another one
  // still reads.
  // CHECK-LABEL: func.func @others_between
  // CHECK: gpu.launch_func @kernels::@clear
  // CHECK: gpu.launch_func @kernels::@tells
  // CHECK: gpu.launch_func @kernels::@clear
  // CHECK: %[[NO:.*]] = arith.constant 0 : i32
  // CHECK: gpu.launch_func @kernels::@awaits {{.*}} %[[NO]] : i32)
  // CHECK: gpu.launch_func @kernels::@tells
  // CHECK: %[[YES:.*]] = arith.constant 1 : i32
  // CHECK: gpu.launch_func @kernels::@awaits {{.*}} %[[YES]] : i32)
  func.func @others_between(%x: memref<8x8xi32>) -> memref<8x8xi32> {
    %one = arith.constant 1 : index
    %y = memref.alloc() : memref<8x8xi32>
    %z = memref.alloc() : memref<8x8xi32>
    %log = memref.alloc() : memref<8x8xi32>
    %flags = memref.alloc() : memref<32xi32>
    %also = memref.alloc() : memref<8x8xi32>
    gpu.launch_func @kernels::@clear blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%flags : memref<32xi32>)
    %h16 = pit.signaled %y : memref<8x8xi32>
    %h17 = pit.signaled %flags : memref<32xi32>
    gpu.launch_func @kernels::@tells blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %h16 : memref<8x8xi32>, %h17 : memref<32xi32>, %log : memref<8x8xi32>)
    gpu.launch_func @kernels::@clear blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%also : memref<8x8xi32>)
    %h18 = pit.signaled %y : memref<8x8xi32>
    %h19 = pit.signaled %flags : memref<32xi32>
    gpu.launch_func @kernels::@awaits blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%h18 : memref<8x8xi32>, %h19 : memref<32xi32>, %also : memref<8x8xi32>, %z : memref<8x8xi32>)
    %h20 = pit.signaled %y : memref<8x8xi32>
    %h21 = pit.signaled %flags : memref<32xi32>
    gpu.launch_func @kernels::@tells blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %h20 : memref<8x8xi32>, %h21 : memref<32xi32>, %log : memref<8x8xi32>)
    %h22 = pit.signaled %y : memref<8x8xi32>
    %h23 = pit.signaled %flags : memref<32xi32>
    gpu.launch_func @kernels::@awaits blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%h22 : memref<8x8xi32>, %h23 : memref<32xi32>, %also : memref<8x8xi32>, %z : memref<8x8xi32>)
    return %z : memref<8x8xi32>
  }
}

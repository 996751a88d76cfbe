// What later launches do not need goes behind them, and kernels that have nothing to do with what may still run need not wait for it.
// RUN: pit-opt %s --split-input-file --pit-delay-launches | FileCheck %s
// RUN: pit-opt %s --split-input-file --pass-pipeline="builtin.module(pit-delay-launches,gpu.module(pit-overlap-launches))" \
// RUN:   | FileCheck %s --check-prefix=WAITS

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx80">] {
    // A list of what the rows of x are.
    // CHECK-LABEL: llvm.func @list
    // CHECK-SAME: <1>) attributes {gpu.kernel
    llvm.func @list(%x: !llvm.ptr<1>, %list: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %v = llvm.load %x : !llvm.ptr<1> -> i32
      llvm.store %v, %list : i32, !llvm.ptr<1>
      llvm.return
    }
    // Reads the list through a block's argument, an offset and a copy into shared memory.
    // CHECK-LABEL: llvm.func @inverse
    // CHECK-SAME: %{{.*}}: i32 {pit.waits_last})
    // WAITS-LABEL: llvm.func @inverse
    // WAITS-SAME: %[[LAST:arg4]]: i32) attributes
    // WAITS-SAME: pit.waits
    // WAITS: %[[IS_LAST:.*]] = llvm.icmp "ne" %[[LAST]]
    // WAITS: llvm.cond_br %[[IS_LAST]], ^[[NOW:.*]], ^[[FIRST:.*]]
    // WAITS: ^[[NOW]]:
    // WAITS-NEXT: llvm.fence syncscope("device") acq_rel
    // WAITS-NEXT: llvm.br ^[[WORK:.*]]
    // WAITS: ^[[FIRST]]:
    // WAITS-NEXT: nvvm.griddepcontrol wait
    // WAITS-NEXT: llvm.br ^[[WORK]]
    // WAITS: ^[[WORK]]:
    // WAITS-NEXT: nvvm.griddepcontrol launch_dependents
    // WAITS: llvm.store
    // WAITS: %[[THREAD:.*]] = llvm.icmp "eq"
    // WAITS: %[[WAITS:.*]] = llvm.and %[[IS_LAST]], %[[THREAD]]
    // WAITS: llvm.cond_br %[[WAITS]], ^[[WAIT:.*]], ^[[END:.*]]
    // WAITS: ^[[WAIT]]:
    // WAITS-NEXT: nvvm.griddepcontrol wait
    // WAITS-NEXT: llvm.br ^[[END]]
    // WAITS: ^[[END]]:
    // WAITS-NEXT: llvm.return
    llvm.func @inverse(%list: !llvm.ptr<1>, %inverse: !llvm.ptr<1>, %c: i1, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel} {
      %next = llvm.getelementptr %list[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.cond_br %c, ^then(%list : !llvm.ptr<1>), ^then(%next : !llvm.ptr<1>)
    ^then(%p: !llvm.ptr<1>):
      nvvm.cp.async.shared.global %s, %p, 16, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
      %v = llvm.load %p : !llvm.ptr<1> -> i32
      llvm.store %v, %inverse : i32, !llvm.ptr<1>
      llvm.return
    }
    // CHECK-LABEL: llvm.func @product
    // CHECK-SAME: <1>) attributes {gpu.kernel
    // WAITS-LABEL: llvm.func @product
    // WAITS-NEXT: nvvm.griddepcontrol wait
    // WAITS-NEXT: nvvm.griddepcontrol launch_dependents
    llvm.func @product(%x: !llvm.ptr<1>, %list: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %v = llvm.load %x : !llvm.ptr<1> -> i32
      %w = llvm.load %list : !llvm.ptr<1> -> i32
      %z = llvm.add %v, %w : i32
      llvm.store %z, %y : i32, !llvm.ptr<1>
      llvm.return
    }
    // CHECK-LABEL: llvm.func @sum
    // CHECK-SAME: <1>) attributes {gpu.kernel
    llvm.func @sum(%inverse: !llvm.ptr<1>, %y: !llvm.ptr<1>, %z: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %v = llvm.load %inverse : !llvm.ptr<1> -> i32
      %w = llvm.load %y : !llvm.ptr<1> -> i32
      %u = llvm.add %v, %w : i32
      llvm.store %u, %z : i32, !llvm.ptr<1>
      llvm.return
    }
  }

  // The inverse goes behind the products that do not need it; the list, which they do, stays.
  // CHECK-LABEL: func.func @experts
  // CHECK: gpu.launch_func @kernels::@list
  // CHECK: gpu.launch_func @kernels::@product
  // CHECK: gpu.launch_func @kernels::@product
  // CHECK: gpu.launch_func @kernels::@inverse
  // CHECK: gpu.launch_func @kernels::@sum
  func.func @experts(%x: memref<8xi32>, %c: i1, %s: !llvm.ptr<3>) -> memref<8x8xi32> {
    %one = arith.constant 1 : index
    %list = memref.alloc() : memref<8xi32>
    gpu.launch_func @kernels::@list blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8xi32>, %list : memref<8xi32>)
    %inverse = memref.alloc() : memref<8xi32>
    gpu.launch_func @kernels::@inverse blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%list : memref<8xi32>, %inverse : memref<8xi32>, %c : i1, %s : !llvm.ptr<3>)
    %y = memref.alloc() : memref<8x8xi32>
    %z = memref.alloc() : memref<8x8xi32>
    gpu.launch_func @kernels::@product blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8xi32>, %list : memref<8xi32>, %y : memref<8x8xi32>)
    gpu.launch_func @kernels::@product blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%y : memref<8x8xi32>, %list : memref<8xi32>, %z : memref<8x8xi32>)
    %r = memref.alloc() : memref<8x8xi32>
    gpu.launch_func @kernels::@sum blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%inverse : memref<8xi32>, %z : memref<8x8xi32>, %r : memref<8x8xi32>)
    memref.dealloc %list : memref<8xi32>
    memref.dealloc %inverse : memref<8xi32>
    memref.dealloc %y : memref<8x8xi32>
    memref.dealloc %z : memref<8x8xi32>
    return %r : memref<8x8xi32>
  }
}

// -----

// Products of the same input run beside each other; what reads them waits.
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx80">] {
    // CHECK-LABEL: llvm.func @first
    // CHECK-SAME: <1>) attributes {gpu.kernel
    llvm.func @first(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %v = llvm.load %x : !llvm.ptr<1> -> i32
      llvm.store %v, %y : i32, !llvm.ptr<1>
      llvm.return
    }
    // CHECK-LABEL: llvm.func @second
    // CHECK-SAME: %{{.*}}: i32 {pit.waits_last})
    llvm.func @second(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %v = llvm.load %x : !llvm.ptr<1> -> i32
      llvm.store %v, %y : i32, !llvm.ptr<1>
      llvm.return
    }
    // The third may still run beside the first, whose result it overwrites: only the second has ended with it if it waits.
    // CHECK-LABEL: llvm.func @third
    // CHECK-SAME: <1>) attributes {gpu.kernel
    llvm.func @third(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %v = llvm.load %x : !llvm.ptr<1> -> i32
      llvm.store %v, %y : i32, !llvm.ptr<1>
      llvm.return
    }
    // Atomic: others wait for what it sees.
    // CHECK-LABEL: llvm.func @counts
    // CHECK-SAME: <1>) attributes {gpu.kernel
    llvm.func @counts(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      %v = llvm.atomicrmw add %x, %one monotonic : !llvm.ptr<1>, i32
      llvm.store %v, %y : i32, !llvm.ptr<1>
      llvm.return
    }
  }

  // CHECK-LABEL: func.func @products
  // CHECK: gpu.launch_func @kernels::@first
  // CHECK: gpu.launch_func @kernels::@second
  // CHECK: gpu.launch_func @kernels::@third
  // CHECK: gpu.launch_func @kernels::@counts
  func.func @products(%x: memref<8x8xi32>) -> (memref<8x8xi32>, memref<8x8xi32>, memref<8x8xi32>) {
    %one = arith.constant 1 : index
    %q = memref.alloc() : memref<8x8xi32>
    %k = memref.alloc() : memref<8x8xi32>
    %n = memref.alloc() : memref<8x8xi32>
    gpu.launch_func @kernels::@first blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %q : memref<8x8xi32>)
    gpu.launch_func @kernels::@second blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %k : memref<8x8xi32>)
    gpu.launch_func @kernels::@third blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %q : memref<8x8xi32>)
    gpu.launch_func @kernels::@counts blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %n : memref<8x8xi32>)
    return %q, %k, %n : memref<8x8xi32>, memref<8x8xi32>, memref<8x8xi32>
  }
}

// -----

// Each launch says for itself; calls may launch something. Lists are not moved past what frees them, past what is no launch, or where nothing needs them.
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx80">] {
    // CHECK-LABEL: llvm.func @copy
    // CHECK-SAME: %{{.*}}: i32 {pit.waits_last})
    llvm.func @copy(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %v = llvm.load %x : !llvm.ptr<1> -> i32
      llvm.store %v, %y : i32, !llvm.ptr<1>
      llvm.return
    }
  }
  func.func private @other()

  // CHECK-LABEL: func.func @stay
  // CHECK: %[[NO:.*]] = arith.constant 0 : i32
  // CHECK: gpu.launch_func {{.*}} args(%{{.*}} : memref<8xi32>, %[[A:.*]] : memref<8xi32>, %[[NO]] : i32)
  // CHECK: %[[YES1:.*]] = arith.constant 1 : i32
  // CHECK: gpu.launch_func {{.*}} args(%{{.*}} : memref<8x8xi32>, %{{.*}} : memref<8x8xi32>, %[[YES1]] : i32)
  // CHECK: memref.dealloc %[[A]]
  // CHECK: %[[YES2:.*]] = arith.constant 1 : i32
  // CHECK: gpu.launch_func {{.*}} args(%{{.*}} : memref<8xi32>, %[[B:.*]] : memref<8xi32>, %[[YES2]] : i32)
  // CHECK: call @other
  // CHECK: %[[NO1:.*]] = arith.constant 0 : i32
  // CHECK: gpu.launch_func {{.*}} args(%{{.*}} : memref<8x8xi32>, %{{.*}} : memref<8x8xi32>, %[[NO1]] : i32)
  // CHECK: %[[YES3:.*]] = arith.constant 1 : i32
  // CHECK: gpu.launch_func {{.*}} args(%[[B]] : memref<8xi32>, %{{.*}} : memref<8xi32>, %[[YES3]] : i32)
  // CHECK: %[[YES4:.*]] = arith.constant 1 : i32
  // CHECK: gpu.launch_func {{.*}} args(%{{.*}} : memref<8x8xi32>, %{{.*}} : memref<8x8xi32>, %[[YES4]] : i32)
  func.func @stay(%x: memref<8xi32>, %y: memref<8x8xi32>) -> (memref<8xi32>, memref<8x8xi32>, memref<8x8xi32>, memref<8x8xi32>) {
    %one = arith.constant 1 : index
    %a = memref.alloc() : memref<8xi32>
    %b = memref.alloc() : memref<8xi32>
    %c = memref.alloc() : memref<8xi32>
    %d = memref.alloc() : memref<8x8xi32>
    %e = memref.alloc() : memref<8x8xi32>
    %f = memref.alloc() : memref<8x8xi32>
    gpu.launch_func @kernels::@copy blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8xi32>, %a : memref<8xi32>)
    gpu.launch_func @kernels::@copy blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%y : memref<8x8xi32>, %d : memref<8x8xi32>)
    memref.dealloc %a : memref<8xi32>
    gpu.launch_func @kernels::@copy blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8xi32>, %b : memref<8xi32>)
    func.call @other() : () -> ()
    gpu.launch_func @kernels::@copy blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%y : memref<8x8xi32>, %e : memref<8x8xi32>)
    gpu.launch_func @kernels::@copy blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%b : memref<8xi32>, %c : memref<8xi32>)
    gpu.launch_func @kernels::@copy blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%y : memref<8x8xi32>, %f : memref<8x8xi32>)
    memref.dealloc %b : memref<8xi32>
    return %c, %d, %e, %f : memref<8xi32>, memref<8x8xi32>, memref<8x8xi32>, memref<8x8xi32>
  }
}

// -----

// Older chips know nothing of it.
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_80", features = "+ptx70">] {
    // CHECK-LABEL: llvm.func @old
    // CHECK-SAME: <1>) attributes {gpu.kernel
    llvm.func @old(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %v = llvm.load %x : !llvm.ptr<1> -> i32
      llvm.store %v, %y : i32, !llvm.ptr<1>
      llvm.return
    }
  }
  func.func @two(%x: memref<8x8xi32>) -> (memref<8x8xi32>, memref<8x8xi32>) {
    %one = arith.constant 1 : index
    %a = memref.alloc() : memref<8x8xi32>
    %b = memref.alloc() : memref<8x8xi32>
    gpu.launch_func @kernels::@old blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %a : memref<8x8xi32>)
    gpu.launch_func @kernels::@old blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %b : memref<8x8xi32>)
    return %a, %b : memref<8x8xi32>, memref<8x8xi32>
  }
}

// -----

// Memory that no buffer of the launch is: of a global, or behind a pointer that came from elsewhere.
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx80">] {
    llvm.mlir.global internal @counter(0 : i32) {addr_space = 1 : i32} : i32
    llvm.mlir.global internal constant @table(7 : i32) {addr_space = 1 : i32} : i32
    // CHECK-LABEL: llvm.func @first
    // CHECK-SAME: <1>) attributes {gpu.kernel
    llvm.func @first(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %v = llvm.load %x : !llvm.ptr<1> -> i32
      llvm.store %v, %y : i32, !llvm.ptr<1>
      llvm.return
    }
    // CHECK-LABEL: llvm.func @global
    // CHECK-SAME: <1>) attributes {gpu.kernel
    llvm.func @global(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %p = llvm.mlir.addressof @counter : !llvm.ptr<1>
      %v = llvm.load %p : !llvm.ptr<1> -> i32
      llvm.store %v, %y : i32, !llvm.ptr<1>
      llvm.return
    }
    // CHECK-LABEL: llvm.func @pointer
    // CHECK-SAME: <1>) attributes {gpu.kernel
    llvm.func @pointer(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %v = llvm.load %x : !llvm.ptr<1> -> i32
      llvm.store %v, %y : i32, !llvm.ptr<1>
      llvm.return
    }
    // Nobody waits for what is constant.
    // CHECK-LABEL: llvm.func @constant
    // CHECK-SAME: i32 {pit.waits_last})
    llvm.func @constant(%y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %p = llvm.mlir.addressof @table : !llvm.ptr<1>
      %v = llvm.load %p : !llvm.ptr<1> -> i32
      llvm.store %v, %y : i32, !llvm.ptr<1>
      llvm.return
    }
  }
  func.func @elsewhere(%x: memref<8x8xi32>, %p: i64) {
    %one = arith.constant 1 : index
    %q = llvm.inttoptr %p : i64 to !llvm.ptr<1>
    %a = memref.alloc() : memref<8x8xi32>
    %b = memref.alloc() : memref<8x8xi32>
    %c = memref.alloc() : memref<8x8xi32>
    %d = memref.alloc() : memref<8x8xi32>
    %e = memref.alloc() : memref<8x8xi32>
    gpu.launch_func @kernels::@first blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %a : memref<8x8xi32>)
    gpu.launch_func @kernels::@global blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%x : memref<8x8xi32>, %b : memref<8x8xi32>)
    gpu.launch_func @kernels::@pointer blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%q : !llvm.ptr<1>, %c : memref<8x8xi32>)
    gpu.launch_func @kernels::@first blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%c : memref<8x8xi32>, %d : memref<8x8xi32>)
    gpu.launch_func @kernels::@constant blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%e : memref<8x8xi32>)
    return
  }
}

// RUN: pit-opt %s --pit-attach-ptx-target | FileCheck %s

// A function may be called what no kernel may. What is declared has its name from elsewhere, and right names stay.

// CHECK: gpu.launch_func @k::@k_a_b_0_0 blocks
// CHECK: gpu.launch_func @k::@k_a_b_0 blocks
// CHECK: gpu.launch_func @k::@right_0 blocks
// CHECK: gpu.module @k
// CHECK: func.func private @elsewhere.name()
// CHECK: gpu.func @k_a_b_0_0() kernel
// CHECK: gpu.func @k_a_b_0() kernel
// CHECK: gpu.func @right_0() kernel
// CHECK: gpu.func @k_1st_q() kernel
module attributes {gpu.container_module} {
  func.func @"a.b"() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@"a.b_0" blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @k::@k_a_b_0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @k::@right_0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  gpu.module @k {
    func.func private @elsewhere.name()
    gpu.func @"a.b_0"() kernel {
      gpu.return
    }
    gpu.func @k_a_b_0() kernel {
      gpu.return
    }
    gpu.func @right_0() kernel {
      gpu.return
    }
    gpu.func @"1st q"() kernel {
      gpu.return
    }
  }
}

// Kernels are launched by one function, so that recursion is refused there, once.
// RUN: not pit-opt %s --pit-inline-calls="all=true" 2>&1 | FileCheck %s
// RUN: not pit-opt %s --pit-to-ptx="chip=sm_90a" -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: 'func.call' op calls 'again', which calls itself; the host launches kernels one after another, without recursion
// CHECK-NOT: error:
func.func private @again(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %c -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  } else {
    %k = arith.subi %n, %c1 : index
    %t = func.call @again(%a, %k) : (tensor<4xf32>, index) -> tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %r = func.call @again(%a, %n) : (tensor<4xf32>, index) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

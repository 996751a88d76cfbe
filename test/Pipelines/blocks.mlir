// Blocks of control flow become loops and branches.
// RUN: pit-opt %s --pit-to-cpu -o /dev/null
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a -o /dev/null
// RUN: pit-run %s --target=cpu --random=ones --random=const:5 --print | FileCheck %s
// RUN: %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --random=ones --random=const:5 --print | FileCheck %s
// UNSUPPORTED: sanitizer
// CHECK: result 0: 2xf32 = 32 32
func.func @main(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, tensor<2xf32>)
^head(%i: index, %t: tensor<2xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %e = tensor.empty() : tensor<2xf32>
  %s = linalg.add ins(%t, %t : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %s : index, tensor<2xf32>)
^end:
  return %t : tensor<2xf32>
}

// The host chooses between regions with kernels, and runs a while loop that counts: what they compute is what the CPU computes.
// UNSUPPORTED: sanitizer
// RUN: %emulated-cuda pit-run %s --entry=either --target=cuda --chip=sm_90a --random=normal --random=const:1 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=either --target=cuda --chip=sm_90a --random=normal --random=const:5 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=within --target=cuda --chip=sm_90a --random=normal --random=const:3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=counts --target=cuda --chip=sm_90a --random=normal --random=const:0 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=counts --target=cuda --chip=sm_90a --random=normal --random=const:5 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=kept --target=cuda --chip=sm_90a --random=normal --random=const:1 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=kept --target=cuda --chip=sm_90a --random=normal --random=const:0 --check --quiet | FileCheck %s
// CHECK: check: result 0: {{bit-identical|agrees}}

// Two results, of which one region hands on what it got.
func.func @either(%x: tensor<128x65xf32>, %n: index) -> (tensor<128x65xf32>, tensor<128x65xf32>) {
  %c3 = arith.constant 3 : index
  %c = arith.cmpi slt, %n, %c3 : index
  %e = tensor.empty() : tensor<128x65xf32>
  %r:2 = scf.if %c -> (tensor<128x65xf32>, tensor<128x65xf32>) {
    %y = linalg.add ins(%x, %x : tensor<128x65xf32>, tensor<128x65xf32>) outs(%e : tensor<128x65xf32>) -> tensor<128x65xf32>
    scf.yield %y, %x : tensor<128x65xf32>, tensor<128x65xf32>
  } else {
    %y = linalg.mul ins(%x, %x : tensor<128x65xf32>, tensor<128x65xf32>) outs(%e : tensor<128x65xf32>) -> tensor<128x65xf32>
    %z = linalg.sub ins(%y, %x : tensor<128x65xf32>, tensor<128x65xf32>) outs(%e : tensor<128x65xf32>) -> tensor<128x65xf32>
    scf.yield %z, %y : tensor<128x65xf32>, tensor<128x65xf32>
  }
  %s = linalg.abs ins(%r#0 : tensor<128x65xf32>) outs(%e : tensor<128x65xf32>) -> tensor<128x65xf32>
  return %s, %r#1 : tensor<128x65xf32>, tensor<128x65xf32>
}

// The condition is another one in each iteration.
func.func @within(%x: tensor<128x65xf32>, %n: index) -> tensor<128x65xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<128x65xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<128x65xf32> {
    %c = arith.cmpi eq, %i, %c1 : index
    %u = scf.if %c -> tensor<128x65xf32> {
      %y = linalg.add ins(%t, %x : tensor<128x65xf32>, tensor<128x65xf32>) outs(%e : tensor<128x65xf32>) -> tensor<128x65xf32>
      scf.yield %y : tensor<128x65xf32>
    } else {
      %y = linalg.mul ins(%t, %x : tensor<128x65xf32>, tensor<128x65xf32>) outs(%e : tensor<128x65xf32>) -> tensor<128x65xf32>
      scf.yield %y : tensor<128x65xf32>
    }
    scf.yield %u : tensor<128x65xf32>
  }
  return %r : tensor<128x65xf32>
}

func.func @counts(%x: tensor<128x65xf32>, %n: index) -> tensor<128x65xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %t = %x) : (index, tensor<128x65xf32>) -> (index, tensor<128x65xf32>) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %t : index, tensor<128x65xf32>
  } do {
  ^bb0(%i: index, %t: tensor<128x65xf32>):
    %e = tensor.empty() : tensor<128x65xf32>
    %y = linalg.add ins(%t, %x : tensor<128x65xf32>, tensor<128x65xf32>) outs(%e : tensor<128x65xf32>) -> tensor<128x65xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %y : index, tensor<128x65xf32>
  }
  return %r#1 : tensor<128x65xf32>
}

// A region without kernels.
func.func @kept(%x: tensor<128x65xf32>, %c: i1) -> tensor<128x65xf32> {
  %r = scf.if %c -> tensor<128x65xf32> {
    %y = linalg.abs ins(%x : tensor<128x65xf32>) outs(%x : tensor<128x65xf32>) -> tensor<128x65xf32>
    scf.yield %y : tensor<128x65xf32>
  } else {
    scf.yield %x : tensor<128x65xf32>
  }
  return %r : tensor<128x65xf32>
}

// Temporary memory on the stack is allocated once for a call, or for a thread's part, and not for each of many rows.
// RUN: pit-run %s --random=normal --random=normal --check --quiet | FileCheck %s
// RUN: pit-run %s --random=normal --random=normal --check --quiet --threads=3 | FileCheck %s
// CHECK: check: result 0: {{bit-identical|agrees}}
// CHECK: check: result 1: {{bit-identical|agrees}}

// RUN: pit-opt %s --pit-to-cpu=thread-work=-1 | FileCheck %s --check-prefix=STACK
// STACK-LABEL: llvm.func @main{{[a-z_]*}}(
// STACK: llvm.alloca
// STACK: llvm.alloca
// STACK: llvm.br
// STACK-NOT: llvm.alloca

func.func @main(%x: tensor<3000x300x4xf32>, %y: tensor<2000x70x4xf32>) -> (tensor<3000x4xf32>, tensor<2000x70x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3000x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3000x4xf32>) -> tensor<3000x4xf32>
  %sums = linalg.reduce ins(%x : tensor<3000x300x4xf32>) outs(%f : tensor<3000x4xf32>) dimensions = [1]
    (%in: f32, %sum: f32) { %s = arith.addf %in, %sum : f32  linalg.yield %s : f32 }
  %er = tensor.empty() : tensor<2000x70x4xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2000x70x4xf32>) -> tensor<2000x70x4xf32>
  %running = linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, k, j)>, affine_map<(b, i, j, k) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%y : tensor<2000x70x4xf32>) outs(%fr : tensor<2000x70x4xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %i = linalg.index 1 : index
    %k = linalg.index 3 : index
    %before = arith.cmpi ule, %k, %i : index
    %counted = arith.select %before, %in, %zero : f32
    %s = arith.addf %sum, %counted : f32
    linalg.yield %s : f32
  } -> tensor<2000x70x4xf32>
  return %sums, %running : tensor<3000x4xf32>, tensor<2000x70x4xf32>
}

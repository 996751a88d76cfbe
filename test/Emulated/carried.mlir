// Tensors that loops and branches pass on, and parallel loops: kernels compute what the CPU does.
// UNSUPPORTED: sanitizer
// RUN: %emulated-cuda pit-run %s --entry=doubled --target=cuda --chip=sm_90a --random=normal --random=const:3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=swapped --target=cuda --chip=sm_90a --random=iota --random=normal --random=const:3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=chosen --target=cuda --chip=sm_90a --random=const:1 --random=normal@5 --random=normal@3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=chosen --target=cuda --chip=sm_90a --random=const:0 --random=normal@5 --random=normal@3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=until --target=cuda --chip=sm_90a --random=ones --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=parallel --target=cuda --chip=sm_90a --random=normal@9x4 --check --quiet | FileCheck %s
// CHECK: check: result 0: {{bit-identical|.*within}}

func.func @doubled(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %s = linalg.add ins(%t, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

func.func @swapped(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

func.func @chosen(%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    scf.yield %x : tensor<?xf32>
  } else {
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

func.func @until(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 20.0 : f32
  %r = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %v = tensor.extract %a[%c0] : tensor<4xf32>
    %c = arith.cmpf olt, %v, %limit : f32
    scf.condition(%c) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    %s = linalg.add ins(%b, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

func.func @parallel(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%d) : tensor<?x4xf32>
  %r = scf.forall (%i) in (%d) shared_outs(%o = %e) -> tensor<?x4xf32> {
    %row = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
    %f = tensor.empty() : tensor<1x4xf32>
    %s = linalg.exp ins(%row : tensor<1x4xf32>) outs(%f : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<?x4xf32>
    }
  }
  return %r : tensor<?x4xf32>
}

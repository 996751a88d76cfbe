// The host runs loops around kernels: what they compute is what the CPU computes, however often they iterate.
// UNSUPPORTED: sanitizer
// RUN: %emulated-cuda pit-run %s --entry=product --target=cuda --chip=sm_90a --random=normal --random=uniform:-0.1:0.1 --random=const:0 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=product --target=cuda --chip=sm_90a --random=normal --random=uniform:-0.1:0.1 --random=const:1 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=product --target=cuda --chip=sm_90a --random=normal --random=uniform:-0.1:0.1 --random=const:4 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=product --target=cuda --chip=sm_90a --random=normal --random=uniform:-0.1:0.1 --random=const:-3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=swapped --target=cuda --chip=sm_90a --random=normal@70x90 --random=normal@70x90 --random=const:3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=swapped --target=cuda --chip=sm_90a --random=normal@0x7 --random=normal@0x7 --random=const:2 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=layers --target=cuda --chip=sm_90a --random=normal@33x64 --random=uniform:-0.1:0.1@5x64x64 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=layers --target=cuda --chip=sm_90a --random=normal@1x64 --random=uniform:-0.1:0.1@0x64x64 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=nested --target=cuda --chip=sm_90a --random=randint:-9:9@80x80 --random=const:4 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=placed --target=cuda --chip=sm_90a --random=normal@6x5000 --random=const:9 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=marked --target=cuda --chip=sm_90a --random=normal@128x64 --random=bool:0.3@128 --random=uniform:-0.1:0.1 --random=const:3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=behind --target=cuda --chip=sm_90a --random=normal@64x65 --random=const:2 --check --quiet | FileCheck %s
// CHECK: check: result 0: {{bit-identical|agrees}}

func.func @product(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %n: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<64x64xf32> {
    %e = tensor.empty() : tensor<64x64xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %m = linalg.matmul ins(%t, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
    %y = linalg.add ins(%m, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %y : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// Two tensors change places; one of them is not computed at all.
func.func @swapped(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %b0 = tensor.extract_slice %b[0, 0] [%d0, %d1] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %b0) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
    %y = linalg.add ins(%s, %t : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %t, %y : tensor<?x?xf32>, tensor<?x?xf32>
  }
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// Each iteration has weights of its own, and there are as many as a tensor has.
func.func @layers(%x: tensor<?x64xf32>, %w: tensor<?x64x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %w, %c0 : tensor<?x64x64xf32>
  %d = tensor.dim %x, %c0 : tensor<?x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<?x64xf32> {
    %v = tensor.extract_slice %w[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<?x64x64xf32> to tensor<64x64xf32>
    %e = tensor.empty(%d) : tensor<?x64xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    %m = linalg.matmul ins(%t, %v : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
    %y = linalg.max ins(%m, %f : tensor<?x64xf32>, tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.yield %y : tensor<?x64xf32>
  }
  return %r : tensor<?x64xf32>
}

// A loop in a loop, as often as the outer one's number says, with a step, and both numbers in what is computed.
func.func @nested(%x: tensor<?x80xi32>, %n: index) -> tensor<?x80xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%t = %x) -> tensor<?x80xi32> {
    %end = arith.muli %i, %c3 : index
    %u = scf.for %j = %i to %end step %c3 iter_args(%s = %t) -> tensor<?x80xi32> {
      %sum = arith.addi %i, %j : index
      %number = arith.index_cast %sum : index to i32
      %d = tensor.dim %s, %c0 : tensor<?x80xi32>
      %e = tensor.empty(%d) : tensor<?x80xi32>
      %y = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
          ins(%s : tensor<?x80xi32>) outs(%e : tensor<?x80xi32>) {
      ^bb0(%v: i32, %o: i32):
        %p = arith.muli %v, %number : i32
        %q = arith.addi %p, %number : i32
        linalg.yield %q : i32
      } -> tensor<?x80xi32>
      scf.yield %y : tensor<?x80xi32>
    }
    scf.yield %u : tensor<?x80xi32>
  }
  return %r : tensor<?x80xi32>
}

// One row of what is carried is another one: the others stay.
func.func @placed(%x: tensor<6x5000xf32>, %n: index) -> tensor<6x5000xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<6x5000xf32> {
    %at = arith.remui %i, %c6 : index
    %row = tensor.extract_slice %t[%at, 0] [1, 5000] [1, 1] : tensor<6x5000xf32> to tensor<5000xf32>
    %e = tensor.empty() : tensor<5000xf32>
    %y = linalg.add ins(%row, %row : tensor<5000xf32>, tensor<5000xf32>) outs(%e : tensor<5000xf32>) -> tensor<5000xf32>
    %u = tensor.insert_slice %y into %t[%at, 0] [1, 5000] [1, 1] : tensor<5000xf32> into tensor<6x5000xf32>
    scf.yield %u : tensor<6x5000xf32>
  }
  return %r : tensor<6x5000xf32>
}

// Marks in front of the loop hold in it.
func.func @marked(%x: tensor<?x64xf32>, %live: tensor<?xi1>, %w: tensor<64x64xf32>, %n: index) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?x64xf32>
  %rows = pit.sparse %x by(%live : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x64xf32>
  %e = tensor.empty(%d) : tensor<?x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %f) -> tensor<?x64xf32> {
    %m = linalg.matmul ins(%rows, %w : tensor<?x64xf32>, tensor<64x64xf32>) outs(%t : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.yield %m : tensor<?x64xf32>
  }
  return %r : tensor<?x64xf32>
}

// Kernels in front of the loop and behind it, and a loop whose result starts another one.
func.func @behind(%x: tensor<64x65xf32>, %n: index) -> (tensor<64x65xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x65xf32>
  %a = linalg.add ins(%x, %x : tensor<64x65xf32>, tensor<64x65xf32>) outs(%e : tensor<64x65xf32>) -> tensor<64x65xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<64x65xf32> {
    %y = linalg.sub ins(%t, %x : tensor<64x65xf32>, tensor<64x65xf32>) outs(%e : tensor<64x65xf32>) -> tensor<64x65xf32>
    scf.yield %y : tensor<64x65xf32>
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %r) -> tensor<64x65xf32> {
    %y = linalg.mul ins(%t, %a : tensor<64x65xf32>, tensor<64x65xf32>) outs(%e : tensor<64x65xf32>) -> tensor<64x65xf32>
    scf.yield %y : tensor<64x65xf32>
  }
  %v = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%z : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.reduce ins(%r : tensor<64x65xf32>) outs(%f : tensor<64xf32>) dimensions = [1] (%p: f32, %q: f32) {
    %o = arith.addf %p, %q : f32
    linalg.yield %o : f32
  }
  return %s, %sum : tensor<64x65xf32>, tensor<64xf32>
}

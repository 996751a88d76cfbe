// Tensors that loops and branches pass on, and parallel loops: kernels compute what the CPU does.
// UNSUPPORTED: sanitizer
// RUN: %emulated-cuda pit-run %s --entry=doubled --target=cuda --chip=sm_90a --random=normal --random=const:3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=swapped --target=cuda --chip=sm_90a --random=iota --random=normal --random=const:3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=chosen --target=cuda --chip=sm_90a --random=const:1 --random=normal@5 --random=normal@3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=chosen --target=cuda --chip=sm_90a --random=const:0 --random=normal@5 --random=normal@3 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=until --target=cuda --chip=sm_90a --random=ones --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=parallel --target=cuda --chip=sm_90a --random=normal@9x4 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=selected --target=cuda --chip=sm_90a --random=const:1 --random=normal@3x5 --random=normal@3x5 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=selected --target=cuda --chip=sm_90a --random=const:0 --random=normal@1x1 --random=normal@1x1 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=selected_by_data --target=cuda --chip=sm_90a --random=const:5 --random=randint:0:99 --random=randint:0:99 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=selected_by_data --target=cuda --chip=sm_90a --random=const:-5 --random=randint:0:99 --random=randint:0:99 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=selected_in_loop --target=cuda --chip=sm_90a --random=const:3 --random=normal --random=normal --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=of_one_extent --target=cuda --chip=sm_90a --random=const:3 --random=normal@6 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=while_of_one_extent --target=cuda --chip=sm_90a --random=const:3 --random=normal@6 --check --quiet | FileCheck %s
// CHECK: check: result 0: {{bit-identical|.*within}}

// A choice is spread over the device: as many blocks as its elements ask for.
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: carried.mlir:{{.*}}Family="one thread for each element"

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

func.func @selected(%c: i1, %x: tensor<?x?xf16>, %y: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %r = arith.select %c, %x, %y : tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}

func.func @selected_by_data(%c: tensor<1xi32>, %x: tensor<1x700xi8>, %y: tensor<1x700xi8>) -> tensor<1x700xi8> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %v = tensor.extract %c[%c0] : tensor<1xi32>
  %p = arith.cmpi sgt, %v, %zero : i32
  %r = arith.select %p, %x, %y : tensor<1x700xi8>
  return %r : tensor<1x700xi8>
}

func.func @selected_in_loop(%n: index, %x: tensor<6xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<6xf32> {
    %p = arith.cmpi eq, %i, %c1 : index
    %e = tensor.empty() : tensor<6xf32>
    %s = linalg.add ins(%t, %y : tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<6xf32>) -> tensor<6xf32>
    %u = arith.select %p, %t, %s : tensor<6xf32>
    scf.yield %u : tensor<6xf32>
  }
  return %r : tensor<6xf32>
}

// What each iteration makes is as long as what the loop starts with, and so is what it was given.
func.func @of_one_extent(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %f) -> tensor<?xf32> {
    %o = tensor.empty(%d) : tensor<?xf32>
    %s = linalg.add ins(%t, %x : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

func.func @while_of_one_extent(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r:2 = scf.while (%t = %f, %i = %c0) : (tensor<?xf32>, index) -> (tensor<?xf32>, index) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %t, %i : tensor<?xf32>, index
  } do {
  ^bb0(%u: tensor<?xf32>, %j: index):
    %o = tensor.empty(%d) : tensor<?xf32>
    %s = linalg.add ins(%u, %x : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    %k = arith.addi %j, %c1 : index
    scf.yield %s, %k : tensor<?xf32>, index
  }
  return %r#0 : tensor<?xf32>
}

// What a pattern reaches inside of branches and loops skips as elsewhere.
// RUN: pit-run %s --random=const:1 --random=normal@64x32 --random=bool:.1@64 --random=normal --check --report | FileCheck %s --check-prefixes=CHECK,BRANCH
// RUN: pit-run %s --random=const:0 --random=normal@64x32 --random=bool:.1@64 --random=normal --check --no-dense-variants | FileCheck %s
// RUN: pit-run %s --random=const:1 --random=normal@64x32 --random=bool:.9@64 --random=normal --check | FileCheck %s
// RUN: pit-run %s --entry loop --random=const:5 --random=normal@3x9x6 --random=lengths:0:9@3 --random=normal --check --report | FileCheck %s --check-prefixes=CHECK,LOOP
// RUN: pit-run %s --entry loop --random=const:0 --random=normal@3x9x6 --random=lengths:0:9@3 --random=normal --check | FileCheck %s
// RUN: pit-run %s --entry inner --random=const:5 --random=normal@40x6 --random=bool:.2@40 --random=normal --check --report | FileCheck %s --check-prefixes=CHECK,INNER
// RUN: pit-run %s --entry while --random=const:3 --random=normal@40x6 --random=bool:.2@40 --random=normal --check --report | FileCheck %s --check-prefixes=CHECK,WHILE
// RUN: pit-run %s --entry demand --random=const:1 --random=normal@40x6 --random=bool:.2@40 --random=normal --check --report | FileCheck %s --check-prefixes=CHECK,DEMAND
// On a device nothing is skipped there, which is said.
// RUN: %cuda pit-run %s --target cuda --random=const:1 --random=normal@64x32 --random=bool:.1@64 --random=normal --check 2>&1 | FileCheck %s --check-prefixes=DEVICE,CHECK
// RUN: %cuda pit-run %s --target cuda --entry loop --random=const:5 --random=normal@3x9x6 --random=lengths:0:9@3 --random=normal --check | FileCheck %s
// RUN: %cuda pit-run %s --target cuda --entry while --random=const:3 --random=normal@40x6 --random=bool:.2@40 --random=normal --check | FileCheck %s
// DEVICE: marks-and-regions.mlir:{{.*}}: warning: is computed densely, although an operand has pattern 0 (mask at {{.*}}): patterns do not reach into the regions of a 'scf.if'
// CHECK: check: result 0: {{bit-identical|agrees}}

// BRANCH: mask, dead-result{{.*}}3/64
func.func @main(%c: i1, %x: tensor<?x32xf32> {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 0>, absent = "zero"}},
                %m: tensor<?xi1>, %w: tensor<32x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x32xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r = scf.if %c -> tensor<?x16xf32> {
    %p = linalg.matmul ins(%x, %w : tensor<?x32xf32>, tensor<32x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
    scf.yield %p : tensor<?x16xf32>
  } else {
    scf.yield %f : tensor<?x16xf32>
  }
  return %r : tensor<?x16xf32>
}

// The pattern's index is made once, in front of the loop. Sums add to what the loop carries.
// LOOP: {{^}}0 {{.*}} lengths, 
func.func @loop(%times: index, %x: tensor<?x?x6xf32> {pit.sparse = {source = "lengths", from = 2 : i64, axes = array<i64: 0, 1>, absent = "zero"}},
                %l: tensor<?xi64>, %w: tensor<6x5xf32>) -> tensor<?x?x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?x6xf32>
  %k = tensor.dim %x, %c1 : tensor<?x?x6xf32>
  %e = tensor.empty(%n, %k) : tensor<?x?x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?x5xf32>) -> tensor<?x?x5xf32>
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%acc = %f) -> tensor<?x?x5xf32> {
    %p = linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (k, j)>, affine_map<(b, i, j, k) -> (b, i, j)>],
                         iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<?x?x6xf32>, tensor<6x5xf32>) outs(%acc : tensor<?x?x5xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<?x?x5xf32>
    scf.yield %p : tensor<?x?x5xf32>
  }
  return %r : tensor<?x?x5xf32>
}

// The mark is in the loop: what is dead follows from what the loop carries.
// INNER: {{^}}0 {{.*}} mask, 
func.func @inner(%times: index, %x: tensor<?x6xf32>, %m: tensor<?xi1>, %w: tensor<6x6xf32>) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %e = tensor.empty(%n) : tensor<?x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%t = %x) -> tensor<?x6xf32> {
    %s = linalg.exp {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 0>, absent = "zero"}}
      ins(%t : tensor<?x6xf32>) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
    %p = linalg.matmul ins(%s, %w : tensor<?x6xf32>, tensor<6x6xf32>) outs(%f : tensor<?x6xf32>) -> tensor<?x6xf32>
    %q = linalg.tanh ins(%p : tensor<?x6xf32>) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
    scf.yield %q : tensor<?x6xf32>
  }
  return %r : tensor<?x6xf32>
}

// WHILE: {{^}}0 {{.*}} mask, 
func.func @while(%times: i64, %x: tensor<?x6xf32> {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 0>, absent = "zero"}},
                 %m: tensor<?xi1>, %w: tensor<6x6xf32>) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %e = tensor.empty(%n) : tensor<?x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %r:2 = scf.while (%i = %times, %acc = %f) : (i64, tensor<?x6xf32>) -> (i64, tensor<?x6xf32>) {
    %more = arith.cmpi sgt, %i, %zero : i64
    scf.condition(%more) %i, %acc : i64, tensor<?x6xf32>
  } do {
  ^bb0(%i: i64, %acc: tensor<?x6xf32>):
    %p = linalg.matmul ins(%x, %w : tensor<?x6xf32>, tensor<6x6xf32>) outs(%acc : tensor<?x6xf32>) -> tensor<?x6xf32>
    %next = arith.subi %i, %one : i64
    scf.yield %next, %p : i64, tensor<?x6xf32>
  }
  return %r#1 : tensor<?x6xf32>
}

// Two branches read one product: it is needed where the mask is live alone, and stays packed across both.
// DEMAND: {{^}}0 {{.*}} mask, demand
func.func @demand(%c: i1, %x: tensor<?x6xf32>, %m: tensor<?xi1>, %w: tensor<6x6xf32>) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %e = tensor.empty(%n) : tensor<?x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x6xf32>, tensor<6x6xf32>) outs(%f : tensor<?x6xf32>) -> tensor<?x6xf32>
  %s = tensor.cast %p {pit.sparse = {source = "mask", from = 2 : i64, axes = array<i64: 0>, absent = "zero"}} : tensor<?x6xf32> to tensor<?x6xf32>
  %r = scf.if %c -> tensor<?x6xf32> {
    %q = linalg.matmul ins(%s, %w : tensor<?x6xf32>, tensor<6x6xf32>) outs(%f : tensor<?x6xf32>) -> tensor<?x6xf32>
    scf.yield %q : tensor<?x6xf32>
  } else {
    %q = linalg.add ins(%s, %s : tensor<?x6xf32>, tensor<?x6xf32>) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
    scf.yield %q : tensor<?x6xf32>
  }
  return %r : tensor<?x6xf32>
}

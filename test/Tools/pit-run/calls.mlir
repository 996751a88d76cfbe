// Marks and found patterns pass calls: into the callee, out of it, and through regions on the way.

// A mark in the caller, a product in the callee, inside of a branch and of a loop.
// RUN: pit-run %s --target cpu --entry into --random=normal@64x8 --random=bool:.1@64 --random=normal --random=const:1 --check --report --quiet | FileCheck %s --check-prefix=SKIPS
// RUN: %cuda pit-run %s --target cuda --chip sm_90a --entry into --random=normal@64x8 --random=bool:.1@64 --random=normal --random=const:1 --check --quiet | FileCheck %s
// RUN: pit-run %s --target cpu --entry looped --random=normal@64x8 --random=bool:.1@64 --random=normal --random=const:3 --check --report --quiet | FileCheck %s --check-prefix=SKIPS
// A mark in the callee, whose result the caller multiplies.
// RUN: pit-run %s --target cpu --entry out_of --random=normal@64x8 --random=bool:.1@64 --random=normal --check --report --quiet | FileCheck %s --check-prefix=SKIPS
// A mask that the program applies itself.
// RUN: pit-run %s --target cpu --entry found --random=normal@64x8 --random=bool:.1@64 --random=normal --check --report --quiet | FileCheck %s --check-prefix=SKIPS
// CHECK: check: result 0: {{bit-identical|.*within|agrees}}
// SKIPS: check: result 0: {{bit-identical|.*within|agrees}}
// SKIPS: calls.mlir:[[#PRODUCT:]]:{{.*}} mask, dead-result {{.*}} {{[89][0-9]\.[0-9]}}%
// SKIPS: report: skipped

// What is wrong with arguments is reported at the op in the callee.
// RUN: not pit-run %s --target cpu --entry into --random=normal@64x8 --random=bool:.1@63 --random=normal --random=const:1 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: pit-run: error: {{.*}}calls.mlir:[[#]]:{{[0-9]+}}: 'pit.sparse': dimension 0 of its mask is 63, dimension 0 of the marked tensor is 64

func.func private @product(%a: tensor<?x8xf32>, %b: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

func.func private @marked(%a: tensor<?x8xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}}, %m: tensor<?xi1>) -> tensor<?x8xf32> {
  %r = arith.negf %a : tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

func.func @into(%a: tensor<?x8xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}}, %m: tensor<?xi1>, %b: tensor<8x8xf32>, %c: i1) -> tensor<?x8xf32> {
  %r = scf.if %c -> tensor<?x8xf32> {
    %p = func.call @product(%a, %b) : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
    scf.yield %p : tensor<?x8xf32>
  } else {
    scf.yield %a : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

func.func @looped(%a: tensor<?x8xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}}, %m: tensor<?xi1>, %b: tensor<8x8xf32>, %k: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%t = %a) -> tensor<?x8xf32> {
    %p = func.call @product(%a, %b) : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
    %s = arith.addf %t, %p : tensor<?x8xf32>
    scf.yield %s : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

func.func @out_of(%a: tensor<?x8xf32>, %m: tensor<?xi1>, %b: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %s = func.call @marked(%a, %m) : (tensor<?x8xf32>, tensor<?xi1>) -> tensor<?x8xf32>
  %r = func.call @product(%s, %b) : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

#m = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
func.func @found(%a: tensor<?x8xf32>, %m: tensor<?xi1>, %b: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %s = linalg.generic {indexing_maps = [#m, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%m, %a : tensor<?xi1>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%p: i1, %x: f32, %o: f32):
    %v = arith.select %p, %x, %z : f32
    linalg.yield %v : f32
  } -> tensor<?x8xf32>
  %r = func.call @product(%s, %b) : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

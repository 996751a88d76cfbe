// Which variant of a rule runs follows from what is live; each of them agrees with the dense program, and --check also compares the sparse one.

// RUN: pit-run %s --entry strips --target cpu --random block-sparse:32x1:0.05 --random normal --check --report | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: pit-run %s --entry strips --target cpu --random block-sparse:32x1:0.95 --random normal --check --report | FileCheck %s --check-prefixes=CHECK,SPARSE
// Asked not to, it always skips.
// RUN: pit-run %s --entry strips --target cpu --random ones --random normal --check --report --no-dense-variants | FileCheck %s --check-prefix=ALWAYS
// Strips that are cut, at m = 70, and none at all.
// RUN: pit-run %s --entry dynamic --target cpu --random ones@70x200 --random normal --check --report | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: pit-run %s --entry dynamic --target cpu --random zeros@70x200 --random normal --check --report | FileCheck %s --check-prefixes=CHECK,SPARSE
// RUN: pit-run %s --entry dynamic --target cpu --random ones@0x200 --random normal --check | FileCheck %s
// A product that adds to a tensor, which both variants start from.
// RUN: pit-run %s --entry adds --target cpu --random ones --random normal --random normal --check --report | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: pit-run %s --entry adds --target cpu --random zeros --random normal --random normal --check --report | FileCheck %s --check-prefixes=CHECK,SPARSE
// The user's word.
// RUN: pit-run %s --entry opted_out --target cpu --random ones --random normal --check --report | FileCheck %s --check-prefix=ALWAYS
// Entry points of the C ABI choose as well: the offsets are compared in the code.
// RUN: pit-opt %s --pit-to-loops | FileCheck %s --check-prefix=LOOPS
// RUN: pit-opt %s --pit-to-loops=dense-variants=false | FileCheck %s --check-prefix=OFF
// RUN: pit-opt %s --pit-to-loops=tiles-on-buffers | FileCheck %s --check-prefix=LOOPS

// CHECK: check: result 0: bit-identical
// CHECK-NEXT: check: without dense variants, result 0: bit-identical
// DENSE: {{% +dense +[0-9.]+ +[0-9.]+ +[0-9.]+$}}
// SPARSE: {{% +sparse +[0-9.]+ +[0-9.]+ +[0-9.]+$}}
// ALWAYS: check: result 0: bit-identical
// ALWAYS-NOT: without dense variants
// ALWAYS: {{ - +sparse }}

// LOOPS-LABEL: func.func @strips
// LOOPS:       arith.cmpi ugt
// LOOPS-NEXT:  scf.if
// OFF-LABEL:   func.func @strips
// OFF-NOT:     arith.cmpi ugt, {{.*}} : i64
// OFF:         return
func.func @strips(%a: tensor<96x200xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>}},
                  %b: tensor<200x72xf32>) -> tensor<96x72xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96x72xf32>) -> tensor<96x72xf32>
  %c = linalg.matmul ins(%a, %b : tensor<96x200xf32>, tensor<200x72xf32>) outs(%f : tensor<96x72xf32>) -> tensor<96x72xf32>
  return %c : tensor<96x72xf32>
}

func.func @dynamic(%a: tensor<?x200xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>}},
                   %b: tensor<200x72xf32>) -> tensor<?x72xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x200xf32>
  %e = tensor.empty(%m) : tensor<?x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x72xf32>) -> tensor<?x72xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x200xf32>, tensor<200x72xf32>) outs(%f : tensor<?x72xf32>) -> tensor<?x72xf32>
  return %c : tensor<?x72xf32>
}

func.func @adds(%a: tensor<96x200xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>}},
                %b: tensor<200x72xf32>, %f: tensor<96x72xf32>) -> tensor<96x72xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<96x200xf32>, tensor<200x72xf32>) outs(%f : tensor<96x72xf32>) -> tensor<96x72xf32>
  return %c : tensor<96x72xf32>
}

func.func @opted_out(%a: tensor<96x200xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 32, 1>}},
                     %b: tensor<200x72xf32>) -> tensor<96x72xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96x72xf32>) -> tensor<96x72xf32>
  %c = linalg.matmul {pit.dense_variant = false} ins(%a, %b : tensor<96x200xf32>, tensor<200x72xf32>)
    outs(%f : tensor<96x72xf32>) -> tensor<96x72xf32>
  return %c : tensor<96x72xf32>
}

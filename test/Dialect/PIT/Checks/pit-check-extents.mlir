// What arguments must agree in is said in a function of its own; the function itself stays as it is.
// RUN: pit-opt %s --pit-materialize-marks --pit-check-extents -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-materialize-marks --pit-check-extents -split-input-file --remarks-filter=pit-checks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @product(
// CHECK-SAME: attributes {pit.checks = @product_checks}
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @product_checks(
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<?x8xf32>, %[[C:.*]]: tensor<?x8xf32>)
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[A]], %c0
// CHECK-DAG: %[[K:.*]] = tensor.dim %[[A]], %c1
// CHECK-DAG: %[[KB:.*]] = tensor.dim %[[B]], %c0
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[K]], %[[KB]]
// CHECK: pit.check %[[SAME]], "{{.*}}: 'linalg.matmul': dimension 1 of operand 0 is {0}, dimension 0 of operand 1 is {1}"(%[[K]], %[[KB]])
// CHECK-NOT: = linalg
// CHECK: return
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x8xf32>, %c: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x8xf32>) outs(%c : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// -----

// Static extents need no check.
// CHECK-LABEL: func.func @static(
// CHECK-NOT: pit.check
// CHECK: return
func.func @static(%a: tensor<4x5xf32>, %b: tensor<5x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<5x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// Equal things are said once, and what follows from what is required before is not said again.
// CHECK-LABEL: func.func private @chain_checks(
// CHECK-COUNT-2: arith.cmpi eq
// CHECK-NOT: arith.cmpi eq
// CHECK: return
func.func @chain(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %a, %b : tensor<?xf32>
  %1 = arith.addf %b, %c : tensor<?xf32>
  %2 = arith.addf %0, %1 : tensor<?xf32>
  %3 = arith.mulf %a, %c : tensor<?xf32>
  %4 = arith.addf %2, %3 : tensor<?xf32>
  return %4 : tensor<?xf32>
}

// -----

// A whole slice needs none.
// CHECK-LABEL: func.func private @whole_checks(
// CHECK-NOT: 'tensor.extract_slice'
// CHECK: return
func.func @whole(%a: tensor<?x8xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x8xf32>
  %r = tensor.extract_slice %a[0, 2] [%n, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

// Of what depends on elements, only that some offset fits is known before. The offset is looked at where it is used.
// CHECK-LABEL: func.func @computed(
// CHECK: func.call @pit_rt_bad_index(
// CHECK-LABEL: func.func private @computed_checks(
// CHECK: 'tensor.extract_slice': takes {0} elements of dimension 0, which is {1}
// CHECK-NOT: 'tensor.extract_slice'
// CHECK: return
func.func @computed(%a: tensor<?xf32>, %at: tensor<1xindex>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %o = tensor.extract %at[%c0] : tensor<1xindex>
  %r = tensor.extract_slice %a[%o] [4] [1] : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// A function that calls itself is looked into once.
// CHECK-LABEL: func.func private @again_checks(
func.func @again(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %s = arith.addf %a, %b : tensor<?xf32>
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> tensor<?xf32> {
    scf.yield %s : tensor<?xf32>
  } else {
    %c1 = arith.constant 1 : index
    %m = arith.subi %n, %c1 : index
    %t = func.call @again(%s, %b, %m) : (tensor<?xf32>, tensor<?xf32>, index) -> tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// In a loop whose bound varies, and with a size that is not linear in the iteration's number, they are as well.
// CHECK-LABEL: func.func @nest(
// CHECK-COUNT-2: func.call @pit_rt_bad_index(
// CHECK-LABEL: func.func private @nest_checks(
// CHECK-NOT: 'tensor.extract'
// CHECK: return
// CHECK-LABEL: func.func @tiles(
// CHECK: func.call @pit_rt_bad_index(
// REMARK: remark: {{.*}}pit-checks{{.*}}Function=again | {{.*}}func.call,
// REMARK-NOT: Op=tensor.extract
func.func @nest(%a: tensor<?x?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z) -> f32 {
    %q = scf.for %j = %c0 to %i step %c1 iter_args(%y = %x) -> f32 {
      %e = tensor.extract %a[%i, %j] : tensor<?x?xf32>
      %s = arith.addf %e, %y : f32
      scf.yield %s : f32
    }
    scf.yield %q : f32
  }
  return %r : f32
}
func.func @tiles(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%x = %a) -> tensor<?xf32> {
    %w = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%n]
    %s = tensor.extract_slice %x[%i] [%w] [1] : tensor<?xf32> to tensor<?xf32>
    %y = tensor.insert_slice %s into %x[%i] [%w] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// Nothing of a body in several blocks is required that one of them may skip, and a loop's bounds may be no index.
// CHECK-LABEL: func.func private @blocks_checks(
// CHECK-NOT: 'arith.addf'
// CHECK: return
func.func @blocks(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  cf.cond_br %c, ^one, ^two
^one:
  %s = arith.addf %a, %b : tensor<?xf32>
  return %s : tensor<?xf32>
^two:
  return %a : tensor<?xf32>
}
func.func @other(%a: tensor<?xf32>, %n: i32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> : i32 {
    %o = arith.index_cast %i : i32 to index
    %e = tensor.extract %x[%o] : tensor<?xf32>
    %y = tensor.insert %e into %x[%o] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// A loop may count in integers.
// CHECK-LABEL: func private @counts_in_integers_checks(
// CHECK-SAME: %[[STEP:[a-z0-9]+]]: i32
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[STEP]] : i32 to index
// CHECK: pit.check {{.*}}(%[[INDEX]]
func.func @counts_in_integers(%step: i32, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %step step %step iter_args(%t = %x) -> (tensor<4xf32>) : i32 {
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Extents of what was reshaped are those that its ops say, also of unit axes.
// CHECK-LABEL: func.func private @reshaped_checks(
// CHECK: %[[ALL:.*]] = arith.muli
// CHECK: pit.check {{.*}}'pit.sparse': dimension 0 of its mask is {0}, dimension 1 of the marked tensor is {1}"(%{{.*}}, %[[ALL]])
func.func @reshaped(%a: tensor<?x6x1x?xf32>, %m: tensor<?xi1>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %a, %c0 : tensor<?x6x1x?xf32>
  %k = tensor.dim %a, %c3 : tensor<?x6x1x?xf32>
  %e = tensor.expand_shape %a [[0], [1], [2], [3, 4]] output_shape [%n, 6, 1, %k, 1] : tensor<?x6x1x?xf32> into tensor<?x6x1x?x1xf32>
  %r = tensor.collapse_shape %e [[0], [1, 2, 3, 4]] : tensor<?x6x1x?x1xf32> into tensor<?x?xf32>
  %s = pit.sparse %r by(%m : tensor<?xi1>) <kind = mask, axes = [1]> : tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// -----

// A product of two extents as an affine map: known at entry, so that nothing in the function is guarded. It may wrap around.
#product = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-LABEL: func.func @products(
// CHECK-NOT: {{scf.if|pit.check }}
// CHECK: tensor.expand_shape
// CHECK-NOT: {{scf.if|pit.check }}
// CHECK: func private @products_checks(
// CHECK-NOT: overflow
// CHECK: return
func.func @products(%x: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?x8xf32>
  %rows = affine.apply #product()[%m, %n]
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
  %e = tensor.empty(%rows) : tensor<?x8xf32>
  %y = linalg.exp ins(%flat : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = tensor.expand_shape %y [[0, 1], [2]] output_shape [%m, %n, 8] : tensor<?x8xf32> into tensor<?x?x8xf32>
  return %r : tensor<?x?x8xf32>
}

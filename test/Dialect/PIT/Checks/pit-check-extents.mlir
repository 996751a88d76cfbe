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

// What depends on elements is not known before, and said to be so.
// CHECK-LABEL: func.func private @computed_checks(
// CHECK-NOT: 'tensor.extract_slice'
// CHECK: return
// REMARK: remark: {{.*}}pit-checks{{.*}}tensor.extract_slice
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

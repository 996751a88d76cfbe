// Calls are inlined where patterns may pass them: of marks, and of what the program says itself.
// RUN: pit-opt %s --pit-inline-calls -split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-inline-calls="infer=false" -split-input-file | FileCheck %s --check-prefix=MARKED
// RUN: pit-opt %s --pit-inline-calls="most=0" -split-input-file --remarks-filter=pit-rules 2>&1 | FileCheck %s --check-prefix=MOST

// The callee is gone, as nobody calls it any more.
// CHECK-NOT: @product
// CHECK-LABEL: func.func @marked(
// CHECK: pit.sparse
// CHECK: linalg.matmul
// CHECK: pit.sparse
// CHECK: linalg.matmul
// CHECK-NOT: call
// MARKED-LABEL: func.func @marked(
// MARKED-NOT: call
// MOST: remark: {{.*}}the call is not inlined, as the program would grow by more than 0 ops; patterns end at the call
// MOST-LABEL: func.func @marked(
// MOST: call @product
func.func private @product(%a: tensor<64x8xf32>, %m: tensor<64xi1>, %b: tensor<8x8xf32>) -> tensor<64x8xf32> {
  %s = pit.sparse %a by(%m : tensor<64xi1>) <kind = mask, axes = [0]> : tensor<64x8xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %r = linalg.matmul ins(%s, %b : tensor<64x8xf32>, tensor<8x8xf32>) outs(%f : tensor<64x8xf32>) -> tensor<64x8xf32>
  return %r : tensor<64x8xf32>
}
func.func @marked(%a: tensor<64x8xf32>, %m: tensor<64xi1>, %b: tensor<8x8xf32>) -> tensor<64x8xf32> {
  %r = func.call @product(%a, %m, %b) : (tensor<64x8xf32>, tensor<64xi1>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %t = func.call @product(%r, %m, %b) : (tensor<64x8xf32>, tensor<64xi1>, tensor<8x8xf32>) -> tensor<64x8xf32>
  return %t : tensor<64x8xf32>
}

// -----

// Truth values, which marks are inferred from.
// CHECK-LABEL: func.func @masked(
// CHECK-NOT: call
// MARKED-LABEL: func.func @masked(
// MARKED: call @negate
func.func private @negate(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.negf %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @masked(%a: tensor<4xf32>, %m: tensor<4xi1>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %s = arith.select %m, %a, %z : tensor<4xi1>, tensor<4xf32>
  %r = func.call @negate(%s) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Without anything of the kind, calls stay.
// CHECK-LABEL: func.func @plain(
// CHECK: call @negate
func.func private @negate(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.negf %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @plain(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = func.call @negate(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// What calls itself stays a call, also in a region; a number alone takes no pattern along.
// CHECK-LABEL: func.func @recursive(
// CHECK: call @again
// CHECK: call @number
func.func private @number(%n: index) -> index {
  %r = arith.addi %n, %n : index
  return %r : index
}
func.func private @again(%a: tensor<4xf32>, %m: tensor<4xi1>, %n: index) -> tensor<4xf32> {
  %s = pit.sparse %a by(%m : tensor<4xi1>) <kind = mask, axes = [0]> : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %c -> tensor<4xf32> {
    scf.yield %s : tensor<4xf32>
  } else {
    %k = arith.subi %n, %c1 : index
    %t = func.call @again(%s, %m, %k) : (tensor<4xf32>, tensor<4xi1>, index) -> tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @recursive(%a: tensor<4xf32>, %m: tensor<4xi1>, %n: index) -> (tensor<4xf32>, index) {
  %r = func.call @again(%a, %m, %n) : (tensor<4xf32>, tensor<4xi1>, index) -> tensor<4xf32>
  %k = func.call @number(%n) : (index) -> index
  return %r, %k : tensor<4xf32>, index
}

// -----

// What is called without patterns stays a call, unless the extents of what it yields follow from what it is given.
// CHECK-LABEL: func.func @unmarked(
// CHECK: call @known
// CHECK-NOT: call
// CHECK: math.exp
// CHECK: return
func.func private @known(%a: tensor<8xf32>) -> tensor<8xf32> {
  %r = math.absf %a : tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @unknown(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = math.exp %a : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @unmarked(%a: tensor<8xf32>, %b: tensor<?xf32>) -> (tensor<8xf32>, tensor<?xf32>) {
  %r = func.call @known(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %s = func.call @unknown(%b) : (tensor<?xf32>) -> tensor<?xf32>
  return %r, %s : tensor<8xf32>, tensor<?xf32>
}

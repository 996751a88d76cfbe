// What is compiled, without a word.
// RUN: pit-opt %s --pit-check-program -verify-diagnostics -split-input-file | FileCheck %s

// CHECK-LABEL: func.func private @unused(tensor<4xf32>)
func.func private @unused(tensor<4xf32>)
// CHECK: func.func private @pit_rt_timer_start(i64)
func.func private @pit_rt_timer_start(i64)
func.func private @defined(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<?x6xf32> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, pad = "left"}},
                %l: tensor<?xi64>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<?x?xf32>) {
  %number = arith.constant 0 : i64
  func.call @pit_rt_timer_start(%number) : (i64) -> ()
  %0 = func.call @defined(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, %n] high[%n, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } {pit.dense} : tensor<?x6xf32> to tensor<?x?xf32>
  // CHECK: linalg.exp {pit.dense, pit.sparse
  %1 = linalg.exp {pit.dense, pit.sparse = {source = "values", axes = array<i64: 0>}} ins(%0 : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %1, %p : tensor<4xf32>, tensor<?x?xf32>
}

// -----

// A name that no mark is read from.
func.func @unread(%x: tensor<4xf32>, %m: tensor<4x1xi1>) -> tensor<4xf32> {
  %0 = tensor.collapse_shape %m [[0, 1]] {pit.source = "read"} : tensor<4x1xi1> into tensor<4xi1>
  // expected-warning @below {{'pit.source' has no effect, as no mark of the function is read from "unread"}}
  %1 = tensor.collapse_shape %m [[0, 1]] {pit.source = ["unread"]} : tensor<4x1xi1> into tensor<4xi1>
  %y = linalg.exp {pit.sparse = {source = "mask", from = "read", axes = array<i64: 0>}} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Where tensors lie is not the program's to say.
// CHECK-LABEL: func @places(
// CHECK-SAME: tensor<?xf32>)
// CHECK: bufferization.alloc_tensor() : tensor<5xf32>
// expected-warning @below {{argument 0: 'bufferization.buffer_layout' has no effect; tensors of functions lie in one piece}}
func.func @places(%x: tensor<?xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0 + 5)>}) -> (tensor<5xf32>, tensor<?xf32>) {
  // expected-warning @below {{'memory_space' has no effect; where a tensor lies follows from its uses}}
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<5xf32>
  return %a, %x : tensor<5xf32>, tensor<?xf32>
}

// -----

// A misspelt name without which the program computes the same has no effect, and says so. The mark beside it stays.
// CHECK-LABEL: func @misspelt(
// expected-warning @below {{the pit dialect has no attribute 'pit.rulez'; did you mean 'pit.rule' or 'pit.rules'? It has no effect}}
// expected-warning @below {{argument 0: the pit dialect has no attribute 'pit.liv'; did you mean 'pit.live'? It has no effect}}
// expected-warning @below {{result 0: the pit dialect has no attribute 'pit.fact'; did you mean 'pit.facts'? It has no effect}}
func.func @misspelt(%x: tensor<4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>}, pit.liv = 0.5}, %c: i1)
    -> (tensor<4xf32> {pit.fact}) attributes {pit.rulez} {
  // CHECK: linalg.exp {pit.dense_variants = false}
  // expected-warning @below {{the pit dialect has no attribute 'pit.dense_variants'; did you mean 'pit.dense_variant'? It has no effect}}
  %0 = linalg.exp {pit.dense_variants = false} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  // expected-warning @below {{the pit dialect has no attribute 'pit.denze'; did you mean 'pit.dense'? It has no effect}}
  %1 = scf.if %c -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %0 : tensor<4xf32>
  } {pit.denze}
  return %1 : tensor<4xf32>
}

// -----

// A bound of the points of each row says nothing where there is one axis.
// CHECK-LABEL: func.func @bounds(
// expected-warning @below {{argument 0: 'at_most' of a 'pit.sparse' mark has no effect with one axis; it bounds the live points of each row of a pattern}}
func.func @bounds(%x: tensor<4x4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>, at_most = 2 : i64}},
                  %y: tensor<4x4xf32> {pit.sparse = {source = "values", axes = array<i64: 0, 1>, at_most = 2 : i64}}) {
  return
}

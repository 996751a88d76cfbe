// Names that stand for nothing, or for what a mark cannot be read from, and elements that no pattern is read from.
// RUN: pit-opt %s --pit-materialize-marks -split-input-file -verify-diagnostics

// expected-error @below {{argument 0: 'from' of a 'pit.sparse' mark names the source "live"; no op of the function has a name, which is the attribute 'pit.source'; where nothing reads its results, clean-ups remove an op that has one, so let '--pit-materialize-marks' run in front of them}}
func.func @none(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = "live", axes = array<i64: 0>}}) { return }

// -----

// expected-error @below {{'from' of a 'pit.sparse' mark names the source "live"; no op of the function has a name}}
func.func private @declared(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = "live", axes = array<i64: 0>}})

// -----

func.func @unknown(%x: tensor<4xf32>, %m: tensor<4x1xi1>) -> tensor<4xf32> {
  %0 = tensor.collapse_shape %m [[0, 1]] {pit.source = "live"} : tensor<4x1xi1> into tensor<4xi1>
  %1 = tensor.collapse_shape %m [[0, 1]] {pit.source = ["other"]} : tensor<4x1xi1> into tensor<4xi1>
  // expected-error @below {{'from' of a 'pit.sparse' mark names the source "lives"; the function has "live", "other"}}
  %y = linalg.exp {pit.sparse = {source = "mask", from = "lives", axes = array<i64: 0>}} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @below {{'from' of a 'pit.sparse' mark must be the number of an argument, or the name of a source, got true}}
func.func @from(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = true, axes = array<i64: 0>}}) { return }

// -----

func.func @twice(%m: tensor<4x1xi1>) {
  // expected-note @below {{the other one}}
  %0 = tensor.collapse_shape %m [[0, 1]] {pit.source = "live"} : tensor<4x1xi1> into tensor<4xi1>
  // expected-error @below {{'pit.source' names a result "live", as another one in the function is named}}
  %1 = tensor.collapse_shape %m [[0, 1]] {pit.source = "live"} : tensor<4x1xi1> into tensor<4xi1>
  return
}

// -----

func.func @twice_in_one(%c: i1, %x: tensor<4xf32>) {
  // expected-error @below {{'pit.source' names a result "live", as another one in the function is named}}
  %0:2 = scf.if %c -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  } {pit.source = ["live", "live"]}
  return
}

// -----

func.func @count(%c: i1, %x: tensor<4xf32>) {
  // expected-error @below {{has 2 results and 1 name in 'pit.source'; give an array of strings, one for each result, empty for none}}
  %0:2 = scf.if %c -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  } {pit.source = "live"}
  return
}

// -----

func.func @type(%x: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'pit.source' names a result "d" of the type 'index'; patterns are read from ranked tensors}}
  %0 = tensor.dim {pit.source = "d"} %x, %c0 : tensor<4xf32>
  return
}

// -----

func.func @value(%m: tensor<4x1xi1>) {
  // expected-error @below {{'pit.source' must be a string, or an array of strings, one for each result, got 3 : i64}}
  %0 = tensor.collapse_shape %m [[0, 1]] {pit.source = 3 : i64} : tensor<4x1xi1> into tensor<4xi1>
  return
}

// -----

func.func @empty(%m: tensor<4x1xi1>) {
  // expected-error @below {{'pit.source' has no name that is not empty}}
  %0 = tensor.collapse_shape %m [[0, 1]] {pit.source = ""} : tensor<4x1xi1> into tensor<4xi1>
  return
}

// -----

// expected-error @below {{argument 0: 'pit.source' stands on an op with ranked tensors as results, not here}}
func.func @place(%m: tensor<4xi1> {pit.source = "live"}) { return }

// -----

// In front of the op, or nowhere.
func.func @behind(%x: tensor<4xf32>, %m: tensor<4x1xi1>) -> tensor<4xf32> {
  // expected-error @below {{'from' of a 'pit.sparse' mark names the source "live", which is computed behind this op, or where it may not run; it has to be computed in front}}
  %y = linalg.exp {pit.sparse = {source = "mask", from = "live", axes = array<i64: 0>}} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  // expected-note @below {{the source}}
  %0 = tensor.collapse_shape %m [[0, 1]] {pit.source = "live"} : tensor<4x1xi1> into tensor<4xi1>
  return %y : tensor<4xf32>
}

// -----

func.func @branch(%c: i1, %x: tensor<4xf32>, %m: tensor<4x1xi1>) -> tensor<4xf32> {
  scf.if %c {
    // expected-note @below {{the source}}
    %0 = tensor.collapse_shape %m [[0, 1]] {pit.source = "live"} : tensor<4x1xi1> into tensor<4xi1>
  }
  // expected-error @below {{which is computed behind this op, or where it may not run}}
  %y = linalg.exp {pit.sparse = {source = "mask", from = "live", axes = array<i64: 0>}} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// What contains the op is not computed yet.
func.func @around(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @below {{the source}}
  %r = scf.if %c -> (tensor<4xf32>) {
    // expected-error @below {{which is computed behind this op, or where it may not run}}
    %y = linalg.exp {pit.sparse = {source = "mask", from = "all", axes = array<i64: 0>}} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  } {pit.source = "all"}
  return %r : tensor<4xf32>
}

// -----

// expected-error @below {{argument 0: 'from' of a 'pit.sparse' mark names the source "live", which is computed from the argument itself; mark an op behind the source instead}}
func.func @itself(%x: tensor<4xf32> {pit.sparse = {source = "routing", from = "live", axes = array<i64: 0>}}) -> tensor<4xf32> {
  %0 = linalg.exp {pit.source = "live"} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

// Each is computed from the other.
// expected-error @below {{argument 1: 'from' of a 'pit.sparse' mark names the source "a", which is computed from the argument itself}}
func.func @each_other(%x: tensor<4xf32> {pit.sparse = {source = "routing", from = "b", axes = array<i64: 0>}},
                      %y: tensor<4xf32> {pit.sparse = {source = "routing", from = "a", axes = array<i64: 0>}}, %e: tensor<4xf32>) {
  %0 = linalg.exp {pit.source = "a"} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp {pit.source = "b"} ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error @below {{argument 0: 'from' of a 'pit.sparse' mark names the source "live", which is computed in a region or another block; the mark of an argument needs it where the function begins}}
func.func @region(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = "live", axes = array<i64: 0>}}, %c: i1, %m: tensor<4x1xi1>) {
  scf.if %c {
    %0 = tensor.collapse_shape %m [[0, 1]] {pit.source = "live"} : tensor<4x1xi1> into tensor<4xi1>
  }
  return
}

// -----

func.func private @f() -> tensor<4xi1>

// expected-error @below {{argument 0: 'from' of a 'pit.sparse' mark names the source "live", which cannot be computed in front of the first op that reads the argument, as it has side effects, or what it is computed from has}}
func.func @effects(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = "live", axes = array<i64: 0>}}) -> tensor<4xf32> {
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %0 = func.call @f() {pit.source = "live"} : () -> tensor<4xi1>
  return %y : tensor<4xf32>
}

// -----

// expected-error @below {{'from' of a 'pit.sparse' mark names argument 1 of elements 'f32', from which the source "lengths" cannot be read; it takes integers and indices; convert them by arith.fptosi, and name the result by 'pit.source'}}
func.func @lengths(%x: tensor<4x8xf32> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>}}, %l: tensor<4xf32>) { return }

// -----

// expected-error @below {{'from' of a 'pit.sparse' mark names argument 1 of elements 'i1', from which the source "lengths" cannot be read; it takes integers and indices; of truth values, the source is "mask"}}
func.func @lengths(%x: tensor<4x8xf32> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>}}, %l: tensor<4xi1>) { return }

// -----

// expected-error @below {{'from' of a 'pit.sparse' mark names argument 1 of elements 'ui8', from which the source "lengths" cannot be read; it takes signless integers and indices}}
func.func @lengths(%x: tensor<4x8xf32> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>}}, %l: tensor<4xui8>) { return }

// -----

// expected-error @below {{'from' of a 'pit.sparse' mark names argument 1 of elements 'complex<f32>', from which the source "mask" cannot be read; it takes signless integers, indices and floats that have a zero, and what is not zero is live; compute tensor<...xi1> of them, and name that by 'pit.source'}}
func.func @complex(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>}}, %m: tensor<4xcomplex<f32>>) { return }

// -----

// No zero.
// expected-error @below {{of elements 'f8E8M0FNU', from which the source "routing" cannot be read}}
func.func @powers(%x: tensor<4xf32> {pit.sparse = {source = "routing", from = 1 : i64, axes = array<i64: 0>}}, %m: tensor<4xf8E8M0FNU>) { return }

// -----

// expected-error @below {{C3: 'by' of a mask pattern must have rank 1, got 'tensor<4x1xi1>'}}
func.func @rank(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>}}, %m: tensor<4x1xi64>) { return }

// -----

func.func @extent(%x: tensor<4xf32>, %m: tensor<5x1xi64>) -> tensor<4xf32> {
  %0 = tensor.collapse_shape %m [[0, 1]] {pit.source = "live"} : tensor<5x1xi64> into tensor<5xi64>
  // expected-error @below {{C4: extent 0 of 'by' is 5, the pattern space needs 4}}
  %y = linalg.exp {pit.sparse = {source = "mask", from = "live", axes = array<i64: 0>}} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @values(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{C1: a values pattern takes no 'by' tensor}}
  %y = linalg.exp {pit.source = "own", pit.sparse = {source = "values", from = "own", axes = array<i64: 0>}} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

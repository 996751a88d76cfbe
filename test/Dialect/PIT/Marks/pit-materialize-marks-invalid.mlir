// RUN: pit-opt %s --pit-materialize-marks -split-input-file -verify-diagnostics

// expected-error @below {{argument 0: 'source' of a 'pit.sparse' mark is missing; it is one of values, mask, lengths, routing, blocks}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {axes = array<i64: 0>}}) { return }

// -----

// expected-error @below {{'source' of a 'pit.sparse' mark cannot be "zeros"; it is one of values, mask, lengths, routing, blocks}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "zeros", axes = array<i64: 0>}}) { return }

// -----

// expected-error @below {{a 'pit.sparse' mark needs 'axes'}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "values"}}) { return }

// -----

// expected-error @below {{'from' of a 'pit.sparse' mark names argument 7, the function has 1}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = 7 : i64, axes = array<i64: 0>}}) { return }

// -----

// expected-error @below {{unknown key 'granularty' in a 'pit.sparse' mark; did you mean 'granularity'?}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>, granularty = array<i64: 4>}}) { return }

// -----

// expected-error @below {{unknown key 'tile' in a 'pit.sparse' mark; the keys are source, from, axes, absent, pad, granularity, at_most, live}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>, tile = array<i64: 4>}}) { return }

// -----

// expected-error @below {{C4: extent 0 of 'by' is 5, the pattern space needs 4}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>}}, %m: tensor<5xi1>) { return }

// -----

// expected-error @below {{'pit.sparse' marks a ranked tensor, got 'f32'}}
func.func @f(%x: f32 {pit.sparse = {source = "values", axes = array<i64: 0>}}) { return }

// -----

// expected-error @below {{argument 0: 'pit.sparse' must be a dictionary, got 1 : i64}}
func.func @f(%x: tensor<4xf32> {pit.sparse = 1 : i64}) { return }

// -----

// expected-error @below {{'from' of a 'pit.sparse' mark names argument 1, which is no ranked tensor but 'index'}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>}}, %n: index) { return }

// -----

// expected-error @below {{'axes' of a 'pit.sparse' mark must be an array<i64>, got [0]}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "values", axes = [0]}}) { return }

// -----

func.func @f(%c: i1, %x: tensor<4xf32>) {
  // expected-error @below {{has 2 results; 'pit.sparse' marks an op with one}}
  %0:2 = scf.if %c -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  } {pit.sparse = {source = "values", axes = array<i64: 0>}}
  return
}

// -----

// expected-error @below {{its 'pit.sparse' mark is read from arguments whose marks are read from it}}
func.func @f(%x: tensor<4xi1> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>}},
             %y: tensor<4xi1> {pit.sparse = {source = "mask", from = 0 : i64, axes = array<i64: 0>}}) { return }

// -----

// expected-error @below {{argument 0: 'live' of a 'pit.sparse' mark must be a share, a float of 0 to 1, got 3 : i64}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>, live = 3 : i64}}) { return }

// RUN: pit-opt %s --pit-materialize-marks -split-input-file -verify-diagnostics

// expected-error @below {{argument 0: 'source' of a 'pit.sparse' mark is missing}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {axes = array<i64: 0>}}) { return }

// -----

// expected-error @below {{'source' of a 'pit.sparse' mark cannot be "zeros"}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "zeros", axes = array<i64: 0>}}) { return }

// -----

// expected-error @below {{a 'pit.sparse' mark needs 'axes'}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "values"}}) { return }

// -----

// expected-error @below {{'from' names argument 7, the function has 1}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = 7 : i64, axes = array<i64: 0>}}) { return }

// -----

// expected-error @below {{unknown key 'granularty' in a 'pit.sparse' mark}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>, granularty = array<i64: 4>}}) { return }

// -----

// expected-error @below {{C4: extent 0 of 'by' is 5, the pattern space needs 4}}
func.func @f(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>}}, %m: tensor<5xi1>) { return }

// -----

// expected-error @below {{'pit.sparse' marks a ranked tensor, got 'f32'}}
func.func @f(%x: f32 {pit.sparse = {source = "values", axes = array<i64: 0>}}) { return }

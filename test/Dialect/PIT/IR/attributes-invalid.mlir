// Attributes that the dialect does not have, and those that stand elsewhere or say something else than it declares.
// Misspelt names without which a program computes the same are in pit-check-program.mlir.
// RUN: pit-opt %s -split-input-file -verify-diagnostics

// A mark says what elements hold: without it the program is another.
// expected-error @below {{argument 0: the pit dialect has no attribute 'pit.spars'; did you mean 'pit.sparse'?}}
func.func @misspelt(%x: tensor<4xf32> {pit.spars = {source = "values", axes = array<i64: 0>}}) { return }

// -----

// As near to a name with a meaning as to one without: it is not ignored.
// expected-error @below {{the pit dialect has no attribute 'pit.wait'; did you mean 'pit.waits'?}}
func.func @near() attributes {pit.wait} { return }

// -----

// expected-error @below {{the pit dialect has no attribute 'pit.copied_type'; it has 'pit.axes', 'pit.checks', 'pit.cleared', 'pit.dense', 'pit.dense_variant', 'pit.dense_variant_of', 'pit.draw_tiles', 'pit.entry', 'pit.facts', 'pit.in_place', 'pit.live', 'pit.phases', 'pit.pieces_of_group', 'pit.plan', 'pit.program', 'pit.restricted', 'pit.rule', 'pit.rules', 'pit.short_segments', 'pit.source', 'pit.splits', 'pit.sparse', 'pit.status', 'pit.strips_of_tile', 'pit.version', 'pit.waits', 'pit.waits_last'}}
module attributes {pit.copied_type = tf32} {}

// -----

// expected-error @below {{result 0: the pit dialect has no attribute 'pit.spar'; did you mean 'pit.sparse'?}}
func.func private @result() -> (tensor<4xf32> {pit.spar})

// -----

// expected-error @below {{'pit.sparse' stands on an argument of a function, or an op with one tensor as result, not here}}
func.func @function() attributes {pit.sparse = {source = "values", axes = array<i64: 0>}} { return }

// -----

// expected-error @below {{argument 0: 'source' of a 'pit.sparse' mark cannot be "valuez"}}
func.func private @declaration(tensor<4xf32> {pit.sparse = {source = "valuez", axes = array<i64: 0>}})

// -----

// expected-error @below {{result 0: 'pit.sparse' stands on an argument of a function, or an op with one tensor as result, not on a result}}
func.func private @result() -> (tensor<4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>}})

// -----

// Without a pass that reads it.
func.func @mark(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'source' of a 'pit.sparse' mark cannot be "valuez"}}
  %0 = linalg.exp {pit.sparse = {source = "valuez", axes = array<i64: 0>}} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @mark(%x: memref<4xf32>) {
  // expected-error @below {{has 0 results; 'pit.sparse' marks an op with one}}
  linalg.exp {pit.sparse = {source = "values", axes = array<i64: 0>}} ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// -----

// expected-error @below {{'from' of a 'pit.sparse' mark must be the number of an argument, or the name of a source, got 18446744073709551615 : i80}}
func.func @mark(%x: tensor<4xf32> {pit.sparse = {source = "mask", from = 18446744073709551615 : i80, axes = array<i64: 0>}}) { return }

// -----

// expected-error @below {{'pit.dense' stands on an op in a function, not here}}
func.func @dense() attributes {pit.dense} { return }

// -----

func.func @dense() -> i1 {
  // expected-error @below {{'pit.dense' must be a unit attribute, got true}}
  %0 = arith.constant {pit.dense = true} false
  return %0 : i1
}

// -----

func.func @dense_variant() -> i1 {
  // expected-error @below {{'pit.dense_variant' stands on a structured op, a pit.generic, a pit.tiled or a pit.contract, not here}}
  %0 = arith.constant {pit.dense_variant = true} false
  return %0 : i1
}

// -----

func.func @dense_variant(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'pit.dense_variant' must be true or false, got 0 : i64}}
  %0 = linalg.exp {pit.dense_variant = 0 : i64} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @dense_variant_of(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'pit.dense_variant_of' must be an i64 of 0 or more, got -1 : i64}}
  %0 = linalg.exp {pit.dense_variant_of = -1 : i64} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @rule(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'pit.rule' must be an i64 of 0 or more, got "0"}}
  %0 = linalg.exp {pit.rule = "0"} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'pit.rule' stands on a structured op, not here}}
func.func @rule() attributes {pit.rule = 0 : i64} { return }

// -----

// expected-error @below {{'pit.rules' must be an array of dictionaries with integers 'id' and 'pattern', got [{id = 0 : i64}]}}
func.func @rules() attributes {pit.rules = [{id = 0 : i64}]} { return }

// -----

// expected-error @below {{'pit.rules' stands on a function, not here}}
module attributes {pit.rules = []} {}

// -----

func.func @axes(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'pit.axes' must be an array of "parallel", "reduction" and "refused: <reason>", got ["paralel"]}}
  %0 = linalg.exp {pit.axes = ["paralel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @axes(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'pit.axes' has 2 entries for 1 iteration axes}}
  %0 = linalg.exp {pit.axes = ["parallel", "parallel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @axes() -> i1 {
  // expected-error @below {{'pit.axes' stands on a structured op or a pit.generic, not here}}
  %0 = arith.constant {pit.axes = []} false
  return %0 : i1
}

// -----

func.func @facts() -> i1 {
  // expected-error @below {{'pit.facts' must be an array of strings, got [1]}}
  %0 = arith.constant {pit.facts = [1]} false
  return %0 : i1
}

// -----

func.func @restricted() -> i1 {
  // expected-error @below {{'pit.restricted' must be a string, got 1 : i64}}
  %0 = arith.constant {pit.restricted = 1 : i64} false
  return %0 : i1
}

// -----

func.func @live(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'pit.live' must be a share, a float of 0 to 1, got 1.500000e+00 : f64}}
  %0 = pit.sparse %x <kind = values, axes = [0]> {pit.live = 1.5} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @live(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'pit.live' stands on a pit.sparse, not here}}
  %0 = linalg.exp {pit.live = 0.5} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @cleared(%x: tensor<4xf32>, %m: tensor<4xi1>) -> tensor<4xf32> {
  // expected-error @below {{'pit.cleared' stands on a pit.sparse by values, not here}}
  %0 = pit.sparse %x by(%m : tensor<4xi1>) <kind = mask, axes = [0]> {pit.cleared} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @tiled(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'pit.draw_tiles' stands on a pit.tiled or a pit.contract, not here}}
  %0 = linalg.exp {pit.draw_tiles = true} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

!i = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
func.func @short_segments(%a: tensor<?x16xf32>, %index: !i, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  // expected-error @below {{'pit.short_segments' must be true or false, got unit}}
  %0 = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>, pit.short_segments}
      over(%index : !i) ins(%a : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%ta: tensor<?x16xf32>, %te: tensor<?x16xf32>):
    pit.yield %te : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

!i = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
func.func @strips(%a: tensor<?x16xf32>, %index: !i, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  // expected-error @below {{'pit.strips_of_tile' must be an i64 of 1 to 8, got 9 : i64}}
  %0 = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>, pit.strips_of_tile = 9 : i64}
      over(%index : !i) ins(%a : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%ta: tensor<?x16xf32>, %te: tensor<?x16xf32>):
    pit.yield %te : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

!i = !pit.index<[?], coordinate = 0, tile = [1], width = 32>
func.func @pieces(%a: tensor<?x16xf32>, %index: !i, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  // expected-error @below {{'pit.pieces_of_group' must be 1 or 2, an i64, got 0 : i64}}
  %0 = pit.tiled flat tile 64 {dims = [array<i64: 0>, array<i64: 0>], packed = array<i1: false, true>, pit.pieces_of_group = 0 : i64}
      over(%index : !i) ins(%a : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%ta: tensor<?x16xf32>, %te: tensor<?x16xf32>):
    pit.yield %te : tensor<?x16xf32>
  } -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

// expected-error @below {{argument 0: 'pit.status' stands on a memref<4xi64>, not on 'memref<3xi64>'}}
func.func @status(%s: memref<3xi64> {pit.status}) { return }

// -----

// expected-error @below {{argument 1: a function has one status buffer, and argument 0 is it}}
func.func @status(%s: memref<4xi64> {pit.status}, %t: memref<4xi64> {pit.status}) { return }

// -----

// expected-error @below {{argument 0: 'pit.status' must be a unit attribute, got 1 : i64}}
func.func @status(%s: memref<4xi64> {pit.status = 1 : i64}) { return }

// -----

// expected-error @below {{'pit.status' stands on an argument of a function, not here}}
func.func @status() attributes {pit.status} { return }

// -----

// expected-error @below {{'pit.waits' stands on a function of a gpu.module, not here}}
func.func @waits() attributes {pit.waits} { return }

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @below {{argument 0: 'pit.waits_last' stands on an i32, not on 'i64'}}
    llvm.func @waits(%last: i64 {pit.waits_last}) {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{argument 0: 'pit.waits_last' stands on an argument of a function of a gpu.module, not here}}
func.func @waits(%last: i32 {pit.waits_last}) { return }

// -----

// expected-error @below {{has a malformed 'pit.entry': expected a name and a function's type}}
func.func @entry() attributes {pit.entry = {name = "f", type = i32}} { return }

// -----

// expected-error @below {{'pit.program' must be a dictionary with 'target', "cpu" or "cuda", and 'chip', a string, got {target = "gpu"}}}
module attributes {pit.program = {target = "gpu"}} {}

// -----

func.func @plan(%x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{'pit.plan' stands on a structured op on buffers, not here}}
  %0 = linalg.fill {pit.plan = #pit.row_plan<family = fill, tile = [1, 32], max_blocks = 1>} ins(%zero : f32) outs(%x : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @plan(%x: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{'pit.plan' must be a #pit.row_plan of the family 'fill', got #pit.row_plan<family = row_wise}}
  linalg.fill {pit.plan = #pit.row_plan<family = row_wise, tile = [8, 32], max_blocks = 1, group = 0>} ins(%zero : f32) outs(%x : memref<64xf32>)
  return
}

// -----

func.func @plan(%x: memref<64xf32>) {
  // expected-error @below {{'pit.plan' must be a #pit.row_plan of the family 'reduce', or of 'row_wise', 'windows' or 'scan' with a group, got #pit.row_plan<family = row_wise}}
  linalg.exp {pit.plan = #pit.row_plan<family = row_wise, tile = [8, 32], max_blocks = 1>} ins(%x : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// -----

// 0 is no bound, not the absence of one.
// expected-error @below {{argument 0: P5: at_most must be positive, got 0}}
func.func @mark(%x: tensor<4xf32> {pit.sparse = {source = "values", axes = array<i64: 0>, at_most = 0 : i64}}) { return }

// -----

func.func @mark(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %0 = scf.if %c -> tensor<4xf32> {
    // expected-error @below {{P5: at_most must be positive, got -1}}
    %1 = linalg.exp {pit.sparse = {source = "values", axes = array<i64: 0>, at_most = -1 : i32}} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

module {
  // expected-error @below {{argument 0: the pit dialect has no attribute 'pit.sparsity'; did you mean 'pit.sparse'?}}
  func.func @nested(%x: tensor<4xf32> {pit.sparsity}) { return }
}

// -----

// expected-error @below {{'pit.checks' must be the symbol of a function, got "there"}}
func.func @main(%x: tensor<4xf32>) attributes {pit.checks = "there"} { return }

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error @below {{'pit.checks' stands on a function, not here}}
  %0 = tensor.empty() {pit.checks = @main} : tensor<4xf32>
  return
}

// -----

// expected-error @below {{'pit.splits' must be a dictionary with 'inputs' and 'results', arrays of strings, got {inputs = ["rows 0"]}}}
func.func @splits() attributes {pit.splits = {inputs = ["rows 0"]}} {
  return
}

// -----

// expected-error @below {{'pit.version' stands on a pit.contract of whole buffers, in the domain 'dense' or 'batches', not here}}
func.func @version() attributes {pit.version = {alignment = "any", expected = array<i64: 16, 16, 16, 1>, least = 0 : i64, most = 0 : i64}} { return }

// -----

func.func @version_of_no_extents(%a: memref<?x64xbf16>, %b: memref<64x64xbf16>, %c: memref<?x64xbf16>) {
  // expected-error @below {{'pit.version' must be a dictionary with 'alignment', "any", "aligned" or "unaligned", i64 of 0 or more 'least' and 'most', and 'expected', an array of four positive i64, got {alignment = "any", expected = array<i64: 16, 0, 16, 1>, least = 0 : i64, most = 0 : i64}}}
  pit.contract dense ins(%a, %b : memref<?x64xbf16>, memref<64x64xbf16>) outs(%c : memref<?x64xbf16>)
    {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], listed = array<i1: false, false, false>,
     pit.version = {alignment = "any", expected = array<i64: 16, 0, 16, 1>, least = 0 : i64, most = 0 : i64}}
  return
}

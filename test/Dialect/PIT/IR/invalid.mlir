// RUN: pit-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{P1: a pattern needs at least one axis}}
func.func private @f() attributes {a = #pit.pattern<kind = values, axes = []>}

// -----

// expected-error @below {{P1: axes must be distinct and not negative, got 1}}
func.func private @f() attributes {a = #pit.pattern<kind = values, axes = [1, 1]>}

// -----

// expected-error @below {{P2: tile has 1 entries for 2 axes}}
func.func private @f() attributes {a = #pit.pattern<kind = values, axes = [0, 1], tile = [4]>}

// -----

// expected-error @below {{P2: tile has 0 entries for 2 axes}}
func.func private @f() attributes {a = #pit.pattern<kind = values, axes = [0, 1], tile = []>}

// -----

// expected-error @below {{P3: lengths need two axes (sequence, position), got 1}}
func.func private @f() attributes {a = #pit.pattern<kind = lengths, axes = [0]>}

// -----

// expected-error @below {{P4: undef is not a value that can be detected}}
func.func private @f() attributes {a = #pit.pattern<kind = values, axes = [0], absent = undef>}

// -----

// expected-error @below {{P5: at_most must be positive, got -2}}
func.func private @f() attributes {a = #pit.pattern<kind = values, axes = [0], at_most = -2>}

// -----

// expected-error @below {{I1: extents and tile need the same, positive number of entries, got 2 and 1}}
func.func private @f(!pit.index<[4, 8], coordinate = 0, tile = [1], width = 32>)

// -----

// expected-error @below {{I2: coordinate 2 is not a dimension of a pattern space of rank 2}}
func.func private @f(!pit.index<[4, 8], coordinate = 2, tile = [1, 1], width = 32>)

// -----

// expected-error @below {{I3: micro-tile extents must be positive, got 0}}
func.func private @f(!pit.index<[4, 8], coordinate = 1, tile = [1, 0], width = 32>)

// -----

// expected-error @below {{I4: coordinate width must be 32 or 64, got 16}}
func.func private @f(!pit.index<[4, 8], coordinate = 1, tile = [1, 1], width = 16>)

// -----

func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @below {{C1: this pattern kind needs a 'by' tensor}}
  %0 = pit.sparse %x <kind = mask, axes = [0, 1]> : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @below {{C2: axis 2 is not a dimension of 'tensor<4x8xf32>'}}
  %0 = pit.sparse %x <kind = values, axes = [2]> : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @f(%x: tensor<4x8xf32>, %m: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @below {{C3: 'by' of a mask pattern cannot have element type 'f32'}}
  %0 = pit.sparse %x by(%m : tensor<4x8xf32>) <kind = mask, axes = [0, 1]> : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @f(%x: tensor<4x8xf32>, %m: tensor<4x9xi1>) -> tensor<4x8xf32> {
  // expected-error @below {{C4: extent 1 of 'by' is 9, the pattern space needs 8}}
  %0 = pit.sparse %x by(%m : tensor<4x9xi1>) <kind = mask, axes = [0, 1]> : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @f(%x: tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>> {
  // expected-error @below {{C6: elements must be integers, indices or floats}}
  %0 = pit.sparse %x <kind = values, axes = [0, 1]> : tensor<4x8xcomplex<f32>>
  return %0 : tensor<4x8xcomplex<f32>>
}

// -----

func.func @f(%x: tensor<4x8xi32>) -> tensor<4x8xi32> {
  // expected-error @below {{C5: neg_inf needs a floating-point element type}}
  %0 = pit.sparse %x <kind = values, axes = [0, 1], absent = neg_inf> : tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @below {{D2: the index has rank 1, the pattern space has rank 2}}
  %0 = pit.detect values(%x : tensor<4x8xf32>) <kind = values, axes = [0, 1]>
    : !pit.index<[4], coordinate = 0, tile = [1], width = 32>
  return
}

// -----

func.func @f(%x: tensor<?x8xf32>) {
  // expected-error @below {{D3: got 0 extents for 1 dynamic extents of the index}}
  %0 = pit.detect values(%x : tensor<?x8xf32>) <kind = values, axes = [0, 1]>
    : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
  return
}

// -----

func.func @f(%o: tensor<9xi64>, %c: tensor<16xi64>) {
  // expected-error @below {{A1: coordinates must have the index's width of 32 bits}}
  %0 = pit.assemble %o, %c : tensor<9xi64>, tensor<16xi64> -> !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %i: !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>) {
  // expected-error @below {{R1: the coordinate must index a dimension}}
  %0 = pit.sread %x[%i] dims = [-1, 1] : tensor<4x8xf32>, !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32> -> tensor<4x32xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8x2xf32>, %i: !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>) {
  // expected-error @below {{R3: extent 1 of 'tensor<32x3xf32>' does not agree with extent 2 of 'tensor<4x8x2xf32>'}}
  %0 = pit.sread %x[%i] dims = [0, 1] : tensor<4x8x2xf32>, !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32> -> tensor<32x3xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %p: tensor<32xf32>, %i: !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>, %n: index) {
  // expected-error @below {{W4: a tile lies in one segment, so segment dims must be -1}}
  %0 = pit.swrite %p into %x[%i] tile(%n, %n) store dims = [0, 1] : tensor<32xf32>, tensor<4x8xf32>, !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#sum = affine_map<(d0, d1) -> (d0 + d1)>
func.func @f(%x: tensor<11xf32>, %y: tensor<4x8xf32>, %i: !pit.index<[4], coordinate = 0, tile = [1], width = 32>) {
  // expected-error @below {{G1: map 0 must use the index axis 0 once, as a plain dimension}}
  %0 = pit.generic {indexing_maps = [#sum, #id], index_axes = array<i64: 0>, packed = array<i1: false, false>,
                    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>]}
      over(%i : !pit.index<[4], coordinate = 0, tile = [1], width = 32>)
      ins(%x : tensor<11xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    pit.yield %a : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%y: tensor<4x8xf32>, %i: !pit.index<[4], coordinate = 0, tile = [1], width = 32>) {
  // expected-error @below {{G2: index_axes must name 1 distinct iteration axes}}
  %0 = pit.generic {indexing_maps = [#id, #id], index_axes = array<i64: 2>, packed = array<i1: false, false>,
                    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>]}
      over(%i : !pit.index<[4], coordinate = 0, tile = [1], width = 32>)
      ins(%y : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    pit.yield %a : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%y: tensor<4x8xf32>, %i: !pit.index<[4], coordinate = 0, tile = [1], width = 32>) {
  // expected-error @below {{G6: further_axes must name 1 iteration axes of no other index for further index 0}}
  %0 = pit.generic {indexing_maps = [#id, #id], index_axes = array<i64: 0>, packed = array<i1: false, false>,
                    further_axes = [array<i64: 0>],
                    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>]}
      over(%i : !pit.index<[4], coordinate = 0, tile = [1], width = 32>)
      also(%i : !pit.index<[4], coordinate = 0, tile = [1], width = 32>)
      ins(%y : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    pit.yield %a : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%y: tensor<4x8xf32>, %i: !pit.index<[4], coordinate = 0, tile = [1], width = 32>) {
  // expected-error @below {{G6: got 0 rows of further_axes for 1 further indexes}}
  %0 = pit.generic {indexing_maps = [#id, #id], index_axes = array<i64: 0>, packed = array<i1: false, false>,
                    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>]}
      over(%i : !pit.index<[4], coordinate = 0, tile = [1], width = 32>)
      also(%i : !pit.index<[4], coordinate = 0, tile = [1], width = 32>)
      ins(%y : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    pit.yield %a : f32
  } -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%y: tensor<4x8xf32>, %i: !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>) {
  // expected-error @below {{T3: operand 0 depends on the segment in a flat domain}}
  %0 = pit.tiled flat tile 64 {dims = [array<i64: 0, 1>], packed = array<i1: false>}
      over(%i : !pit.index<[4, 8], coordinate = 0, tile = [1, 1], width = 32>)
      outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: tensor<?xf32>):
    pit.yield %a : tensor<?xf32>
  } -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%o: memref<?xi64>, %c: memref<?xi32>, %t: index) {
  // expected-error @below {{A3: 'memref<?xi64>' and 'memref<?xi32>' do not make a '!pit.index<}}
  %0 = pit.assemble %o, %c extents(%t) : memref<?xi64>, memref<?xi32> -> !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
  return
}

// -----

func.func @f(%i: !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>) -> index {
  // expected-error @below {{E1: dimension 2 of a pattern space of rank 2}}
  %0 = pit.extent %i[2] : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
  return %0 : index
}

// -----

func.func @f(%i: !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>, %x: memref<?x4xf32>) {
  // expected-error @below {{T5: the index and all operands must be tensors, or all of them buffers}}
  pit.tiled tile 64 {dims = [array<i64: 0, -1>], packed = array<i1: true>}
      over(%i : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>) outs(%x : memref<?x4xf32>) {
  ^bb0(%out: memref<?x4xf32>):
    pit.yield
  }
  return
}

// -----

func.func @f(%i: !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{T4: region argument 0 is no tile of 'tensor<?x4xf32>'}}
  %0 = pit.tiled tile 64 {dims = [array<i64: 0, -1>], packed = array<i1: true>}
      over(%i : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>) outs(%x : tensor<?x4xf32>) {
  ^bb0(%out: tensor<?x4xf64>):
    pit.yield %out : tensor<?x4xf64>
  } -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @f(%i: !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{T1: a row of dims names distinct dimensions of its operand, or -1, got array<i64: 1, 1> for 'tensor<?x8xf32>'}}
  %0 = pit.tiled tile 64 {dims = [array<i64: 1, 1>], packed = array<i1: false>}
      over(%i : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>) outs(%x : tensor<?x8xf32>) {
  ^bb0(%out: tensor<?x?xf32>):
    pit.yield %out : tensor<?x?xf32>
  } -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

func.func @f(%i: !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{T1: a row of dims names distinct dimensions of its operand, or -1, got array<i64: 0, 2> for 'tensor<?x8xf32>'}}
  %0 = pit.tiled tile 64 {dims = [array<i64: 0, 2>], packed = array<i1: false>}
      over(%i : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>) outs(%x : tensor<?x8xf32>) {
  ^bb0(%out: tensor<?x?xf32>):
    pit.yield %out : tensor<?x?xf32>
  } -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

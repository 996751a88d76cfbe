// What looks like a lookup and is none stays as it is written.
// RUN: pit-opt %s --pit-sift-choices --split-input-file | FileCheck %s --implicit-check-not=tensor.extract
// RUN: pit-opt %s --pit-sift-choices=finite=false --split-input-file | FileCheck %s --implicit-check-not=tensor.extract

// All rows below the number.
// CHECK-LABEL: func.func @smaller(
// CHECK-COUNT-2: linalg.generic
func.func @smaller(%ids: tensor<40xi64>, %w: tensor<40x50xf32>, %table: tensor<50x16xf32>, %init: tensor<40x16xf32>) -> tensor<40x16xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<40x50xf32>
  %hot = linalg.generic {indexing_maps = [affine_map<(t, v) -> (t)>, affine_map<(t, v) -> (t, v)>, affine_map<(t, v) -> (t, v)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids, %w : tensor<40xi64>, tensor<40x50xf32>) outs(%e : tensor<40x50xf32>) {
  ^bb0(%i: i64, %x: f32, %o: f32):
    %v = linalg.index 1 : index
    %r = arith.index_cast %v : index to i64
    %is = arith.cmpi slt, %i, %r : i64
    %f = arith.select %is, %x, %zero : f32
    linalg.yield %f : f32
  } -> tensor<40x50xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(t, d, v) -> (t, v)>, affine_map<(t, d, v) -> (v, d)>, affine_map<(t, d, v) -> (t, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%hot, %table : tensor<40x50xf32>, tensor<50x16xf32>) outs(%init : tensor<40x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x16xf32>
  return %y : tensor<40x16xf32>
}

// -----

// Elsewhere it is not zero.
// CHECK-LABEL: func.func @other_value(
// CHECK-COUNT-2: linalg.generic
func.func @other_value(%ids: tensor<40xi64>, %w: tensor<40x50xf32>, %table: tensor<50x16xf32>, %init: tensor<40x16xf32>) -> tensor<40x16xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<40x50xf32>
  %hot = linalg.generic {indexing_maps = [affine_map<(t, v) -> (t)>, affine_map<(t, v) -> (t, v)>, affine_map<(t, v) -> (t, v)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids, %w : tensor<40xi64>, tensor<40x50xf32>) outs(%e : tensor<40x50xf32>) {
  ^bb0(%i: i64, %x: f32, %o: f32):
    %v = linalg.index 1 : index
    %r = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %r : i64
    %f = arith.select %is, %x, %one : f32
    linalg.yield %f : f32
  } -> tensor<40x50xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(t, d, v) -> (t, v)>, affine_map<(t, d, v) -> (v, d)>, affine_map<(t, d, v) -> (t, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%hot, %table : tensor<40x50xf32>, tensor<50x16xf32>) outs(%init : tensor<40x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x16xf32>
  return %y : tensor<40x16xf32>
}

// -----

// Results of all rows for each token: the choice says which of them need not be computed.
// CHECK-LABEL: func.func @of_each_token(
// CHECK-COUNT-2: linalg.generic
func.func @of_each_token(%ids: tensor<40xi64>, %w: tensor<40x50xf32>, %table: tensor<40x50x16xf32>, %init: tensor<40x16xf32>) -> tensor<40x16xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<40x50xf32>
  %hot = linalg.generic {indexing_maps = [affine_map<(t, v) -> (t)>, affine_map<(t, v) -> (t, v)>, affine_map<(t, v) -> (t, v)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids, %w : tensor<40xi64>, tensor<40x50xf32>) outs(%e : tensor<40x50xf32>) {
  ^bb0(%i: i64, %x: f32, %o: f32):
    %v = linalg.index 1 : index
    %r = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %r : i64
    %f = arith.select %is, %x, %zero : f32
    linalg.yield %f : f32
  } -> tensor<40x50xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(t, d, v) -> (t, v)>, affine_map<(t, d, v) -> (t, v, d)>, affine_map<(t, d, v) -> (t, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%hot, %table : tensor<40x50xf32>, tensor<40x50x16xf32>) outs(%init : tensor<40x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x16xf32>
  return %y : tensor<40x16xf32>
}

// -----

// Bytes cannot tell 300 rows apart.
// CHECK-LABEL: func.func @bytes(
// CHECK-COUNT-2: linalg.generic
func.func @bytes(%ids: tensor<40xi8>, %w: tensor<40x300xf32>, %table: tensor<300x16xf32>, %init: tensor<40x16xf32>) -> tensor<40x16xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<40x300xf32>
  %hot = linalg.generic {indexing_maps = [affine_map<(t, v) -> (t)>, affine_map<(t, v) -> (t, v)>, affine_map<(t, v) -> (t, v)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids, %w : tensor<40xi8>, tensor<40x300xf32>) outs(%e : tensor<40x300xf32>) {
  ^bb0(%i: i8, %x: f32, %o: f32):
    %v = linalg.index 1 : index
    %r = arith.index_cast %v : index to i8
    %is = arith.cmpi eq, %i, %r : i8
    %f = arith.select %is, %x, %zero : f32
    linalg.yield %f : f32
  } -> tensor<40x300xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(t, d, v) -> (t, v)>, affine_map<(t, d, v) -> (v, d)>, affine_map<(t, d, v) -> (t, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%hot, %table : tensor<40x300xf32>, tensor<300x16xf32>) outs(%init : tensor<40x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x16xf32>
  return %y : tensor<40x16xf32>
}

// -----

// One element of a row, which a kernel that has the row in registers needs no memory for.
// CHECK-LABEL: func.func @no_columns(
// CHECK-COUNT-2: linalg.generic
func.func @no_columns(%ids: tensor<40xi64>, %w: tensor<40x50xf32>, %table: tensor<50xf32>, %init: tensor<40xf32>) -> tensor<40xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<40x50xf32>
  %hot = linalg.generic {indexing_maps = [affine_map<(t, v) -> (t)>, affine_map<(t, v) -> (t, v)>, affine_map<(t, v) -> (t, v)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids, %w : tensor<40xi64>, tensor<40x50xf32>) outs(%e : tensor<40x50xf32>) {
  ^bb0(%i: i64, %x: f32, %o: f32):
    %v = linalg.index 1 : index
    %r = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %r : i64
    %f = arith.select %is, %x, %zero : f32
    linalg.yield %f : f32
  } -> tensor<40x50xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(t, v) -> (t, v)>, affine_map<(t, v) -> (v)>, affine_map<(t, v) -> (t)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%hot, %table : tensor<40x50xf32>, tensor<50xf32>) outs(%init : tensor<40xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<40xf32>
  return %y : tensor<40xf32>
}

// -----

// A number that depends on the row.
// CHECK-LABEL: func.func @number_of_the_row(
// CHECK-COUNT-2: linalg.generic
func.func @number_of_the_row(%ids: tensor<40xi64>, %w: tensor<40x50xf32>, %table: tensor<50x16xf32>, %init: tensor<40x16xf32>) -> tensor<40x16xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<40x50xf32>
  %hot = linalg.generic {indexing_maps = [affine_map<(t, v) -> (t)>, affine_map<(t, v) -> (t, v)>, affine_map<(t, v) -> (t, v)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids, %w : tensor<40xi64>, tensor<40x50xf32>) outs(%e : tensor<40x50xf32>) {
  ^bb0(%i: i64, %x: f32, %o: f32):
    %v = linalg.index 1 : index
    %r = arith.index_cast %v : index to i64
    %twice = arith.addi %i, %r : i64
    %is = arith.cmpi eq, %twice, %r : i64
    %f = arith.select %is, %x, %zero : f32
    linalg.yield %f : f32
  } -> tensor<40x50xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(t, d, v) -> (t, v)>, affine_map<(t, d, v) -> (v, d)>, affine_map<(t, d, v) -> (t, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%hot, %table : tensor<40x50xf32>, tensor<50x16xf32>) outs(%init : tensor<40x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x16xf32>
  return %y : tensor<40x16xf32>
}

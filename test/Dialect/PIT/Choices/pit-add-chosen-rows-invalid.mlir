// What looks like a sum of chosen rows and is none stays as it is written.
// RUN: pit-opt %s --pit-add-chosen-rows --split-input-file | FileCheck %s --implicit-check-not=scf.for

// All rows below the number.
// CHECK-LABEL: func.func @smaller(
// CHECK-COUNT-2: linalg.generic
func.func @smaller(%number: tensor<40xi64>, %term: tensor<40x16xf32>, %init: tensor<50x16xf32>) -> tensor<50x16xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %wide = tensor.empty() : tensor<50x40x16xf32>
  %chosen = linalg.generic {indexing_maps = [affine_map<(v, n, d) -> (n)>, affine_map<(v, n, d) -> (n, d)>, affine_map<(v, n, d) -> (v, n, d)>],
                            iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%number, %term : tensor<40xi64>, tensor<40x16xf32>) outs(%wide : tensor<50x40x16xf32>) {
  ^bb0(%i: i64, %x: f32, %o: f32):
    %v = linalg.index 0 : index
    %row = arith.index_cast %v : index to i64
    %is = arith.cmpi slt, %i, %row : i64
    %s = arith.select %is, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<50x40x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(v, n, d) -> (v, n, d)>, affine_map<(v, n, d) -> (v, d)>],
                       iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%chosen : tensor<50x40x16xf32>) outs(%init : tensor<50x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<50x16xf32>
  return %y : tensor<50x16xf32>
}

// -----

// What is not chosen is not zero.
// CHECK-LABEL: func.func @other_value(
// CHECK-COUNT-2: linalg.generic
func.func @other_value(%number: tensor<40xi64>, %term: tensor<40x16xf32>, %init: tensor<50x16xf32>) -> tensor<50x16xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %wide = tensor.empty() : tensor<50x40x16xf32>
  %chosen = linalg.generic {indexing_maps = [affine_map<(v, n, d) -> (n)>, affine_map<(v, n, d) -> (n, d)>, affine_map<(v, n, d) -> (v, n, d)>],
                            iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%number, %term : tensor<40xi64>, tensor<40x16xf32>) outs(%wide : tensor<50x40x16xf32>) {
  ^bb0(%i: i64, %x: f32, %o: f32):
    %v = linalg.index 0 : index
    %row = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %row : i64
    %s = arith.select %is, %x, %one : f32
    linalg.yield %s : f32
  } -> tensor<50x40x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(v, n, d) -> (v, n, d)>, affine_map<(v, n, d) -> (v, d)>],
                       iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%chosen : tensor<50x40x16xf32>) outs(%init : tensor<50x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<50x16xf32>
  return %y : tensor<50x16xf32>
}

// -----

// What is chosen is left out.
// CHECK-LABEL: func.func @swapped(
// CHECK-COUNT-2: linalg.generic
func.func @swapped(%number: tensor<40xi64>, %term: tensor<40x16xf32>, %init: tensor<50x16xf32>) -> tensor<50x16xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %wide = tensor.empty() : tensor<50x40x16xf32>
  %chosen = linalg.generic {indexing_maps = [affine_map<(v, n, d) -> (n)>, affine_map<(v, n, d) -> (n, d)>, affine_map<(v, n, d) -> (v, n, d)>],
                            iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%number, %term : tensor<40xi64>, tensor<40x16xf32>) outs(%wide : tensor<50x40x16xf32>) {
  ^bb0(%i: i64, %x: f32, %o: f32):
    %v = linalg.index 0 : index
    %row = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %row : i64
    %s = arith.select %is, %zero, %x : f32
    linalg.yield %s : f32
  } -> tensor<50x40x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(v, n, d) -> (v, n, d)>, affine_map<(v, n, d) -> (v, d)>],
                       iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%chosen : tensor<50x40x16xf32>) outs(%init : tensor<50x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<50x16xf32>
  return %y : tensor<50x16xf32>
}

// -----

// The largest one, and no sum.
// CHECK-LABEL: func.func @largest(
// CHECK-COUNT-2: linalg.generic
func.func @largest(%number: tensor<40xi64>, %term: tensor<40x16xf32>, %init: tensor<50x16xf32>) -> tensor<50x16xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %wide = tensor.empty() : tensor<50x40x16xf32>
  %chosen = linalg.generic {indexing_maps = [affine_map<(v, n, d) -> (n)>, affine_map<(v, n, d) -> (n, d)>, affine_map<(v, n, d) -> (v, n, d)>],
                            iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%number, %term : tensor<40xi64>, tensor<40x16xf32>) outs(%wide : tensor<50x40x16xf32>) {
  ^bb0(%i: i64, %x: f32, %o: f32):
    %v = linalg.index 0 : index
    %row = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %row : i64
    %s = arith.select %is, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<50x40x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(v, n, d) -> (v, n, d)>, affine_map<(v, n, d) -> (v, d)>],
                       iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%chosen : tensor<50x40x16xf32>) outs(%init : tensor<50x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<50x16xf32>
  return %y : tensor<50x16xf32>
}

// -----

// A number that depends on the row.
// CHECK-LABEL: func.func @number_of_the_row(
// CHECK-COUNT-2: linalg.generic
func.func @number_of_the_row(%number: tensor<40xi64>, %term: tensor<40x16xf32>, %init: tensor<50x16xf32>) -> tensor<50x16xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %wide = tensor.empty() : tensor<50x40x16xf32>
  %chosen = linalg.generic {indexing_maps = [affine_map<(v, n, d) -> (n)>, affine_map<(v, n, d) -> (n, d)>, affine_map<(v, n, d) -> (v, n, d)>],
                            iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%number, %term : tensor<40xi64>, tensor<40x16xf32>) outs(%wide : tensor<50x40x16xf32>) {
  ^bb0(%i: i64, %x: f32, %o: f32):
    %v = linalg.index 0 : index
    %row = arith.index_cast %v : index to i64
    %j = arith.addi %i, %row : i64
    %is = arith.cmpi eq, %j, %row : i64
    %s = arith.select %is, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<50x40x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(v, n, d) -> (v, n, d)>, affine_map<(v, n, d) -> (v, d)>],
                       iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%chosen : tensor<50x40x16xf32>) outs(%init : tensor<50x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<50x16xf32>
  return %y : tensor<50x16xf32>
}

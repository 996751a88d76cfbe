// RUN: pit-opt %s --pit-add-chosen-rows --split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-add-chosen-rows --split-input-file --pit-to-cpu -o /dev/null
// RUN: pit-opt %s --pit-to-cpu --split-input-file --mlir-print-ir-before=convert-contractions-to-cpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=BUFFERS

#number = affine_map<(v, n, d) -> (n)>
#term = affine_map<(v, n, d) -> (n, d)>
#all = affine_map<(v, n, d) -> (v, n, d)>
#rows = affine_map<(v, n, d) -> (v, d)>

// The gradient of an embedding as it is written dense: each token is added to its row, in place.

// CHECK-LABEL: func.func @embedding(
// CHECK-SAME:    %[[NUMBERS:.*]]: tensor<40xi64>, %[[TERMS:.*]]: tensor<40x16xf32>
// CHECK:         %[[FILL:.*]] = linalg.fill
// CHECK-NOT:     outs({{.*}}tensor<50x40x16xf32>
// CHECK:         %[[ROWS:.*]] = linalg.generic {{.*}} ins(%[[NUMBERS]]
// CHECK:           arith.cmpi ult, %{{.*}}, %c50
// CHECK:           arith.select %{{.*}}, %{{.*}}, %c-1_i64
// CHECK:         scf.for %[[N:.*]] = %{{.*}} to %c40 step %{{.*}} iter_args(%[[SUM:.*]] = %[[FILL]])
// CHECK:           %[[I64:.*]] = tensor.extract %[[ROWS]][%[[N]]]
// CHECK:           %[[ROW:.*]] = arith.index_cast %[[I64]]
// CHECK:           arith.cmpi sge, %[[ROW]], %c0
// CHECK:           scf.if
// CHECK:             tensor.extract_slice %[[TERMS]][%[[N]], 0] [1, 16] [1, 1]
// CHECK:             tensor.extract_slice %[[SUM]][%[[ROW]], 0] [1, 16] [1, 1]
// CHECK:             arith.addf
// CHECK:             tensor.insert_slice %{{.*}} into %[[SUM]][%[[ROW]], 0] [1, 16] [1, 1]
// CHECK:           else
// CHECK:             scf.yield %[[SUM]]
// BUFFERS-LABEL: func.func @embedding(
// BUFFERS-NOT:   memref.copy
// BUFFERS:       return
func.func @embedding(%number: tensor<40xi64>, %term: tensor<40x16xf32>) -> tensor<50x16xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<50x40x16xf32>
  %chosen = linalg.generic {indexing_maps = [#number, #term, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%number, %term : tensor<40xi64>, tensor<40x16xf32>) outs(%wide : tensor<50x40x16xf32>) {
  ^bb0(%i: i64, %x: f32, %o: f32):
    %v = linalg.index 0 : index
    %row = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %row : i64
    %s = arith.select %is, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<50x40x16xf32>
  %e = tensor.empty() : tensor<50x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<50x16xf32>) -> tensor<50x16xf32>
  %y = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%chosen : tensor<50x40x16xf32>) outs(%init : tensor<50x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<50x16xf32>
  return %y : tensor<50x16xf32>
}

// -----

// Other types, rows that are not the first dimension, extents that are not known, and arithmetic on both what is chosen and the number.

#number = affine_map<(d, n, v) -> (n)>
#term = affine_map<(d, n, v) -> (n, d)>
#all = affine_map<(d, n, v) -> (d, n, v)>
#rows = affine_map<(d, n, v) -> (d, v)>

// CHECK-LABEL: func.func @columns(
// CHECK-SAME:    %[[INIT:[a-z0-9]+]]: tensor<?x?xf64>) ->
// CHECK:         %[[FIRST:.*]] = linalg.transpose ins(%[[INIT]] : {{.*}} permutation = [1, 0]
// CHECK:         arith.muli {{.*}} : i32
// CHECK:         %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[FIRST]])
// CHECK:           tensor.extract_slice %{{.*}}[%{{.*}}, 0] [1, %{{.*}}] [1, 1]
// CHECK:           tensor.extract_slice %[[SUM]][%{{.*}}, 0] [1, %{{.*}}] [1, 1]
// CHECK:           arith.mulf {{.*}} : f64
// CHECK-NOT:       arith.select
// CHECK:         linalg.transpose ins(%[[ALL]] : {{.*}} permutation = [1, 0]
func.func @columns(%number: tensor<?xi32>, %term: tensor<?x?xf64>, %wide: tensor<?x?x?xf64>, %init: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2 : i32
  %chosen = linalg.generic {indexing_maps = [#number, #term, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%number, %term : tensor<?xi32>, tensor<?x?xf64>) outs(%wide : tensor<?x?x?xf64>) {
  ^bb0(%i: i32, %x: f64, %o: f64):
    %v = linalg.index 2 : index
    %row = arith.index_cast %v : index to i32
    %twice = arith.muli %i, %two : i32
    %is = arith.cmpi eq, %row, %twice : i32
    %square = arith.mulf %x, %x : f64
    %s = arith.select %is, %square, %zero : f64
    linalg.yield %s : f64
  } -> tensor<?x?x?xf64>
  %y = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%chosen : tensor<?x?x?xf64>) outs(%init : tensor<?x?xf64>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.addf %o, %x : f64
    linalg.yield %s : f64
  } -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// -----

// Tokens of several sequences, one after the other, and the numbers of rows as a tensor that others read, too.

#number = affine_map<(v, b, n, d) -> (b, n)>
#row = affine_map<(v, b, n, d) -> (v)>
#term = affine_map<(v, b, n, d) -> (b, n, d)>
#all = affine_map<(v, b, n, d) -> (v, b, n, d)>
#rows = affine_map<(v, b, n, d) -> (v, d)>

// CHECK-LABEL: func.func @sequences(
// CHECK-NOT:     outs({{.*}}tensor<50x4x10x16xf32>
// CHECK-DAG:     %[[NUMBERS:.*]] = tensor.collapse_shape %{{.*}} : tensor<4x10xi64> into tensor<40xi64>
// CHECK-DAG:     %[[TERMS:.*]] = tensor.collapse_shape %{{.*}} : tensor<4x10x16xf32> into tensor<40x16xf32>
// CHECK:         scf.for %[[N:.*]] = %{{.*}} to %c40
// CHECK:           tensor.extract %[[NUMBERS]][%[[N]]]
// CHECK:           tensor.extract_slice %[[TERMS]][%[[N]], 0] [1, 16] [1, 1] : tensor<40x16xf32> to tensor<16xf32>
// BUFFERS-LABEL: func.func @sequences(
// BUFFERS-NOT:   memref.copy
// BUFFERS:       return
func.func @sequences(%number: tensor<4x10xi64>, %term: tensor<4x10x16xf32>) -> (tensor<50x16xf32>, tensor<50xi64>) {
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<50xi64>
  %row = linalg.generic {indexing_maps = [affine_map<(v) -> (v)>], iterator_types = ["parallel"]} outs(%f : tensor<50xi64>) {
  ^bb0(%o: i64):
    %v = linalg.index 0 : index
    %i = arith.index_cast %v : index to i64
    linalg.yield %i : i64
  } -> tensor<50xi64>
  %wide = tensor.empty() : tensor<50x4x10x16xf32>
  %chosen = linalg.generic {indexing_maps = [#number, #row, #term, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%number, %row, %term : tensor<4x10xi64>, tensor<50xi64>, tensor<4x10x16xf32>) outs(%wide : tensor<50x4x10x16xf32>) {
  ^bb0(%i: i64, %v: i64, %x: f32, %o: f32):
    %is = arith.cmpi eq, %i, %v : i64
    %s = arith.select %is, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<50x4x10x16xf32>
  %e = tensor.empty() : tensor<50x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<50x16xf32>) -> tensor<50x16xf32>
  %y = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
      ins(%chosen : tensor<50x4x10x16xf32>) outs(%init : tensor<50x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<50x16xf32>
  return %y, %row : tensor<50x16xf32>, tensor<50xi64>
}

// -----

// A term that depends on the row is computed at the row of each token.
// CHECK-LABEL: func.func @of_the_row(
// CHECK-SAME:    {{.*}}, %[[INIT:[a-z0-9]+]]: tensor<50x16xf32>)
// CHECK-NOT:     tensor<50x40x16xf32>
// CHECK:         scf.for
func.func @of_the_row(%number: tensor<40xi64>, %term: tensor<40x16xf32>, %init: tensor<50x16xf32>) -> tensor<50x16xf32> {
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
    %f = arith.sitofp %row : i64 to f32
    %t = arith.mulf %x, %f : f32
    %s = arith.select %is, %t, %zero : f32
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

// What somebody else reads is computed for them alone.
// CHECK-LABEL: func.func @read_twice(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<50x40x16xf32>)
// CHECK:         scf.for
func.func @read_twice(%number: tensor<40xi64>, %term: tensor<40x16xf32>, %init: tensor<50x16xf32>) -> (tensor<50x16xf32>, tensor<50x40x16xf32>) {
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
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<50x16xf32>
  return %y, %chosen : tensor<50x16xf32>, tensor<50x40x16xf32>
}

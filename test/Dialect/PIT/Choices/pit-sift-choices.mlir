// RUN: pit-opt %s --pit-sift-choices --split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-sift-choices --split-input-file --remarks-filter=pit-rules -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#row = affine_map<(t, v) -> (t)>
#hot = affine_map<(t, v) -> (t, v)>

// A product with a one-hot tensor reads a row. A number that is no row adds nothing.
// CHECK-LABEL: func.func @one_hot(
// CHECK-SAME:    %[[IDS:.*]]: tensor<?xi32>, %[[TABLE:.*]]: tensor<50x16xf32>, %[[INIT:.*]]: tensor<?x16xf32>)
// CHECK-NOT:     x50xf32>
// CHECK:         %[[NUMBERS:.*]] = linalg.generic {{.*}} ins(%[[IDS]]
// CHECK:           arith.cmpi ult, %{{.*}}, %c50
// CHECK:           arith.select %{{.*}}, %{{.*}}, %c-1_i64
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[NUMBERS]] : tensor<?xi64>) outs(%[[INIT]]
// CHECK-DAG:       %[[COLUMN:.*]] = linalg.index 1
// CHECK-DAG:       %[[IS:.*]] = arith.cmpi sge
// CHECK:           %[[X:.*]] = tensor.extract %[[TABLE]][%{{.*}}, %[[COLUMN]]]
// CHECK:           %[[ADDED:.*]] = arith.select %[[IS]], %[[X]], %cst
// CHECK:           arith.addf %{{.*}}, %[[ADDED]]
// CHECK-NOT:     linalg.generic
// REMARK: Function=one_hot | {{.*}}reads the rows that numbers name
func.func @one_hot(%ids: tensor<?xi32>, %table: tensor<50x16xf32>, %init: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %ids, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?x50xf32>
  %hot = linalg.generic {indexing_maps = [#row, #hot], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<?xi32>) outs(%e : tensor<?x50xf32>) {
  ^bb0(%i: i32, %o: f32):
    %v = linalg.index 1 : index
    %r = arith.index_cast %v : index to i32
    %is = arith.cmpi eq, %i, %r : i32
    %f = arith.uitofp %is : i1 to f32
    linalg.yield %f : f32
  } -> tensor<?x50xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(t, d, v) -> (t, v)>, affine_map<(t, d, v) -> (v, d)>, affine_map<(t, d, v) -> (t, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%hot, %table : tensor<?x50xf32>, tensor<50x16xf32>) outs(%init : tensor<?x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}

// -----

#row = affine_map<(t, v) -> (t)>
#hot = affine_map<(t, v) -> (t, v)>

// Two choices, added: two lookups, the second one where it is another row. Weights that depend on the row are read there, once for each
// token.
// CHECK-LABEL: func.func @two(
// CHECK-SAME:    %[[A:.*]]: tensor<40xi64>, %[[B:.*]]: tensor<40xi64>, %[[W:.*]]: tensor<40x50xf32>, %[[TABLE:.*]]: tensor<50x16xf32>, %[[INIT:.*]]: tensor<40x16xf32>)
// CHECK-NOT:     outs(%{{.*}} : tensor<40x50x
// CHECK:         tensor.extract %[[W]]
// CHECK:         %[[FIRST:.*]] = linalg.generic {{.*}} outs(%[[INIT]]
// CHECK:           tensor.extract %[[TABLE]]
// CHECK:         arith.cmpi ne
// CHECK:         tensor.extract %[[W]]
// CHECK:         linalg.generic {{.*}} outs(%[[FIRST]]
// CHECK:           tensor.extract %[[TABLE]]
func.func @two(%i: tensor<40xi64>, %j: tensor<40xi64>, %w: tensor<40x50xf32>, %table: tensor<50x16xf32>, %init: tensor<40x16xf32>) -> tensor<40x16xf32> {
  %e = tensor.empty() : tensor<40x50xf32>
  %zero = arith.constant 0.0 : f32
  %hot = linalg.generic {indexing_maps = [#row, #row, #hot, #hot], iterator_types = ["parallel", "parallel"]}
      ins(%i, %j, %w : tensor<40xi64>, tensor<40xi64>, tensor<40x50xf32>) outs(%e : tensor<40x50xf32>) {
  ^bb0(%a: i64, %b: i64, %x: f32, %o: f32):
    %v = linalg.index 1 : index
    %r = arith.index_cast %v : index to i64
    %isA = arith.cmpi eq, %a, %r : i64
    %isB = arith.cmpi eq, %r, %b : i64
    %fa = arith.select %isA, %x, %zero : f32
    %fb = arith.select %isB, %x, %zero : f32
    %f = arith.addf %fa, %fb : f32
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

// Zero times what may be infinite is no zero: such products stay as they are written, and conditions do not.
// RUN: pit-opt %s --pit-sift-choices=finite=false | FileCheck %s

#row = affine_map<(t, v) -> (t)>
#hot = affine_map<(t, v) -> (t, v)>
#lookup = [affine_map<(t, d, v) -> (t)>, affine_map<(t, d, v) -> (v, d)>, affine_map<(t, d, v) -> (t, d)>]

// CHECK-LABEL: func.func @factor(
// CHECK-NOT:     tensor.extract
// CHECK:         iterator_types = ["parallel", "parallel", "reduction"]
func.func @factor(%ids: tensor<40xi64>, %table: tensor<50x16xf32>, %init: tensor<40x16xf32>) -> tensor<40x16xf32> {
  %y = linalg.generic {indexing_maps = #lookup, iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%ids, %table : tensor<40xi64>, tensor<50x16xf32>) outs(%init : tensor<40x16xf32>) {
  ^bb0(%i: i64, %b: f32, %o: f32):
    %v = linalg.index 2 : index
    %r = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %r : i64
    %f = arith.uitofp %is : i1 to f32
    %p = arith.mulf %f, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x16xf32>
  return %y : tensor<40x16xf32>
}

// CHECK-LABEL: func.func @condition(
// CHECK:         tensor.extract
// CHECK-NOT:     "reduction"
// CHECK:         return
func.func @condition(%ids: tensor<40xi64>, %table: tensor<50x16xf32>, %init: tensor<40x16xf32>) -> tensor<40x16xf32> {
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = #lookup, iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%ids, %table : tensor<40xi64>, tensor<50x16xf32>) outs(%init : tensor<40x16xf32>) {
  ^bb0(%i: i64, %b: f32, %o: f32):
    %v = linalg.index 2 : index
    %r = arith.index_cast %v : index to i64
    %is = arith.cmpi eq, %i, %r : i64
    %p = arith.select %is, %b, %zero : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x16xf32>
  return %y : tensor<40x16xf32>
}

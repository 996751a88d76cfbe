// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-propagate-sparsity | FileCheck %s
// One of nine weights need not be one of the eight experts: then the quotient may be 0 / 0, and there is no room to list a token without any.
// RUN: sed -e 's/ins(.q : tensor<64x8xf32>)/ins(%q : tensor<64x9xf32>)/' -e 's/.q: tensor<64x8xf32>/%q: tensor<64x9xf32>/' %s \
// RUN:   | sed -e 's/ins(.p : tensor<64x8xf32>) \(outs(.tz, .iz\)/ins(%q : tensor<64x9xf32>) \1/' \
// RUN:   | pit-opt --pit-infer-marks --pit-normalize --pit-propagate-sparsity | FileCheck %s --check-prefix=OTHERS
// OTHERS: pit.sparse %{{.*}} <kind = values, axes = [0, 1], at_most = 2>
// OTHERS: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<64x8xf32>, tensor<64xf32>) outs(%{{.*}} : tensor<64x8xf32>) {
// OTHERS-NEXT: ^bb0
// OTHERS-NEXT: arith.divf

// A gate that is chosen by numbers and divided by its sum: a token has an expert for certain, as the largest of eight weights is one of eight. So the
// quotient is 0 for the others, and not 0 / 0.
#te = affine_map<(t, e) -> (t, e)>
#t = affine_map<(t, e) -> (t)>
#e = affine_map<(t, e) -> (e)>
#tke = affine_map<(t, k, e) -> (t, k, e)>
// CHECK: pit.sparse %{{.*}} <kind = values, axes = [0, 1], at_most = 2> {{.*}}fixed(0)
// CHECK: pit.facts = ["pattern [[P:[0-9]+]] on dims [0, 1]: fixed(0.000000e+00)"]
// CHECK: pit.facts = ["pattern [[P]] on dims [0, 1]: fixed(0.000000e+00)"]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.divf
func.func @chosen(%p: tensor<64x8xf32>, %q: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %te = tensor.empty() : tensor<64xf32>
  %ti = tensor.empty() : tensor<64xi64>
  %tz = linalg.fill ins(%least : f32) outs(%te : tensor<64xf32>) -> tensor<64xf32>
  %iz = linalg.fill ins(%none : i64) outs(%ti : tensor<64xi64>) -> tensor<64xi64>
  %first:2 = linalg.generic {indexing_maps = [#te, #t, #t], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<64x8xf32>) outs(%tz, %iz : tensor<64xf32>, tensor<64xi64>) {
  ^bb0(%a: f32, %m: f32, %n: i64):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    %l = arith.maximumf %a, %m : f32
    %g = arith.cmpf ogt, %a, %m : f32
    %s = arith.select %g, %c, %n : i64
    linalg.yield %l, %s : f32, i64
  } -> (tensor<64xf32>, tensor<64xi64>)
  %second:2 = linalg.generic {indexing_maps = [#te, #t, #t], iterator_types = ["parallel", "reduction"]} ins(%q : tensor<64x8xf32>) outs(%tz, %iz : tensor<64xf32>, tensor<64xi64>) {
  ^bb0(%a: f32, %m: f32, %n: i64):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    %l = arith.maximumf %a, %m : f32
    %g = arith.cmpf ogt, %a, %m : f32
    %s = arith.select %g, %c, %n : i64
    linalg.yield %l, %s : f32, i64
  } -> (tensor<64xf32>, tensor<64xi64>)
  %x1 = tensor.expand_shape %first#1 [[0, 1]] output_shape [64, 1] : tensor<64xi64> into tensor<64x1xi64>
  %x2 = tensor.expand_shape %second#1 [[0, 1]] output_shape [64, 1] : tensor<64xi64> into tensor<64x1xi64>
  %both = tensor.concat dim(1) %x1, %x2 : (tensor<64x1xi64>, tensor<64x1xi64>) -> tensor<64x2xi64>
  %he = tensor.empty() : tensor<64x2x8xi64>
  %hot = linalg.generic {indexing_maps = [affine_map<(t, k, e) -> (t, k)>, #tke], iterator_types = ["parallel", "parallel", "parallel"]} ins(%both : tensor<64x2xi64>) outs(%he : tensor<64x2x8xi64>) {
  ^bb0(%a: i64, %o: i64):
    %i = linalg.index 2 : index
    %c = arith.index_cast %i : index to i64
    %s = arith.cmpi eq, %a, %c : i64
    %n = arith.extui %s : i1 to i64
    linalg.yield %n : i64
  } -> tensor<64x2x8xi64>
  %ce = tensor.empty() : tensor<64x8xi64>
  %cz = linalg.fill ins(%none : i64) outs(%ce : tensor<64x8xi64>) -> tensor<64x8xi64>
  %count = linalg.generic {indexing_maps = [#tke, affine_map<(t, k, e) -> (t, e)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%hot : tensor<64x2x8xi64>) outs(%cz : tensor<64x8xi64>) {
  ^bb0(%a: i64, %o: i64):
    %s = arith.addi %a, %o : i64
    linalg.yield %s : i64
  } -> tensor<64x8xi64>
  %ge = tensor.empty() : tensor<64x8xf32>
  %g = linalg.generic {indexing_maps = [#te, #te, #te], iterator_types = ["parallel", "parallel"]} ins(%count, %p : tensor<64x8xi64>, tensor<64x8xf32>) outs(%ge : tensor<64x8xf32>) {
  ^bb0(%a: i64, %b: f32, %o: f32):
    %f = arith.sitofp %a : i64 to f32
    %m = arith.mulf %f, %b : f32
    linalg.yield %m : f32
  } -> tensor<64x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%te : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#te, #t], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<64x8xf32>) outs(%sz : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#te, #t, #te], iterator_types = ["parallel", "parallel"]} ins(%g, %sum : tensor<64x8xf32>, tensor<64xf32>) outs(%ge : tensor<64x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<64x8xf32>
  return %r : tensor<64x8xf32>
}

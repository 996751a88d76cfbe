// Patterns behind reshapes that merge or split the dimensions along which they lie.
// RUN: pit-opt %s --pit-propagate-sparsity | FileCheck %s
// RUN: pit-run %s --entry=merge --target=cpu --no-dense-variants --random=normal --random=bool:0.4 --check --quiet | FileCheck %s --check-prefix=VALUES
// RUN: pit-run %s --entry=demand --target=cpu --no-dense-variants --random=normal@96x16 --random=lengths:0:24@4 --check --quiet | FileCheck %s --check-prefix=VALUES
// RUN: pit-run %s --entry=split --target=cpu --no-dense-variants --random=normal --random=bool:0.4 --check --quiet | FileCheck %s --check-prefix=VALUES
// RUN: pit-run %s --entry=unread --target=cpu --no-dense-variants --random=normal --random=bool:0.4 --check --quiet | FileCheck %s --check-prefix=VALUES
// RUN: pit-run %s --entry=empty --target=cpu --no-dense-variants --random=normal --random=bool:0.1 --check --quiet | FileCheck %s --check-prefix=VALUES
// RUN: pit-run %s --entry=empty --target=cpu --no-dense-variants --random=normal --random=bool:0 --check --quiet | FileCheck %s --check-prefix=VALUES
// VALUES: check: result 0: {{agrees|bit-identical}}

// Rows of [batch, position] are tokens, and rows again. Facts go one way, what nobody reads the other.
// CHECK-LABEL: func @merge
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]{{.*}} attrs = {pit.facts = ["pattern 1 on dims [0]: fixed(0.000000e+00)"], pit.restricted = "pattern 1 on axes [0]: dead-result"}
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]{{.*}} attrs = {pit.facts = ["pattern 0 on dims [0, 1]: fixed(0.000000e+00)"], pit.restricted = "pattern 0 on axes [0, 1]: dead-result"}
func.func @merge(%x: tensor<4x24x16xf32>, %m: tensor<4x24xi1>) -> tensor<4x24x16xf32> {
  %s = pit.sparse %x by(%m : tensor<4x24xi1>) <kind = mask, axes = [0, 1]> : tensor<4x24x16xf32>
  %t = tensor.collapse_shape %s [[0, 1], [2]] : tensor<4x24x16xf32> into tensor<96x16xf32>
  %e = tensor.empty() : tensor<96x16xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<96x16xf32>) outs(%e : tensor<96x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %y = arith.mulf %v, %v : f32
    linalg.yield %y : f32
  } -> tensor<96x16xf32>
  %w = tensor.expand_shape %a [[0, 1], [2]] output_shape [4, 24, 16] : tensor<96x16xf32> into tensor<4x24x16xf32>
  %f = tensor.empty() : tensor<4x24x16xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(b, s, d) -> (b, s, d)>, affine_map<(b, s, d) -> (b, s, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<4x24x16xf32>) outs(%f : tensor<4x24x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %y = arith.negf %v : f32
    %z = arith.addf %y, %v : f32
    linalg.yield %z : f32
  } -> tensor<4x24x16xf32>
  return %b : tensor<4x24x16xf32>
}

// Of lengths, tokens have a mask.
// CHECK-LABEL: func @demand
// CHECK: linalg.generic {{.*}} ins(%arg0 {{.*}}pit.restricted = "pattern 1 on axes [0]: demand"
func.func @demand(%x: tensor<?x16xf32>, %l: tensor<?xi64>) -> tensor<?x24x16xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x16xf32>
  %n = tensor.dim %l, %c0 : tensor<?xi64>
  %e = tensor.empty(%t) : tensor<?x16xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %y = math.exp %v : f32
    linalg.yield %y : f32
  } -> tensor<?x16xf32>
  %w = tensor.expand_shape %a [[0, 1], [2]] output_shape [%n, 24, 16] : tensor<?x16xf32> into tensor<?x24x16xf32>
  %s = pit.sparse %w by(%l : tensor<?xi64>) <kind = lengths, axes = [0, 1]> : tensor<?x24x16xf32>
  return %s : tensor<?x24x16xf32>
}

// A dimension of one point comes and goes. What is split again has the pattern of all parts.
// CHECK-LABEL: func @split
// CHECK: linalg.generic {{.*}}pit.facts = ["pattern 1 on dims [0, 2, 3]: fixed(0.000000e+00)"], pit.restricted = "pattern 1 on axes [0, 2, 3]: dead-result"
func.func @split(%x: tensor<96x16xf32>, %m: tensor<96xi1>) -> tensor<2x1x6x8x16xf32> {
  %s = pit.sparse %x by(%m : tensor<96xi1>) <kind = mask, axes = [0]> : tensor<96x16xf32>
  %t = tensor.expand_shape %s [[0, 1, 2, 3], [4]] output_shape [2, 1, 6, 8, 16] : tensor<96x16xf32> into tensor<2x1x6x8x16xf32>
  %e = tensor.empty() : tensor<2x1x6x8x16xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>, affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%t : tensor<2x1x6x8x16xf32>) outs(%e : tensor<2x1x6x8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %y = arith.mulf %v, %v : f32
    linalg.yield %y : f32
  } -> tensor<2x1x6x8x16xf32>
  return %a : tensor<2x1x6x8x16xf32>
}

// A part of a group says nothing of the whole, nor does a pattern in another order. Values have no bits to reshape.
// CHECK-LABEL: func @ends
// CHECK-NOT: pit.restricted
func.func @ends(%x: tensor<4x24x16xf32>, %m: tensor<24xi1>, %n: tensor<24x4xi1>) -> (tensor<96x16xf32>, tensor<96x16xf32>, tensor<96x16xf32>) {
  %s = pit.sparse %x by(%m : tensor<24xi1>) <kind = mask, axes = [1]> : tensor<4x24x16xf32>
  %t = tensor.collapse_shape %s [[0, 1], [2]] : tensor<4x24x16xf32> into tensor<96x16xf32>
  %e = tensor.empty() : tensor<96x16xf32>
  %a = linalg.square ins(%t : tensor<96x16xf32>) outs(%e : tensor<96x16xf32>) -> tensor<96x16xf32>
  %s1 = pit.sparse %x by(%n : tensor<24x4xi1>) <kind = mask, axes = [1, 0]> : tensor<4x24x16xf32>
  %t1 = tensor.collapse_shape %s1 [[0, 1], [2]] : tensor<4x24x16xf32> into tensor<96x16xf32>
  %b = linalg.square ins(%t1 : tensor<96x16xf32>) outs(%e : tensor<96x16xf32>) -> tensor<96x16xf32>
  %s2 = pit.sparse %x <kind = values, axes = [0, 1]> : tensor<4x24x16xf32>
  %t2 = tensor.collapse_shape %s2 [[0, 1], [2]] : tensor<4x24x16xf32> into tensor<96x16xf32>
  %c = linalg.square ins(%t2 : tensor<96x16xf32>) outs(%e : tensor<96x16xf32>) -> tensor<96x16xf32>
  return %a, %b, %c : tensor<96x16xf32>, tensor<96x16xf32>, tensor<96x16xf32>
}

// A result that nobody reads is not asked for.
// CHECK-LABEL: func @unread
// CHECK: iterator_types = ["parallel", "reduction"]{{.*}}pit.restricted = "pattern 0 on axes [0]: demand"
func.func @unread(%x: tensor<96x16xf32>, %m: tensor<96xi1>) -> tensor<96xi64> {
  %c0 = arith.constant 0 : i64
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<96xf32>
  %e1 = tensor.empty() : tensor<96xi64>
  %s0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<96xf32>) -> tensor<96xf32>
  %s1 = linalg.fill ins(%c0 : i64) outs(%e1 : tensor<96xi64>) -> tensor<96xi64>
  %best:2 = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (t)>, affine_map<(t, d) -> (t)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<96x16xf32>) outs(%s0, %s1 : tensor<96xf32>, tensor<96xi64>) {
  ^bb0(%a: f32, %most: f32, %i: i64):
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %larger = arith.cmpf ogt, %a, %most : f32
    %next = arith.maximumf %a, %most : f32
    %place = arith.select %larger, %here, %i : i64
    linalg.yield %next, %place : f32, i64
  } -> (tensor<96xf32>, tensor<96xi64>)
  %s = pit.sparse %best#1 by(%m : tensor<96xi1>) <kind = mask, axes = [0]> : tensor<96xi64>
  return %s : tensor<96xi64>
}

// The largest of live rows alone. Behind the reshape it is not known which of them are low numbers, so what is computed of it stays as it is written.
// CHECK-LABEL: func @empty
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]{{.*}}pit.restricted = "pattern 1 on axes [0]: annihilated"
func.func @empty(%x: tensor<4x24x16xf32>, %m: tensor<4x24xi1>) -> tensor<96x16xf32> {
  %least = arith.constant 0xFF800000 : f32
  %s = pit.sparse %x by(%m : tensor<4x24xi1>) <kind = mask, axes = [0, 1], absent = "neg_inf"> : tensor<4x24x16xf32>
  %t = tensor.collapse_shape %s [[0, 1], [2]] : tensor<4x24x16xf32> into tensor<96x16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %low = linalg.fill ins(%least : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (d)>], iterator_types = ["reduction", "parallel"]}
      ins(%t : tensor<96x16xf32>) outs(%low : tensor<16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %y = arith.maximumf %v, %o : f32
    linalg.yield %y : f32
  } -> tensor<16xf32>
  %f = tensor.empty() : tensor<96x16xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (d)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%t, %most : tensor<96x16xf32>, tensor<16xf32>) outs(%f : tensor<96x16xf32>) {
  ^bb0(%v: f32, %a: f32, %o: f32):
    %d = arith.subf %v, %a : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<96x16xf32>
  return %b : tensor<96x16xf32>
}

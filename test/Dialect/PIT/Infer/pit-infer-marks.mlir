// Truth values are marked where they are made, and what a row holds at most is proven.
// RUN: pit-opt %s --split-input-file --pit-infer-marks | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// A comparison with lengths; 0 where it does not hold.
// CHECK-LABEL: func.func @lengths
// CHECK: %[[M:.*]] = linalg.generic
// CHECK: pit.sparse %[[M]] by(%[[M]] : tensor<4x128xi1>) <kind = mask, axes = [0, 1]> {__inferred_mark}
func.func @lengths(%x: tensor<4x128xf32>, %len: tensor<4xindex>) -> tensor<4x128xf32> {
  %e = tensor.empty() : tensor<4x128xi1>
  %m = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%len : tensor<4xindex>) outs(%e : tensor<4x128xi1>) {
  ^bb0(%l: index, %o: i1):
    %j = linalg.index 1 : index
    %c = arith.cmpi slt, %j, %l : index
    linalg.yield %c : i1
  } -> tensor<4x128xi1>
  %zero = arith.constant dense<0.0> : tensor<4x128xf32>
  %y = arith.select %m, %x, %zero : tensor<4x128xi1>, tensor<4x128xf32>
  return %y : tensor<4x128xf32>
}

// -----

// What is to be left out is true: the inverse is marked.
// CHECK-LABEL: func.func @masked_fill
// CHECK-SAME: %[[ARG:[a-z0-9]+]]: tensor<128x128xi1>
// CHECK: %[[N:.*]] = linalg.generic {{.*}} ins(%[[ARG]]
// CHECK: arith.xori
// CHECK: %[[S:.*]] = pit.sparse %[[N]] by(%[[N]] : tensor<128x128xi1>) <kind = mask, axes = [0, 1]>
// CHECK: linalg.generic {{.*}} ins(%[[S]]
// CHECK: arith.xori
func.func @masked_fill(%x: tensor<128x128xf32>, %m: tensor<128x128xi1>) -> tensor<128x128xf32> {
  %inf = arith.constant dense<0xFF800000> : tensor<128x128xf32>
  %y = arith.select %m, %inf, %x : tensor<128x128xi1>, tensor<128x128xf32>
  return %y : tensor<128x128xf32>
}

// -----

// A tokenizer's mask of integers, seen through dimensions of extent 1.
// CHECK-LABEL: func.func @tokenizer
// CHECK-SAME: %[[ARG:[a-z0-9]+]]: tensor<4x1x128xi64>
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[ARG]] : {{.*}}) outs(%{{.*}} : tensor<4x1x128xi1>)
// CHECK: %[[V:.*]] = tensor.collapse_shape %[[B]] {{\[}}[0], [1, 2]]
// CHECK: pit.sparse %[[ARG]] by(%[[V]] : tensor<4x128xi1>) <kind = mask, axes = [0, 2]>
func.func @tokenizer(%m: tensor<4x1x128xi64>) -> tensor<4x1x128xf32> {
  %e = tensor.empty() : tensor<4x1x128xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m : tensor<4x1x128xi64>) outs(%e : tensor<4x1x128xf32>) {
  ^bb0(%a: i64, %o: f32):
    %min = arith.constant -3.4028234663852886E+38 : f32
    %one = arith.constant 1.0 : f32
    %f = arith.sitofp %a : i64 to f32
    %n = arith.subf %one, %f : f32
    %b = arith.mulf %n, %min : f32
    linalg.yield %b : f32
  } -> tensor<4x1x128xf32>
  return %y : tensor<4x1x128xf32>
}

// -----

// Two choices of each token joined: no more than two of a row.
// CHECK-LABEL: func.func @two_choices
// CHECK: arith.ori
// CHECK: <kind = mask, axes = [0, 1], at_most = 2>
#id2 = affine_map<(i, j) -> (i, j)>
#row2 = affine_map<(i, j) -> (i)>
func.func @two_choices(%first: tensor<64xi64>, %second: tensor<64xi64>, %p: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %e = tensor.empty() : tensor<64x8xi1>
  %m = linalg.generic {indexing_maps = [#row2, #row2, #id2], iterator_types = ["parallel", "parallel"]} ins(%first, %second : tensor<64xi64>, tensor<64xi64>) outs(%e : tensor<64x8xi1>) {
  ^bb0(%a: i64, %b: i64, %o: i1):
    %j = linalg.index 1 : index
    %c = arith.index_cast %j : index to i64
    %f = arith.cmpi eq, %c, %a : i64
    %s = arith.cmpi eq, %c, %b : i64
    %r = arith.ori %f, %s : i1
    linalg.yield %r : i1
  } -> tensor<64x8xi1>
  %zero = arith.constant dense<0.0> : tensor<64x8xf32>
  %y = arith.select %m, %p, %zero : tensor<64x8xi1>, tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}

// -----

// The sum of one-hot choices, weighted: a gate of which each token has two weights.
// CHECK-LABEL: func.func @one_hot
// CHECK: pit.sparse %{{.*}} <kind = values, axes = [0, 1], at_most = 2>
func.func @one_hot(%ids: tensor<64x2xi64>, %w: tensor<64x2xf32>) -> tensor<64x8xf32> {
  %e = tensor.empty() : tensor<64x2x8xf32>
  %hot = linalg.generic {indexing_maps = [affine_map<(t, k, e) -> (t, k)>, affine_map<(t, k, e) -> (t, k)>, affine_map<(t, k, e) -> (t, k, e)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids, %w : tensor<64x2xi64>, tensor<64x2xf32>) outs(%e : tensor<64x2x8xf32>) {
  ^bb0(%a: i64, %b: f32, %o: f32):
    %j = linalg.index 2 : index
    %c = arith.index_cast %j : index to i64
    %q = arith.cmpi eq, %a, %c : i64
    %f = arith.uitofp %q : i1 to f32
    %r = arith.mulf %f, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x2x8xf32>
  %c0 = arith.constant 0.0 : f32
  %z = tensor.empty() : tensor<64x8xf32>
  %f = linalg.fill ins(%c0 : f32) outs(%z : tensor<64x8xf32>) -> tensor<64x8xf32>
  %gate = linalg.generic {indexing_maps = [affine_map<(t, k, e) -> (t, k, e)>, affine_map<(t, k, e) -> (t, e)>],
      iterator_types = ["parallel", "reduction", "parallel"]} ins(%hot : tensor<64x2x8xf32>) outs(%f : tensor<64x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<64x8xf32>
  return %gate : tensor<64x8xf32>
}

// -----

// Numbers that may be equal more than once prove nothing: no bound.
// CHECK-LABEL: func.func @not_distinct
// CHECK: pit.sparse
// CHECK-NOT: at_most
func.func @not_distinct(%ids: tensor<64xi64>, %names: tensor<8xi64>, %p: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %e = tensor.empty() : tensor<64x8xi1>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids, %names : tensor<64xi64>, tensor<8xi64>) outs(%e : tensor<64x8xi1>) {
  ^bb0(%a: i64, %b: i64, %o: i1):
    %f = arith.cmpi eq, %a, %b : i64
    linalg.yield %f : i1
  } -> tensor<64x8xi1>
  %zero = arith.constant dense<0.0> : tensor<64x8xf32>
  %y = arith.select %m, %p, %zero : tensor<64x8xi1>, tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}

// -----

// A comparison of places that always holds is not a mask.
// CHECK-LABEL: func.func @always
// CHECK-NOT: pit.sparse
func.func @always(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xi1>
  %m = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<16xi1>) {
  ^bb0(%o: i1):
    %c0 = arith.constant 0 : index
    %j = linalg.index 0 : index
    %c = arith.cmpi sge, %j, %c0 : index
    linalg.yield %c : i1
  } -> tensor<16xi1>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %y = arith.select %m, %x, %zero : tensor<16xi1>, tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

// A mask inside of the op that uses it, over two of its three loops.
// CHECK-LABEL: func.func @inside
// CHECK: %[[M:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x128xi1>)
// CHECK: arith.cmpi slt
// CHECK: %[[S:.*]] = pit.sparse %[[M]] by(%[[M]] : tensor<4x128xi1>) <kind = mask, axes = [0, 1]>
// CHECK: linalg.generic {{.*}}%[[S]]
func.func @inside(%x: tensor<4x64x128xf32>, %len: tensor<4xi64>) -> tensor<4x64x128xf32> {
  %e = tensor.empty() : tensor<4x64x128xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, q, k) -> (b, q, k)>, affine_map<(b, q, k) -> (b)>, affine_map<(b, q, k) -> (b, q, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %len : tensor<4x64x128xf32>, tensor<4xi64>) outs(%e : tensor<4x64x128xf32>) {
  ^bb0(%a: f32, %l: i64, %o: f32):
    %inf = arith.constant 0xFF800000 : f32
    %k = linalg.index 2 : index
    %i = arith.index_cast %k : index to i64
    %c = arith.cmpi slt, %i, %l : i64
    %s = arith.select %c, %a, %inf : f32
    linalg.yield %s : f32
  } -> tensor<4x64x128xf32>
  return %y : tensor<4x64x128xf32>
}

// -----

// A condition on the data itself is no mask.
// CHECK-LABEL: func.func @relu
// CHECK-NOT: pit.sparse
func.func @relu(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %a, %zero : f32
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

// Integers of 8 bits, and those that are multiplied, are data.
// CHECK-LABEL: func.func @data
// CHECK-NOT: pit.sparse
func.func @data(%a: tensor<16x32xi8>, %b: tensor<32x8xi8>, %c: tensor<16x32xi32>, %d: tensor<32x8xi32>, %o: tensor<16x8xi32>) -> (tensor<16x8xi32>, tensor<16x8xi32>) {
  %p = linalg.matmul ins(%a, %b : tensor<16x32xi8>, tensor<32x8xi8>) outs(%o : tensor<16x8xi32>) -> tensor<16x8xi32>
  %q = linalg.matmul ins(%c, %d : tensor<16x32xi32>, tensor<32x8xi32>) outs(%o : tensor<16x8xi32>) -> tensor<16x8xi32>
  return %p, %q : tensor<16x8xi32>, tensor<16x8xi32>
}

// RUN: pit-opt %s --pit-unroll-parts --canonicalize --split-input-file | FileCheck %s

#id2 = affine_map<(t, k) -> (t, k)>
#one2 = affine_map<(t, k) -> (t)>
#tk = affine_map<(t, k, e) -> (t, k)>
#t = affine_map<(t, k, e) -> (t)>
#e = affine_map<(t, k, e) -> (e)>
#te = affine_map<(t, k, e) -> (t, e)>
#id = affine_map<(t, k, e) -> (t, k, e)>

// Weights side by side with numbers, their sum, and a gate of the quotients: sums in the order of the parts, of numbers
// of each row, and what a reduction alone reads is part of it.
// CHECK-LABEL: func.func @gate(
// CHECK-SAME: %[[W0:.*]]: tensor<?xf32>, %[[W1:.*]]: tensor<?xf32>, %[[N0:.*]]: tensor<?xi64>, %[[N1:.*]]: tensor<?xi64>
// CHECK-NOT: tensor.concat
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[W0]], %[[W1]] : tensor<?xf32>, tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[FIRST:.*]] = arith.addf %[[A]], %{{.*}} : f32
// CHECK-NEXT: arith.addf %[[B]], %[[FIRST]] : f32
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[N0]], %[[N1]], %{{.*}}, %[[W0]], %[[W1]], %[[SUM]] :
// CHECK-SAME: outs(%{{.*}} : tensor<?x8xf32>)
// CHECK-COUNT-2: arith.divf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @gate(%w0: tensor<?xf32>, %w1: tensor<?xf32>, %n0: tensor<?xi64>, %n1: tensor<?xi64>, %numbers: tensor<8xi64>, %d: index) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %a = tensor.expand_shape %w0 [[0, 1]] output_shape [%d, 1] : tensor<?xf32> into tensor<?x1xf32>
  %b = tensor.expand_shape %w1 [[0, 1]] output_shape [%d, 1] : tensor<?xf32> into tensor<?x1xf32>
  %w = tensor.concat dim(1) %a, %b : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  %p = tensor.expand_shape %n0 [[0, 1]] output_shape [%d, 1] : tensor<?xi64> into tensor<?x1xi64>
  %q = tensor.expand_shape %n1 [[0, 1]] output_shape [%d, 1] : tensor<?xi64> into tensor<?x1xi64>
  %n = tensor.concat dim(1) %p, %q : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x2xi64>
  %e1 = tensor.empty(%d) : tensor<?xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id2, #one2], iterator_types = ["parallel", "reduction"]} ins(%w : tensor<?x2xf32>) outs(%z1 : tensor<?xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %e3 = tensor.empty(%d) : tensor<?x2x8xf32>
  %hot = linalg.generic {indexing_maps = [#tk, #e, #tk, #t, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%n, %numbers, %w, %sum : tensor<?x2xi64>, tensor<8xi64>, tensor<?x2xf32>, tensor<?xf32>) outs(%e3 : tensor<?x2x8xf32>) {
  ^bb0(%x: i64, %y: i64, %v: f32, %s: f32, %acc: f32):
    %is = arith.cmpi eq, %x, %y : i64
    %f = arith.divf %v, %s : f32
    %r = arith.select %is, %f, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x2x8xf32>
  %e2 = tensor.empty(%d) : tensor<?x8xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %gate = linalg.generic {indexing_maps = [#id, #te], iterator_types = ["parallel", "reduction", "parallel"]} ins(%hot : tensor<?x2x8xf32>) outs(%z2 : tensor<?x8xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  return %gate : tensor<?x8xf32>
}

// -----

#id = affine_map<(t, k) -> (t, k)>
#one = affine_map<(t, k) -> (t)>

// Behind elementwise work that two sums read, and that asks for its place; from what is there.
// CHECK-LABEL: func.func @scaled(
// CHECK-NOT: tensor.concat
// CHECK-COUNT-2: linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%{{[^,]*}} : tensor<4xf32>)
// CHECK-COUNT-2: linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%{{.*}}, %{{.*}}, %arg2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
// CHECK-NOT: linalg.generic
func.func @scaled(%a: tensor<4x1xf32>, %b: tensor<4x1xf32>, %start: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %two = arith.constant 2.0 : f32
  %w = tensor.concat dim(1) %a, %b : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4x2xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %g = arith.addf %f, %two : f32
    %r = arith.mulf %x, %g : f32
    linalg.yield %r : f32
  } -> tensor<4x2xf32>
  %s = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x2xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %t = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x2xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %s, %t : tensor<4xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(t, k) -> (t, k)>
#one = affine_map<(t, k) -> (t)>

// What somebody else reads stays, and so do wider parts, and a sum with a factor of its own for each part.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: tensor.concat
func.func @others(%a: tensor<4x1xf32>, %b: tensor<4x1xf32>, %wide: tensor<4x2xf32>, %f: tensor<4x2xf32>, %start: tensor<4xf32>)
    -> (tensor<4x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %w = tensor.concat dim(1) %a, %b : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  %s = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "reduction"]} ins(%w : tensor<4x2xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %v = tensor.concat dim(1) %a, %wide : (tensor<4x1xf32>, tensor<4x2xf32>) -> tensor<4x3xf32>
  %t = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "reduction"]} ins(%v : tensor<4x3xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %u = tensor.concat dim(1) %b, %a : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #one], iterator_types = ["parallel", "reduction"]} ins(%u, %f : tensor<4x2xf32>, tensor<4x2xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %m, %acc : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %w, %s, %t, %p : tensor<4x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

#row = affine_map<(t, e) -> (t, e)>
#one = affine_map<(t, e) -> (t)>
#id = affine_map<(t) -> (t)>

// The element at the place of the largest is a sum over its row, to the bit. A place that may lie elsewhere is looked up.
// CHECK-LABEL: func.func @lookup(
// CHECK: %[[NOTHING:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[TOP:.*]]:2 = linalg.generic
// CHECK: linalg.fill ins(%[[NOTHING]] : f32)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%arg1, %[[TOP]]#1 : tensor<4x8xf32>, tensor<4xi32>)
// CHECK: arith.cmpi eq
// CHECK: arith.addf
// CHECK: tensor.extract %arg1
// CHECK-NOT: tensor.extract
func.func @lookup(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %given: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi32>
  %s = linalg.fill ins(%least : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %si = linalg.fill ins(%c0 : i32) outs(%ei : tensor<4xi32>) -> tensor<4xi32>
  %top:2 = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%s, %si : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%l: f32, %acc: f32, %at: i32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %m = arith.maximumf %l, %acc : f32
    %is = arith.cmpf ogt, %l, %acc : f32
    %p = arith.select %is, %n, %at : i32
    linalg.yield %m, %p : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%top#1 : tensor<4xi32>) outs(%e : tensor<4xf32>) {
  ^bb0(%n: i32, %acc: f32):
    %t = linalg.index 0 : index
    %at = arith.index_cast %n : i32 to index
    %v = tensor.extract %y[%t, %at] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%given : tensor<4xi32>) outs(%e : tensor<4xf32>) {
  ^bb0(%n: i32, %acc: f32):
    %t = linalg.index 0 : index
    %at = arith.index_cast %n : i32 to index
    %v = tensor.extract %y[%t, %at] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r, %q : tensor<4xf32>, tensor<4xf32>
}

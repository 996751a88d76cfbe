// An assert that a number is not zero is dropped where it is positive whatever data says: the sum of 1 and an exponential, of the same op or of
// another one. An op with a side effect would run at all points, and so would what it reads.
// RUN: pit-opt %s --pit-normalize --split-input-file | FileCheck %s

#id = affine_map<(r, j) -> (r, j)>
#row = affine_map<(r, j) -> (r)>

// CHECK-LABEL: func.func @sigmoid
// CHECK-NOT: cf.assert
// CHECK: return
func.func @sigmoid(%x: tensor<64x128xf32>, %live: tensor<64xi1> {pit.sparse = {source = "values", axes = array<i64: 0>}}) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %p = math.exp %n : f32
    %s = arith.addf %p, %one : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  %inverse = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %holds = arith.cmpf one, %in, %zero : f32
    cf.assert %holds, "unimplemented: tensor with zero element"
    %q = arith.divf %one, %in : f32
    linalg.yield %q : f32
  } -> tensor<64x128xf32>
  %a = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%inverse, %live : tensor<64x128xf32>, tensor<64xi1>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%in: f32, %l: i1, %out: f32):
    %s = arith.select %l, %in, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum, %live : tensor<64x128xf32>, tensor<64x128xf32>, tensor<64xi1>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%in: f32, %below: f32, %l: i1, %out: f32):
    %q = arith.divf %in, %below : f32
    %s = arith.select %l, %q, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  return %a, %b : tensor<64x128xf32>, tensor<64x128xf32>
}

// -----

// Data may hold a zero.
// CHECK-LABEL: func.func @unknown
// CHECK: cf.assert
#id = affine_map<(r) -> (r)>
func.func @unknown(%x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %inverse = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %holds = arith.cmpf one, %in, %zero : f32
    cf.assert %holds, "unimplemented: tensor with zero element"
    %q = arith.divf %one, %in : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  return %inverse : tensor<64xf32>
}

// -----

// A sum of exponentials and data may be zero, a comparison may ask for more than that, and what a sum over an axis starts from is no bound of it.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: cf.assert
#id = affine_map<(r) -> (r)>
#in = affine_map<(r, j) -> (r, j)>
#to = affine_map<(r, j) -> (r)>
func.func @others(%x: tensor<64xf32>, %y: tensor<64x8xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = math.exp %in : f32
    %s = arith.addf %p, %in : f32
    %holds = arith.cmpf une, %s, %zero : f32
    cf.assert %holds, "zero"
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = math.exp %in : f32
    %s = arith.addf %p, %one : f32
    %holds = arith.cmpf ogt, %s, %two : f32
    cf.assert %holds, "small"
    linalg.yield %s : f32
  } -> tensor<64xf32>
  // An accumulator, which is 1 at first alone.
  %start = linalg.fill ins(%one : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#in, #to], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<64x8xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %holds = arith.cmpf une, %out, %zero : f32
    cf.assert %holds, "zero"
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%sum : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %holds = arith.cmpf one, %in, %zero : f32
    cf.assert %holds, "zero"
    %q = arith.divf %one, %in : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  return %a, %b, %c : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

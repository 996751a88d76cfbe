// Running sums, written as reductions under a triangle: the triangle is compared in the body, and is no tensor.
// RUN: pit-opt %s --split-input-file --pit-normalize --canonicalize | FileCheck %s

// A product with 0 and 1, of integers; positions are counted in a tensor of their own.
// CHECK-LABEL: func.func @product
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{[^,]*}} : tensor<64x8xi64>)
// CHECK:           arith.cmpi sle
// CHECK:           arith.select
// CHECK-NEXT:      arith.addi
// CHECK-NOT:     linalg.generic
func.func @product(%x: tensor<64x8xi64>) -> tensor<64x8xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ec = tensor.empty() : tensor<64xi64>
  %counted = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%ec : tensor<64xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  } -> tensor<64xi64>
  %et = tensor.empty() : tensor<64x64xi64>
  %triangle = linalg.generic {indexing_maps = [affine_map<(q, k) -> (k)>, affine_map<(q, k) -> (q)>, affine_map<(q, k) -> (q, k)>],
                              iterator_types = ["parallel", "parallel"]} ins(%counted, %counted : tensor<64xi64>, tensor<64xi64>) outs(%et : tensor<64x64xi64>) {
  ^bb0(%k: i64, %q: i64, %o: i64):
    %d = arith.subi %k, %q : i64
    %c = arith.cmpi sle, %d, %zero : i64
    %s = arith.select %c, %one, %zero : i64
    linalg.yield %s : i64
  } -> tensor<64x64xi64>
  %e = tensor.empty() : tensor<64x8xi64>
  %f = linalg.fill ins(%zero : i64) outs(%e : tensor<64x8xi64>) -> tensor<64x8xi64>
  %y = linalg.generic {indexing_maps = [affine_map<(q, c, k) -> (k, c)>, affine_map<(q, c, k) -> (q, k)>, affine_map<(q, c, k) -> (q, c)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %triangle : tensor<64x8xi64>, tensor<64x64xi64>) outs(%f : tensor<64x8xi64>) {
  ^bb0(%v: i64, %t: i64, %s: i64):
    %p = arith.muli %v, %t : i64
    %r = arith.addi %s, %p : i64
    linalg.yield %r : i64
  } -> tensor<64x8xi64>
  return %y : tensor<64x8xi64>
}

// -----

// Of floats, inf times 0 is not 0: the product stays.
// CHECK-LABEL: func.func @product_of_floats
// CHECK:         arith.select
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<64x8xf32>, tensor<64x64xf32>)
// CHECK:           arith.mulf
func.func @product_of_floats(%x: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %et = tensor.empty() : tensor<64x64xf32>
  %triangle = linalg.generic {indexing_maps = [affine_map<(q, k) -> (q, k)>], iterator_types = ["parallel", "parallel"]} outs(%et : tensor<64x64xf32>) {
  ^bb0(%o: f32):
    %q = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c = arith.cmpi sle, %k, %q : index
    %s = arith.select %c, %one, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(q, c, k) -> (k, c)>, affine_map<(q, c, k) -> (q, k)>, affine_map<(q, c, k) -> (q, c)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %triangle : tensor<64x8xf32>, tensor<64x64xf32>) outs(%f : tensor<64x8xf32>) {
  ^bb0(%v: f32, %t: f32, %s: f32):
    %p = arith.mulf %v, %t : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}

// -----

// A choice that is a tensor of all pairs.
// CHECK-LABEL: func.func @chosen
// CHECK-NOT:     tensor<5x90x90xf32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{[^,]*}} : tensor<5x90xf32>)
// CHECK-NOT:     linalg.generic
func.func @chosen(%x: tensor<5x90xf32>) -> tensor<5x90xf32> {
  %zero = arith.constant 0.0 : f32
  %ep = tensor.empty() : tensor<5x90x90xf32>
  %pairs = linalg.generic {indexing_maps = [affine_map<(r, q, k) -> (r, k)>, affine_map<(r, q, k) -> (r, q, k)>],
                           iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<5x90xf32>) outs(%ep : tensor<5x90x90xf32>) {
  ^bb0(%v: f32, %o: f32):
    %q = linalg.index 1 : index
    %k = linalg.index 2 : index
    %c = arith.cmpi sge, %k, %q : index
    %s = arith.select %c, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<5x90x90xf32>
  %e = tensor.empty() : tensor<5x90xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x90xf32>) -> tensor<5x90xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(r, q, k) -> (r, q, k)>, affine_map<(r, q, k) -> (r, q)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%pairs : tensor<5x90x90xf32>) outs(%f : tensor<5x90xf32>) {
  ^bb0(%v: f32, %s: f32):
    %r = arith.addf %s, %v : f32
    linalg.yield %r : f32
  } -> tensor<5x90xf32>
  return %y : tensor<5x90xf32>
}

// -----

// Positions of 32 bits, which cannot overflow, and a difference of one affine map.
// CHECK-LABEL: func.func @narrow_positions
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{[^,]*}} : tensor<90xf32>)
// CHECK:           arith.cmpi sle
// CHECK:           arith.select
// CHECK-NOT:     linalg.generic
func.func @narrow_positions(%x: tensor<90xf32>) -> tensor<90xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %ep = tensor.empty() : tensor<90x90xf32>
  %pairs = linalg.generic {indexing_maps = [affine_map<(q, k) -> (k)>, affine_map<(q, k) -> (q, k)>],
                           iterator_types = ["parallel", "parallel"]} ins(%x : tensor<90xf32>) outs(%ep : tensor<90x90xf32>) {
  ^bb0(%v: f32, %o: f32):
    %q = linalg.index 0 : index
    %k = linalg.index 1 : index
    %d = affine.apply affine_map<(k)[q] -> (k - q)>(%k)[%q]
    %n = arith.index_cast %d : index to i32
    %c = arith.cmpi sle, %n, %none : i32
    %s = arith.select %c, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<90x90xf32>
  %e = tensor.empty() : tensor<90xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<90xf32>) -> tensor<90xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(q, k) -> (q, k)>, affine_map<(q, k) -> (q)>],
                       iterator_types = ["parallel", "reduction"]} ins(%pairs : tensor<90x90xf32>) outs(%f : tensor<90xf32>) {
  ^bb0(%v: f32, %s: f32):
    %r = arith.addf %s, %v : f32
    linalg.yield %r : f32
  } -> tensor<90xf32>
  return %y : tensor<90xf32>
}

// -----

// A difference that was negative and is read without its sign, and positions that may overflow.
// CHECK-LABEL: func.func @no_sums_of_these
// CHECK-COUNT-2: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<{{[0-9?]+x[0-9?]+}}xf32>)
func.func @no_sums_of_these(%x: tensor<90xf32>, %z: tensor<?xf32>, %n: index) -> (tensor<90xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i64
  %ep = tensor.empty() : tensor<90x90xf32>
  %pairs = linalg.generic {indexing_maps = [affine_map<(q, k) -> (k)>, affine_map<(q, k) -> (q, k)>],
                           iterator_types = ["parallel", "parallel"]} ins(%x : tensor<90xf32>) outs(%ep : tensor<90x90xf32>) {
  ^bb0(%v: f32, %o: f32):
    %q = linalg.index 0 : index
    %k = linalg.index 1 : index
    %d = arith.subi %k, %q : index
    %i = arith.index_cast %d : index to i32
    %w = arith.extui %i : i32 to i64
    %c = arith.cmpi sle, %w, %none : i64
    %s = arith.select %c, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<90x90xf32>
  %e = tensor.empty() : tensor<90xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<90xf32>) -> tensor<90xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(q, k) -> (q, k)>, affine_map<(q, k) -> (q)>],
                       iterator_types = ["parallel", "reduction"]} ins(%pairs : tensor<90x90xf32>) outs(%f : tensor<90xf32>) {
  ^bb0(%v: f32, %s: f32):
    %r = arith.addf %s, %v : f32
    linalg.yield %r : f32
  } -> tensor<90xf32>
  %eq = tensor.empty(%n, %n) : tensor<?x?xf32>
  %others = linalg.generic {indexing_maps = [affine_map<(q, k) -> (k)>, affine_map<(q, k) -> (q, k)>],
                            iterator_types = ["parallel", "parallel"]} ins(%z : tensor<?xf32>) outs(%eq : tensor<?x?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %q = linalg.index 0 : index
    %k = linalg.index 1 : index
    %qn = arith.index_cast %q : index to i16
    %kn = arith.index_cast %k : index to i16
    %c = arith.cmpi sle, %kn, %qn : i16
    %s = arith.select %c, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %ez = tensor.empty(%n) : tensor<?xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%ez : tensor<?xf32>) -> tensor<?xf32>
  %yz = linalg.generic {indexing_maps = [affine_map<(q, k) -> (q, k)>, affine_map<(q, k) -> (q)>],
                        iterator_types = ["parallel", "reduction"]} ins(%others : tensor<?x?xf32>) outs(%fz : tensor<?xf32>) {
  ^bb0(%v: f32, %s: f32):
    %r = arith.addf %s, %v : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %y, %yz : tensor<90xf32>, tensor<?xf32>
}

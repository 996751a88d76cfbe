// What follows from several masks of the same rows: a sum is zero where all of its terms are, and a choice by two masks where either is false. One index
// lists the rows that one mask has, or both, as the gradients of attention and of a loss need it.
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit --split-input-file | FileCheck %s

#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (k, n)>
#y = affine_map<(t, n, k) -> (t, n)>
#row = affine_map<(t, n) -> (t)>
#all = affine_map<(t, n) -> (t, n)>

// CHECK-LABEL: func @sum
// CHECK: %[[MASK:.*]] = linalg.generic {{.*}} ins(%{{arg[12]}}, %{{arg[12]}} : tensor<64xi1>, tensor<64xi1>)
// CHECK: arith.ori
// CHECK: %[[ROWS:.*]] = pit.detect by(%[[MASK]] : tensor<64xi1>)
// The sum, and the product behind it.
// CHECK: pit.generic {{.*}} over(%[[ROWS]]
// CHECK: arith.addf
// CHECK: pit.generic {{.*}}iterator_type<reduction>{{.*}} over(%[[ROWS]]
// CHECK-NOT: linalg.generic {{.*}}"reduction"
// CHECK: return
func.func @sum(%a: tensor<64x32xf32>, %ma: tensor<64xi1>, %mb: tensor<64xi1>, %b: tensor<64x32xf32>, %w: tensor<32x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %ka = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%ma, %a : tensor<64xi1>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%c: i1, %v: f32, %o: f32):
    %s = arith.select %c, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %kb = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%mb, %b : tensor<64xi1>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%c: i1, %v: f32, %o: f32):
    %s = arith.select %c, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %sum = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%ka, %kb : tensor<64x32xf32>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %p = linalg.matmul ins(%sum, %w : tensor<64x32xf32>, tensor<32x32xf32>) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %p : tensor<64x32xf32>
}

// -----

#row = affine_map<(t, n) -> (t)>
#all = affine_map<(t, n) -> (t, n)>

// A term that may be anything everywhere.
// CHECK-LABEL: func @live_term
// CHECK-NOT: arith.ori
// CHECK-NOT: pit.detect
// CHECK: return
func.func @live_term(%a: tensor<64x32xf32>, %ma: tensor<64xi1>, %mb: tensor<64xi1>, %b: tensor<64x32xf32>, %w: tensor<32x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %ka = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%ma, %a : tensor<64xi1>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%c: i1, %v: f32, %o: f32):
    %s = arith.select %c, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %kb = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%mb, %b : tensor<64xi1>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%c: i1, %v: f32, %o: f32):
    // Not 0.
    %s = arith.select %c, %v, %one : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %sum = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%ka, %a : tensor<64x32xf32>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %more = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %kb : tensor<64x32xf32>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %p = linalg.matmul ins(%more, %w : tensor<64x32xf32>, tensor<32x32xf32>) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %p : tensor<64x32xf32>
}

// -----

#row = affine_map<(b, s, n) -> (b, s)>
#all = affine_map<(b, s, n) -> (b, s, n)>
#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>

// What is multiplied by both masks, as floats.
// CHECK-LABEL: func @both
// CHECK-NOT: pit.detect
// CHECK: arith.andi
// CHECK: %[[ROWS:.*]] = pit.detect by(%{{.*}} : tensor<4x15xi1>)
// CHECK-NOT: pit.detect
// CHECK: pit.generic {{.*}}iterator_type<reduction>{{.*}} over(%[[ROWS]]
// CHECK: return
func.func @both(%a: tensor<4x15x32xf32>, %m: tensor<4x15xi64>, %labels: tensor<4x15xi64>, %w: tensor<32x32xf32>) -> tensor<4x15x32xf32> {
  %zero = arith.constant 0.0 : f32
  %ignored = arith.constant -100 : i64
  %e = tensor.empty() : tensor<4x15x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x15x32xf32>) -> tensor<4x15x32xf32>
  %k = linalg.generic {indexing_maps = [#row, #row, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m, %labels, %a : tensor<4x15xi64>, tensor<4x15xi64>, tensor<4x15x32xf32>) outs(%e : tensor<4x15x32xf32>) {
  ^bb0(%c: i64, %d: i64, %v: f32, %o: f32):
    %n = arith.sitofp %c : i64 to f32
    %s = arith.mulf %n, %v : f32
    %counts = arith.cmpi ne, %d, %ignored : i64
    %t = arith.select %counts, %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<4x15x32xf32>
  %p = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%k, %w : tensor<4x15x32xf32>, tensor<32x32xf32>) outs(%f : tensor<4x15x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %q = arith.mulf %l, %r : f32
    %n = arith.addf %s, %q : f32
    linalg.yield %n : f32
  } -> tensor<4x15x32xf32>
  return %p : tensor<4x15x32xf32>
}

// -----

#row = affine_map<(b, s, n) -> (b, s)>
#all = affine_map<(b, s, n) -> (b, s, n)>
#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>

// A mask of tokens without the first ones says of the others which of them count.
// CHECK-LABEL: func @part_of_mask
// CHECK: %[[PART:.*]] = tensor.extract_slice %arg1[0, 1] [4, 15] [1, 1]
// CHECK: %[[LIVE:.*]] = linalg.generic {{.*}} ins(%[[PART]]
// CHECK: arith.cmpi ne
// CHECK: %[[ROWS:.*]] = pit.detect by(%[[LIVE]] : tensor<4x15xi1>)
// CHECK: pit.generic {{.*}}iterator_type<reduction>{{.*}} over(%[[ROWS]]
// CHECK: return
func.func @part_of_mask(%a: tensor<4x15x32xf32>, %m: tensor<4x16xi64>, %w: tensor<32x32xf32>) -> tensor<4x15x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x15x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x15x32xf32>) -> tensor<4x15x32xf32>
  %part = tensor.extract_slice %m[0, 1] [4, 15] [1, 1] : tensor<4x16xi64> to tensor<4x15xi64>
  %k = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%part, %a : tensor<4x15xi64>, tensor<4x15x32xf32>) outs(%e : tensor<4x15x32xf32>) {
  ^bb0(%c: i64, %v: f32, %o: f32):
    %n = arith.sitofp %c : i64 to f32
    %s = arith.mulf %n, %v : f32
    linalg.yield %s : f32
  } -> tensor<4x15x32xf32>
  %p = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%k, %w : tensor<4x15x32xf32>, tensor<32x32xf32>) outs(%f : tensor<4x15x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %q = arith.mulf %l, %r : f32
    %n = arith.addf %s, %q : f32
    linalg.yield %n : f32
  } -> tensor<4x15x32xf32>
  return %p : tensor<4x15x32xf32>
}

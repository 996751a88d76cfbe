// Operands of products in which data decides what is zero are marked by their values.
// RUN: pit-opt %s --split-input-file --pit-normalize --pit-infer-values | FileCheck %s
// RUN: pit-opt %s --split-input-file --pit-normalize --pit-infer-values=strict=true | FileCheck %s --check-prefix=NONE
// RUN: pit-opt %s --split-input-file --pit-normalize --pit-infer-values=finite=false | FileCheck %s --check-prefix=NONE
// NONE-NOT: kind = values, axes = [0, 1], tile = [32, 1]
// NONE: func.func @written

// ReLU, behind a bias, in front of two products: one mark for both; who adds it up reads it as it was.
// CHECK-LABEL: func.func @relu
// CHECK: %[[H:.*]] = linalg.generic
// CHECK: arith.maximumf
// CHECK: %[[S:.*]] = pit.sparse %[[H]] <kind = values, axes = [0, 1], tile = [32, 1]>
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} ins(%[[S]], %arg2
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} ins(%[[S]], %arg3
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} ins(%[[H]] :
func.func @relu(%x: tensor<128x64xf32>, %bias: tensor<64xf32>, %w: tensor<64x48xf32>, %v: tensor<64x32xf32>)
    -> (tensor<128x48xf32>, tensor<128x32xf32>, tensor<128xf32>) {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %bias : tensor<128x64xf32>, tensor<64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %c0 : f32
    linalg.yield %m : f32
  } -> tensor<128x64xf32>
  %pe = tensor.empty() : tensor<128x48xf32>
  %pz = linalg.fill ins(%c0 : f32) outs(%pe : tensor<128x48xf32>) -> tensor<128x48xf32>
  %p = linalg.matmul ins(%h, %w : tensor<128x64xf32>, tensor<64x48xf32>) outs(%pz : tensor<128x48xf32>) -> tensor<128x48xf32>
  %qe = tensor.empty() : tensor<128x32xf32>
  %qz = linalg.fill ins(%c0 : f32) outs(%qe : tensor<128x32xf32>) -> tensor<128x32xf32>
  %q = linalg.matmul ins(%h, %v : tensor<128x64xf32>, tensor<64x32xf32>) outs(%qz : tensor<128x32xf32>) -> tensor<128x32xf32>
  %re = tensor.empty() : tensor<128xf32>
  %rz = linalg.fill ins(%c0 : f32) outs(%re : tensor<128xf32>) -> tensor<128xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<128x64xf32>) outs(%rz : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  return %p, %q, %r : tensor<128x48xf32>, tensor<128x32xf32>, tensor<128xf32>
}

// -----

// A threshold, squared, times another factor, rounded, of batches; a few rows are as many together as there are.
// CHECK-LABEL: func.func @threshold
// CHECK: pit.sparse %{{.*}} <kind = values, axes = [0, 1, 2], tile = [1, 8, 1]> {{.*}}: tensor<4x8x64xbf16>
func.func @threshold(%x: tensor<4x8x64xf32>, %g: tensor<4x8x64xf32>, %t: f32, %w: tensor<4x64x48xbf16>) -> tensor<4x8x48xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8x64xbf16>
  %h = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %g : tensor<4x8x64xf32>, tensor<4x8x64xf32>) outs(%e : tensor<4x8x64xbf16>) {
  ^bb0(%a: f32, %b: f32, %o: bf16):
    %abs = math.absf %a : f32
    %c = arith.cmpf ogt, %abs, %t : f32
    %s = arith.select %c, %a, %c0 : f32
    %q = arith.mulf %s, %s : f32
    %m = arith.mulf %b, %q : f32
    %r = arith.truncf %m : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x8x64xbf16>
  %pe = tensor.empty() : tensor<4x8x48xf32>
  %pz = linalg.fill ins(%c0 : f32) outs(%pe : tensor<4x8x48xf32>) -> tensor<4x8x48xf32>
  %p = linalg.batch_matmul ins(%h, %w : tensor<4x8x64xbf16>, tensor<4x64x48xbf16>) outs(%pz : tensor<4x8x48xf32>) -> tensor<4x8x48xf32>
  return %p : tensor<4x8x48xf32>
}

// -----

// The right operand of a product, stored with k first; a dynamic number of its columns; ReLU6.
// CHECK-LABEL: func.func @right
// CHECK: pit.sparse %{{.*}} <kind = values, axes = [0, 1], tile = [1, 32]> {{.*}}: tensor<64x?xf32>
func.func @right(%a: tensor<48x64xf32>, %x: tensor<64x?xf32>, %z: tensor<48x?xf32>) -> tensor<48x?xf32> {
  %c0 = arith.constant 0.0 : f32
  %c6 = arith.constant 6.0 : f32
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x?xf32>) outs(%x : tensor<64x?xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.maximumf %c0, %in : f32
    %s = arith.minimumf %m, %c6 : f32
    linalg.yield %s : f32
  } -> tensor<64x?xf32>
  %p = linalg.matmul ins(%a, %h : tensor<48x64xf32>, tensor<64x?xf32>) outs(%z : tensor<48x?xf32>) -> tensor<48x?xf32>
  return %p : tensor<48x?xf32>
}

// -----

// No zeros by choice: an exponential, a larger one of two tensors, what has a lower bound of 1, an argument.
// CHECK-LABEL: func.func @dense
// CHECK-NOT: pit.sparse
func.func @dense(%x: tensor<128x64xf32>, %y: tensor<128x64xf32>, %w: tensor<64x48xf32>, %z: tensor<128x48xf32>)
    -> (tensor<128x48xf32>, tensor<128x48xf32>, tensor<128x48xf32>, tensor<128x48xf32>) {
  %c1 = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %h0 = linalg.exp ins(%x : tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %h1 = linalg.max ins(%x, %y : tensor<128x64xf32>, tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %h2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.maximumf %in, %c1 : f32
    linalg.yield %m : f32
  } -> tensor<128x64xf32>
  %p0 = linalg.matmul ins(%h0, %w : tensor<128x64xf32>, tensor<64x48xf32>) outs(%z : tensor<128x48xf32>) -> tensor<128x48xf32>
  %p1 = linalg.matmul ins(%h1, %w : tensor<128x64xf32>, tensor<64x48xf32>) outs(%z : tensor<128x48xf32>) -> tensor<128x48xf32>
  %p2 = linalg.matmul ins(%h2, %w : tensor<128x64xf32>, tensor<64x48xf32>) outs(%z : tensor<128x48xf32>) -> tensor<128x48xf32>
  %p3 = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x48xf32>) outs(%z : tensor<128x48xf32>) -> tensor<128x48xf32>
  return %p0, %p1, %p2, %p3 : tensor<128x48xf32>, tensor<128x48xf32>, tensor<128x48xf32>, tensor<128x48xf32>
}

// -----

// Who writes marks has said what is sparse.
// CHECK-LABEL: func.func @written
// CHECK-COUNT-1: pit.sparse
// CHECK-NOT: pit.sparse
func.func @written(%x: tensor<128x64xf32>, %g: tensor<128xf32>, %w: tensor<64x48xf32>, %z: tensor<128x48xf32>) -> (tensor<128x48xf32>, tensor<128xf32>) {
  %c0 = arith.constant 0.0 : f32
  %m = pit.sparse %g <kind = values, axes = [0]> : tensor<128xf32>
  %e = tensor.empty() : tensor<128x64xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %s = arith.maximumf %in, %c0 : f32
    linalg.yield %s : f32
  } -> tensor<128x64xf32>
  %p = linalg.matmul ins(%h, %w : tensor<128x64xf32>, tensor<64x48xf32>) outs(%z : tensor<128x48xf32>) -> tensor<128x48xf32>
  return %p, %m : tensor<128x48xf32>, tensor<128xf32>
}

// -----

// Nothing to multiply has nothing to skip; what is squared again and again is followed once.
// CHECK-LABEL: func.func @nothing
// CHECK-NOT: pit.sparse
// CHECK: return
func.func @nothing(%x: tensor<0x64xf32>, %y: tensor<8x64xf32>, %w: tensor<64x48xf32>, %z: tensor<0x48xf32>, %v: tensor<8x48xf32>) -> (tensor<0x48xf32>, tensor<8x48xf32>) {
  %c0 = arith.constant 0.0 : f32
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<0x64xf32>) outs(%x : tensor<0x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.maximumf %in, %c0 : f32
    linalg.yield %m : f32
  } -> tensor<0x64xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<8x64xf32>) outs(%y : tensor<8x64xf32>) {
  ^bb0(%q0: f32, %o: f32):
    %q1 = arith.mulf %q0, %q0 : f32
    %q2 = arith.mulf %q1, %q1 : f32
    %q3 = arith.mulf %q2, %q2 : f32
    %q4 = arith.mulf %q3, %q3 : f32
    %q5 = arith.mulf %q4, %q4 : f32
    %q6 = arith.mulf %q5, %q5 : f32
    %q7 = arith.mulf %q6, %q6 : f32
    %q8 = arith.mulf %q7, %q7 : f32
    %q9 = arith.mulf %q8, %q8 : f32
    %q10 = arith.mulf %q9, %q9 : f32
    %q11 = arith.mulf %q10, %q10 : f32
    %q12 = arith.mulf %q11, %q11 : f32
    %q13 = arith.mulf %q12, %q12 : f32
    %q14 = arith.mulf %q13, %q13 : f32
    %q15 = arith.mulf %q14, %q14 : f32
    %q16 = arith.mulf %q15, %q15 : f32
    %q17 = arith.mulf %q16, %q16 : f32
    %q18 = arith.mulf %q17, %q17 : f32
    %q19 = arith.mulf %q18, %q18 : f32
    %q20 = arith.mulf %q19, %q19 : f32
    %q21 = arith.mulf %q20, %q20 : f32
    %q22 = arith.mulf %q21, %q21 : f32
    %q23 = arith.mulf %q22, %q22 : f32
    %q24 = arith.mulf %q23, %q23 : f32
    %q25 = arith.mulf %q24, %q24 : f32
    %q26 = arith.mulf %q25, %q25 : f32
    %q27 = arith.mulf %q26, %q26 : f32
    %q28 = arith.mulf %q27, %q27 : f32
    %q29 = arith.mulf %q28, %q28 : f32
    %q30 = arith.mulf %q29, %q29 : f32
    %q31 = arith.mulf %q30, %q30 : f32
    %q32 = arith.mulf %q31, %q31 : f32
    %q33 = arith.mulf %q32, %q32 : f32
    %q34 = arith.mulf %q33, %q33 : f32
    %q35 = arith.mulf %q34, %q34 : f32
    %q36 = arith.mulf %q35, %q35 : f32
    %q37 = arith.mulf %q36, %q36 : f32
    %q38 = arith.mulf %q37, %q37 : f32
    %q39 = arith.mulf %q38, %q38 : f32
    %q40 = arith.mulf %q39, %q39 : f32
    %q41 = arith.mulf %q40, %q40 : f32
    %q42 = arith.mulf %q41, %q41 : f32
    %q43 = arith.mulf %q42, %q42 : f32
    %q44 = arith.mulf %q43, %q43 : f32
    %q45 = arith.mulf %q44, %q44 : f32
    %q46 = arith.mulf %q45, %q45 : f32
    %q47 = arith.mulf %q46, %q46 : f32
    %q48 = arith.mulf %q47, %q47 : f32
    linalg.yield %q48 : f32
  } -> tensor<8x64xf32>
  %p = linalg.matmul ins(%h, %w : tensor<0x64xf32>, tensor<64x48xf32>) outs(%z : tensor<0x48xf32>) -> tensor<0x48xf32>
  %r = linalg.matmul ins(%g, %w : tensor<8x64xf32>, tensor<64x48xf32>) outs(%v : tensor<8x48xf32>) -> tensor<8x48xf32>
  return %p, %r : tensor<0x48xf32>, tensor<8x48xf32>
}

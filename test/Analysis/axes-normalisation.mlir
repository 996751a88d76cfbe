// RUN: pit-opt %s --pit-annotate-axes --verify-diagnostics | FileCheck %s

// Softmax and layer-norm: rows are free in every part; the normalised axis is a reduction in the statistics and
// parallel in the rest, so it is a PIT-axis of each part taken alone.

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @softmax_generic
// CHECK: pit.axes = ["parallel", "reduction"]
// CHECK: arith.maximumf
// CHECK: pit.axes = ["parallel", "parallel"]
// CHECK: math.exp
// CHECK: pit.axes = ["parallel", "reduction"]
// CHECK: arith.addf
// CHECK: pit.axes = ["parallel", "parallel"]
// CHECK: arith.divf
func.func @softmax_generic(%x: tensor<?x?xf32>, %m: tensor<?xf32>, %s: tensor<?xf32>) -> tensor<?x?xf32> {
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%m : tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.maximumf %in, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %exp = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%in: f32, %row: f32, %out: f32):
    %0 = arith.subf %in, %row : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<?x?xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.addf %in, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %div = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%in: f32, %row: f32, %out: f32):
    %0 = arith.divf %in, %row : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %div : tensor<?x?xf32>
}

// Sum and sum of squares in one pass, then scale, shift.
// CHECK-LABEL: func @layer_norm_generic
// CHECK: pit.axes = ["parallel", "reduction"]
// CHECK: pit.axes = ["parallel", "parallel"]
func.func @layer_norm_generic(%x: tensor<?x64xf32>, %gamma: tensor<64xf32>, %beta: tensor<64xf32>, %s: tensor<?xf32>, %q: tensor<?xf32>) -> tensor<?x64xf32> {
  %n = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %stats:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x64xf32>) outs(%s, %q : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%in: f32, %sum: f32, %squares: f32):
    %0 = arith.addf %sum, %in : f32
    %1 = arith.mulf %in, %in : f32
    %2 = arith.addf %squares, %1 : f32
    linalg.yield %0, %2 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %y = linalg.generic {indexing_maps = [#all, #row, #row, #col, #col, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %stats#0, %stats#1, %gamma, %beta : tensor<?x64xf32>, tensor<?xf32>, tensor<?xf32>, tensor<64xf32>, tensor<64xf32>)
      outs(%x : tensor<?x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %squares: f32, %g: f32, %b: f32, %out: f32):
    %mean = arith.divf %sum, %n : f32
    %square = arith.divf %squares, %n : f32
    %mean2 = arith.mulf %mean, %mean : f32
    %var = arith.subf %square, %mean2 : f32
    %stable = arith.addf %var, %eps : f32
    %inv = math.rsqrt %stable : f32
    %centred = arith.subf %in, %mean : f32
    %normal = arith.mulf %centred, %inv : f32
    %scaled = arith.mulf %normal, %g : f32
    %shifted = arith.addf %scaled, %b : f32
    linalg.yield %shifted : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// An aggregated op is replaced by the structured ops it stands for.
// CHECK-LABEL: func @softmax
// CHECK-NOT: linalg.softmax
// CHECK: pit.axes = ["parallel", "reduction"]
// CHECK: arith.max
// CHECK: pit.axes = ["parallel", "parallel"]
// CHECK: math.exp
// CHECK: pit.axes = ["parallel", "reduction"]
// CHECK: arith.addf
// CHECK: pit.axes = ["parallel", "parallel"]
// CHECK: arith.divf
func.func @softmax(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @softmax_memref
// CHECK: linalg.softmax dimension(1)
func.func @softmax_memref(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  // expected-remark @below {{axes not analysed: this op has to be decomposed first, but it works on buffers}}
  linalg.softmax dimension(1) ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func @winograd
// CHECK-NOT: linalg.winograd
// CHECK: scf.for
// CHECK: linalg.matmul {pit.axes = ["parallel", "parallel", "reduction"]}
func.func @winograd(%f: tensor<2x3x3x5xf32>, %o: tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32> {
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x5xf32>) outs(%o : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %0 : tensor<6x6x5x2xf32>
}

// Extents are needed to unroll the transform.
// CHECK-LABEL: func @winograd_dynamic
// CHECK: linalg.winograd_filter_transform
func.func @winograd_dynamic(%f: tensor<?x3x3x?xf32>, %o: tensor<6x6x?x?xf32>) -> tensor<6x6x?x?xf32> {
  // expected-remark @below {{axes not analysed: this op has to be decomposed first, but that needs static extents}}
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<?x3x3x?xf32>) outs(%o : tensor<6x6x?x?xf32>) -> tensor<6x6x?x?xf32>
  return %0 : tensor<6x6x?x?xf32>
}

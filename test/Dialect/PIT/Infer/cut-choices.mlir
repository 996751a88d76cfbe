// A loop over experts that was unrolled takes the choices of one expert after the other: each column of truth values is a mask of its own, under
// which rows are left out of all that an expert computes.
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks | FileCheck %s
// RUN: pit-opt %s --pit-to-cpu -o /dev/null --pit-explain 2>&1 | FileCheck %s --check-prefix=RULES
// RUN: pit-run %s --random=topk-gate:1@512x8 --random=normal --random=normal --random=normal --check | FileCheck %s --check-prefix=VALUE
// CHECK-LABEL: func.func @main(
// CHECK: %[[CUT:.*]] = tensor.extract_slice
// CHECK: pit.sparse %{{.*}} by(%{{.*}} : tensor<512xi1>) <kind = mask, axes = [0]>
// Both products, and what is between them and behind.
// RULES-COUNT-5: visits only what is live of pattern 0 (mask at
// RULES-NOT: Kind values
// VALUE: check: result 0: {{bit-identical|agrees}}
// VALUE: check: result 1: {{bit-identical|agrees}}

#one = affine_map<(d0, d1) -> (d0, 0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%s: tensor<512x8xf32>, %x: tensor<512x128xf32>, %w1: tensor<128x512xf32>, %w2: tensor<512x128xf32>) -> (tensor<512x128xf32>, tensor<512x512xf32>) {
    %cst = arith.constant 0.0 : f32
  %140 = tensor.empty() : tensor<512x8xi1>
  %141 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<512x8xf32>) outs(%140 : tensor<512x8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %228 = arith.cmpf une, %in, %cst : f32
      linalg.yield %228 : i1
  } -> tensor<512x8xi1>
  %m = tensor.extract_slice %141[0, 0] [512, 1] [1, 1] : tensor<512x8xi1> to tensor<512x1xi1>
  %e = tensor.empty() : tensor<512x128xf32>
  %e2 = tensor.empty() : tensor<512x512xf32>
  %f1 = linalg.fill ins(%cst : f32) outs(%e2 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %f2 = linalg.fill ins(%cst : f32) outs(%e : tensor<512x128xf32>) -> tensor<512x128xf32>
  %g = linalg.generic {indexing_maps = [#one, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%m, %x : tensor<512x1xi1>, tensor<512x128xf32>) outs(%e : tensor<512x128xf32>) {
    ^bb0(%in: i1, %v: f32, %out: f32):
      %1 = arith.select %in, %v, %cst : f32
      linalg.yield %1 : f32
  } -> tensor<512x128xf32>
  %h = linalg.matmul ins(%g, %w1 : tensor<512x128xf32>, tensor<128x512xf32>) outs(%f1 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<512x512xf32>) outs(%e2 : tensor<512x512xf32>) {
    ^bb0(%v: f32, %out: f32):
      %0 = arith.cmpf ugt, %v, %cst : f32
      %1 = arith.select %0, %v, %cst : f32
      linalg.yield %1 : f32
  } -> tensor<512x512xf32>
  %y = linalg.matmul ins(%r, %w2 : tensor<512x512xf32>, tensor<512x128xf32>) outs(%f2 : tensor<512x128xf32>) -> tensor<512x128xf32>
  %z = linalg.generic {indexing_maps = [#one, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%m, %y : tensor<512x1xi1>, tensor<512x128xf32>) outs(%e : tensor<512x128xf32>) {
    ^bb0(%in: i1, %v: f32, %out: f32):
      %1 = arith.select %in, %v, %cst : f32
      linalg.yield %1 : f32
  } -> tensor<512x128xf32>
  return %z, %r : tensor<512x128xf32>, tensor<512x512xf32>
}

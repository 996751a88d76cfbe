// Lines of a mask without a live point: whether they have to be computed as they are written.
// RUN: pit-opt %s --split-input-file --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit --canonicalize --cse | FileCheck %s

// A unit whose weights are all dead has zeros, and a norm of them is finite: the variance is a sum of squares, and a constant is
// added. Nothing else than the mask is listed.
// CHECK-LABEL: func.func @norm
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<64x96xi1>)
// CHECK: pit.detect by(%[[M]]
// CHECK-NOT: pit.detect
#identity = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
func.func @norm(%x: tensor<40x64xf32>, %g: tensor<40x64xf32>, %w: tensor<64x96xf32>, %m: tensor<64x96xi1>) -> tensor<64x96xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %ew = tensor.empty() : tensor<64x96xf32>
  %masked = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%m, %w : tensor<64x96xi1>, tensor<64x96xf32>) outs(%ew : tensor<64x96xf32>) {
  ^bb0(%live: i1, %a: f32, %out: f32):
    %r = arith.select %live, %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<64x96xf32>
  %e = tensor.empty() : tensor<40x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x96xf32>) -> tensor<40x96xf32>
  %h = linalg.matmul ins(%x, %masked : tensor<40x64xf32>, tensor<64x96xf32>) outs(%f : tensor<40x96xf32>) -> tensor<40x96xf32>
  %ev = tensor.empty() : tensor<40xf32>
  %fv = linalg.fill ins(%zero : f32) outs(%ev : tensor<40xf32>) -> tensor<40xf32>
  %v = linalg.generic {indexing_maps = [#identity, #rows], iterator_types = ["parallel", "reduction"]} ins(%h : tensor<40x96xf32>) outs(%fv : tensor<40xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.mulf %a, %a : f32
    %t = arith.addf %sum, %s : f32
    linalg.yield %t : f32
  } -> tensor<40xf32>
  %n = linalg.generic {indexing_maps = [#identity, #rows, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%h, %v : tensor<40x96xf32>, tensor<40xf32>) outs(%e : tensor<40x96xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %b, %eps : f32
    %t = math.rsqrt %s : f32
    %r = arith.mulf %a, %t : f32
    linalg.yield %r : f32
  } -> tensor<40x96xf32>
  %et = tensor.empty() : tensor<64x40xf32>
  %gt = linalg.transpose ins(%g : tensor<40x64xf32>) outs(%et : tensor<64x40xf32>) permutation = [1, 0]
  %fw = linalg.fill ins(%zero : f32) outs(%ew : tensor<64x96xf32>) -> tensor<64x96xf32>
  %dw = linalg.matmul ins(%gt, %n : tensor<64x40xf32>, tensor<40x96xf32>) outs(%fw : tensor<64x96xf32>) -> tensor<64x96xf32>
  %kept = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%m, %dw : tensor<64x96xi1>, tensor<64x96xf32>) outs(%ew : tensor<64x96xf32>) {
  ^bb0(%live: i1, %a: f32, %out: f32):
    %r = arith.select %live, %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<64x96xf32>
  return %kept : tensor<64x96xf32>
}

// -----

// The same with a root of what may be negative where a line is empty: such lines are listed as a whole.
// CHECK-LABEL: func.func @root
// CHECK: arith.ori
// CHECK: arith.xori
// CHECK: pit.detect by(
#identity = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
func.func @root(%x: tensor<64x96xf32>, %v: tensor<96x32xf32>, %m: tensor<64x96xi1>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x96xf32>
  %masked = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%m, %x : tensor<64x96xi1>, tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) {
  ^bb0(%live: i1, %a: f32, %out: f32):
    %r = arith.select %live, %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<64x96xf32>
  %es = tensor.empty() : tensor<64xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<64xf32>) -> tensor<64xf32>
  %sums = linalg.reduce ins(%masked : tensor<64x96xf32>) outs(%fs : tensor<64xf32>) dimensions = [1]
    (%in: f32, %sum: f32) { %s = arith.addf %in, %sum : f32  linalg.yield %s : f32 }
  %scaled = linalg.generic {indexing_maps = [#identity, #rows, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%masked, %sums : tensor<64x96xf32>, tensor<64xf32>) outs(%e : tensor<64x96xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.subf %b, %one : f32
    %t = math.sqrt %s : f32
    %r = arith.mulf %a, %t : f32
    linalg.yield %r : f32
  } -> tensor<64x96xf32>
  %ey = tensor.empty() : tensor<64x32xf32>
  %fy = linalg.fill ins(%zero : f32) outs(%ey : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%scaled, %v : tensor<64x96xf32>, tensor<96x32xf32>) outs(%fy : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

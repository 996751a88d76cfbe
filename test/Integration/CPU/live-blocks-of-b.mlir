// Products whose right operand has dead micro-tiles, found in its values or
// given, stored [k, n] or [n, k].
// RUN: pit-run %s --entry values --random normal@70x130 --random sparse:0.001@130x72 --random normal --check | FileCheck %s
// RUN: pit-run %s --entry values --random normal@1x130 --random sparse:0.001@130x72 --random normal --check | FileCheck %s
// RUN: pit-run %s --entry given --random normal@70x130 --random normal@72x130 --random bool:0.4@3x3 --check | FileCheck %s
// RUN: pit-run %s --entry given --random normal@0x130 --random normal@72x130 --random bool:0@3x3 --check | FileCheck %s
// CHECK: check: result 0: bit-identical

func.func @values(%a: tensor<?x130xf32>, %b: tensor<130x72xf32> {pit.sparse = {
    source = "values", axes = array<i64: 0, 1>, granularity = array<i64: 64, 32>, absent = "zero"}},
    %bias: tensor<72xf32>) -> tensor<?x72xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x130xf32>
  %e = tensor.empty(%m) : tensor<?x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x72xf32>) -> tensor<?x72xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x130xf32>, tensor<130x72xf32>) outs(%f : tensor<?x72xf32>) -> tensor<?x72xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<?x72xf32>, tensor<72xf32>) outs(%e : tensor<?x72xf32>) {
  ^bb0(%x: f32, %v: f32, %o: f32):
    %y = arith.addf %x, %v : f32
    linalg.yield %y : f32
  } -> tensor<?x72xf32>
  return %r : tensor<?x72xf32>
}

func.func @given(%a: tensor<?x130xf32>, %b: tensor<72x130xf32> {pit.sparse = {
    source = "blocks", from = 2 : i64, axes = array<i64: 0, 1>, granularity = array<i64: 32, 64>, absent = "zero"}},
    %live: tensor<3x3xi1>) -> tensor<?x72xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x130xf32>
  %e = tensor.empty(%m) : tensor<?x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x72xf32>) -> tensor<?x72xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x130xf32>, tensor<72x130xf32>) outs(%f : tensor<?x72xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %acc, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x72xf32>
  return %c : tensor<?x72xf32>
}

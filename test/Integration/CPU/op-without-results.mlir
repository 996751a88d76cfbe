// An op whose result nobody reads is there for what its body does.
// RUN: pit-run %s --random normal --check | count 0
// RUN: pit-opt %s --pit-to-cpu | FileCheck %s
// CHECK: llvm.func @main
// CHECK: llvm.call @pit_rt_bad_index

func.func @main(%x: tensor<4xf32>) {
  %init = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %same = arith.cmpf oeq, %in, %in : f32
    cf.assert %same, "a NaN"
    linalg.yield %in : f32
  } -> tensor<4xf32>
  return
}

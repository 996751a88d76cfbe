// A choice that was made a number, 0 or 1, and multiplied in the same op: what JAX makes of one_hot(argmax(p)) * p.
// RUN: pit-opt %s --pit-infer-marks --split-input-file | FileCheck %s

#row = affine_map<(t, e) -> (t)>
#all = affine_map<(t, e) -> (t, e)>

// One of a row's places at most is where the choice says.
// CHECK-LABEL: func.func @one_hot
// CHECK: %[[LIVE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<20x4xi1>)
// CHECK: arith.cmpi eq
// CHECK: %[[MARK:.*]] = pit.sparse %[[LIVE]] by(%[[LIVE]] : tensor<20x4xi1>) <kind = mask, axes = [0, 1], at_most = 1>
// CHECK: linalg.generic {{.*}} ins({{.*}}%[[MARK]]
// CHECK: arith.uitofp
// CHECK: arith.mulf
func.func @one_hot(%choice: tensor<20xi32>, %p: tensor<20x4xf32>) -> tensor<20x4xf32> {
  %empty = tensor.empty() : tensor<20x4xf32>
  %gate = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%choice, %p : tensor<20xi32>, tensor<20x4xf32>) outs(%empty : tensor<20x4xf32>) {
  ^bb0(%c: i32, %x: f32, %o: f32):
    %place = linalg.index 1 : index
    %e = arith.index_cast %place : index to i32
    %hit = arith.cmpi eq, %c, %e : i32
    %one = arith.uitofp %hit : i1 to f32
    %y = arith.mulf %one, %x : f32
    linalg.yield %y : f32
  } -> tensor<20x4xf32>
  return %gate : tensor<20x4xf32>
}

// -----

#all = affine_map<(t, e) -> (t, e)>

// Numbers that data decides: no pattern that a program knows before.
// CHECK-LABEL: func.func @of_data
// CHECK-NOT: pit.sparse
// CHECK: return
func.func @of_data(%p: tensor<20x4xf32>, %q: tensor<20x4xf32>) -> tensor<20x4xf32> {
  %empty = tensor.empty() : tensor<20x4xf32>
  %gate = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<20x4xf32>, tensor<20x4xf32>) outs(%empty : tensor<20x4xf32>) {
  ^bb0(%x: f32, %z: f32, %o: f32):
    %more = arith.cmpf ogt, %x, %z : f32
    %one = arith.uitofp %more : i1 to f32
    %y = arith.mulf %one, %x : f32
    linalg.yield %y : f32
  } -> tensor<20x4xf32>
  return %gate : tensor<20x4xf32>
}

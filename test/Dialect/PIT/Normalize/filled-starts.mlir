// Ops without a reduction read the number that their destination is filled with: exporters write a product of tensors along common
// axes as a contraction.
// RUN: pit-opt %s --pit-normalize | FileCheck %s
// RUN: pit-run %s --entry=product --target=cpu --random=sparse:0.5 --random=normal --check --quiet | FileCheck %s --check-prefix=VALUES
// VALUES: check: result 0: bit-identical

// Zero is added nevertheless: of -0 that makes 0.
// CHECK-LABEL: func @product
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NOT: linalg.fill
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<8x4x16xf32>)
// CHECK: %[[P:.*]] = arith.mulf
// CHECK: arith.addf %[[P]], %[[ZERO]]
func.func @product(%g: tensor<8x4xf32>, %h: tensor<8x4x16xf32>) -> tensor<8x4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4x16xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4x16xf32>) -> tensor<8x4x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, e, f) -> (t, e)>, affine_map<(t, e, f) -> (t, e, f)>, affine_map<(t, e, f) -> (t, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%g, %h : tensor<8x4xf32>, tensor<8x4x16xf32>) outs(%s : tensor<8x4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %n = arith.addf %o, %p : f32
    linalg.yield %n : f32
  } -> tensor<8x4x16xf32>
  return %y : tensor<8x4x16xf32>
}

// Extents that are not known, and two results of which one is a sum.
// CHECK-LABEL: func @two
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %arg1 : tensor<?xi32>, tensor<?xi32>)
// CHECK: arith.addi %{{.*}}, %c7_i32
func.func @two(%x: tensor<?xi32>, %acc: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %s = linalg.fill ins(%seven : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %y:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xi32>) outs(%s, %acc : tensor<?xi32>, tensor<?xi32>) {
  ^bb0(%a: i32, %o: i32, %q: i32):
    %p = arith.addi %a, %o : i32
    %r = arith.muli %a, %q : i32
    linalg.yield %p, %r : i32, i32
  } -> (tensor<?xi32>, tensor<?xi32>)
  return %y#0, %y#1 : tensor<?xi32>, tensor<?xi32>
}

// A sum keeps its start, and so does what starts from data.
// CHECK-LABEL: func @others
// CHECK: %[[S:.*]] = linalg.fill
// CHECK: linalg.generic {{.*}} outs(%[[S]] : tensor<8xf32>)
// CHECK: %[[T:.*]] = linalg.fill ins(%arg1
// CHECK: linalg.generic {{.*}} outs(%[[T]] : tensor<8x16xf32>)
func.func @others(%x: tensor<8x16xf32>, %start: f32) -> (tensor<8xf32>, tensor<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%s : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.addf %o, %a : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  %f = tensor.empty() : tensor<8x16xf32>
  %t = linalg.fill ins(%start : f32) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.addf %o, %a : f32
    linalg.yield %n : f32
  } -> tensor<8x16xf32>
  return %y, %z : tensor<8xf32>, tensor<8x16xf32>
}

// A constant is as good as a fill.
// CHECK-LABEL: func @splat
// CHECK: %[[E:.*]] = tensor.empty() : tensor<8x4x16xf32>
// CHECK: linalg.generic {{.*}} outs(%[[E]] : tensor<8x4x16xf32>)
func.func @splat(%g: tensor<8x4xf32>, %h: tensor<8x4x16xf32>) -> tensor<8x4x16xf32> {
  %s = arith.constant dense<0.0> : tensor<8x4x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, e, f) -> (t, e)>, affine_map<(t, e, f) -> (t, e, f)>, affine_map<(t, e, f) -> (t, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%g, %h : tensor<8x4xf32>, tensor<8x4x16xf32>) outs(%s : tensor<8x4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %n = arith.addf %o, %p : f32
    linalg.yield %n : f32
  } -> tensor<8x4x16xf32>
  return %y : tensor<8x4x16xf32>
}

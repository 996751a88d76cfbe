// Loops whose number maps divide become two, so that each dimension is one of them.
// RUN: pit-opt %s --split-input-file --pit-normalize | FileCheck %s

// Eight heads in groups of four, which share keys.
// CHECK-DAG: #[[$Q:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
// CHECK-DAG: #[[$K:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
// CHECK-DAG: #[[$S:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func.func @groups(
// CHECK-SAME: %[[X:.*]]: tensor<8x16x64xf32>, %[[Y:.*]]: tensor<2x24x64xf32>)
// CHECK: %[[SPLIT:.*]] = tensor.expand_shape %[[X]] {{\[}}[0, 1], [2], [3]] output_shape [2, 4, 16, 64]
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[$Q]], #[[$K]], #[[$S]]]
// CHECK-SAME: ins(%[[SPLIT]], %[[Y]] : tensor<2x4x16x64xf32>, tensor<2x24x64xf32>)
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2], [3]] : tensor<2x4x16x24xf32> into tensor<8x16x24xf32>
func.func @groups(%x: tensor<8x16x64xf32>, %y: tensor<2x24x64xf32>) -> tensor<8x16x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16x24xf32>) -> tensor<8x16x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, i, j, d) -> (h, i, d)>, affine_map<(h, i, j, d) -> (h floordiv 4, j, d)>, affine_map<(h, i, j, d) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %y : tensor<8x16x64xf32>, tensor<2x24x64xf32>) outs(%f : tensor<8x16x24xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x16x24xf32>
  return %r : tensor<8x16x24xf32>
}

// -----

// What is left of a loop, too, and its number in the body.
// CHECK-LABEL: func.func @rest(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<3xi32>)
// CHECK: %[[G:.*]] = linalg.index 0 : index
// CHECK: %[[FIRST:.*]] = arith.muli %[[G]], %c3
// CHECK: %[[R:.*]] = linalg.index 1 : index
// CHECK: arith.addi %[[FIRST]], %[[R]]
// CHECK: tensor.collapse_shape
func.func @rest(%x: tensor<3xi32>) -> tensor<12xi32> {
  %e = tensor.empty() : tensor<12xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 3)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xi32>) outs(%e : tensor<12xi32>) {
  ^bb0(%a: i32, %o: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %s = arith.addi %a, %n : i32
    linalg.yield %s : i32
  } -> tensor<12xi32>
  return %r : tensor<12xi32>
}

// -----

// The last group has one element: it stays as it is. So does a loop that is divided by two numbers, or added to another one.
// CHECK-LABEL: func.func @uneven(
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @uneven(%x: tensor<3xf32>, %y: tensor<6xf32>, %z: tensor<4xf32>, %v: tensor<5xf32>) -> (tensor<7xf32>, tensor<12xf32>, tensor<8x2xf32>) {
  %e = tensor.empty() : tensor<7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 3)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.sqrt %a : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  %ey = tensor.empty() : tensor<12xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i floordiv 3)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%y, %z : tensor<6xf32>, tensor<4xf32>) outs(%ey : tensor<12xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<12xf32>
  %ev = tensor.empty() : tensor<8x2xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i floordiv 2 + j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<5xf32>) outs(%ev : tensor<8x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.sqrt %a : f32
    linalg.yield %s : f32
  } -> tensor<8x2xf32>
  return %r, %q, %p : tensor<7xf32>, tensor<12xf32>, tensor<8x2xf32>
}

// -----

// One operand knows how long the loop is, and another one does not.
// CHECK-LABEL: func.func @unknown(
// CHECK-NOT: tensor.expand_shape
// CHECK: linalg.generic
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @unknown(%x: tensor<4xf32>, %y: tensor<8xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<4xf32>, tensor<8xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.mulf %s, %o : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// More is there than is read.
// CHECK-LABEL: func.func @larger(
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @larger(%x: tensor<5xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<5xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.mulf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// A structured op under a mark reads a number beside tensors: a tensor without dimensions on level 2.
// RUN: pit-run %s --random=normal --random=bool:.5 --random=const:2 --check | FileCheck %s
// RUN: pit-run %s --entry dynamic --random=randint:-3:4@33x7 --random=bool:.3@33 --random=const:3 --check | FileCheck %s
// RUN: pit-run %s --entry parallel --random=normal --random=bool:.5 --random=normal --random=const:2 --check | FileCheck %s
// RUN: %cuda pit-run %s --target cuda --random=normal --random=bool:.5 --random=const:2 --check | FileCheck %s
// RUN: %cuda pit-run %s --target cuda --entry parallel --random=normal --random=bool:.5 --random=normal --random=const:2 --check --tolerance=1e-12 | FileCheck %s
// CHECK: check: result 0: {{bit-identical|agrees}}

// RUN: pit-opt %s --pit-materialize-marks --convert-linalg-to-pit | FileCheck %s --check-prefix=RULE
// RULE-LABEL: func.func @main
// RULE-SAME: %[[s:[a-z0-9]+]]: f32
// RULE: %[[empty:.*]] = tensor.empty() : tensor<f32>
// RULE: %[[scalar:.*]] = linalg.fill ins(%[[s]] : f32) outs(%[[empty]] : tensor<f32>)
// RULE: pit.generic {{.*}} ins(%{{.*}}, %[[scalar]] : tensor<8x4xf32>, tensor<f32>)

func.func @main(%x: tensor<8x4xf32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
                %m: tensor<8xi1>, %s: f32) -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%x, %s : tensor<8x4xf32>, f32) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @dynamic(%x: tensor<?x7xi32> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
                   %m: tensor<?xi1>, %s: i32) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %n = tensor.dim %x, %c0 : tensor<?x7xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%s, %x : i32, tensor<?x7xi32>) outs(%f : tensor<?xi32>) {
  ^bb0(%c: i32, %a: i32, %o: i32):
    %p = arith.muli %a, %c : i32
    %t = arith.addi %o, %p : i32
    linalg.yield %t : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// Two ops, one behind the other, that both read it.
func.func @parallel(%x: tensor<8x4xf64> {pit.sparse = {source = "mask", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
                    %m: tensor<8xi1>, %w: tensor<4x3xf64>, %s: f64) -> tensor<8x3xf64> {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<8x3xf64>
  %f = linalg.fill ins(%z : f64) outs(%e : tensor<8x3xf64>) -> tensor<8x3xf64>
  %p = linalg.matmul ins(%x, %w : tensor<8x4xf64>, tensor<4x3xf64>) outs(%f : tensor<8x3xf64>) -> tensor<8x3xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%p, %s : tensor<8x3xf64>, f64) outs(%e : tensor<8x3xf64>) {
  ^bb0(%a: f64, %c: f64, %o: f64):
    %t = arith.addf %a, %c : f64
    linalg.yield %t : f64
  } -> tensor<8x3xf64>
  return %r : tensor<8x3xf64>
}

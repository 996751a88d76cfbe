// Assertions of a program, as exporters write them around lookups by ids, are reported with their line, and nobody dies of them.
// RUN: pit-opt %s --pit-lower-asserts | FileCheck %s
// RUN: pit-run %s --target=cpu --random=randint:0:7 --random=normal --check --quiet | FileCheck %s --check-prefix=RIGHT
// RUN: not pit-run %s --target=cpu --random=randint:-1:0 --random=normal --quiet 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: %emulated-cuda pit-run %s --target=cuda --chip=sm_80 --random=randint:0:7 --random=normal --check --quiet | FileCheck %s --check-prefix=RIGHT
// RUN: not %emulated-cuda pit-run %s --target=cuda --chip=sm_80 --random=randint:-1:0 --random=normal --quiet 2>&1 | FileCheck %s --check-prefix=WRONG
// RIGHT: check: result 0: {{agrees|bit-identical}}
// The lookup behind it is looked at as well, so that either of them is what the call fails with.
// WRONG: pit-run: error: {{.*}}line {{[0-9]+}}: {{an assertion of the program does not hold|index out of range: reads index -1}}

// CHECK: call @pit_rt_bad_index(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NOT: cf.assert
#ids = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @main(%ids: tensor<9xi64>, %table: tensor<7x4xf32>) -> tensor<9x4xf32> {
  %zero = arith.constant 0 : i64
  %seven = arith.constant 7 : i64
  %init = tensor.empty() : tensor<9x4xf32>
  %r = linalg.generic {indexing_maps = [#ids, #all], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<9xi64>) outs(%init : tensor<9x4xf32>) {
  ^bb0(%id: i64, %out: f32):
    %j = linalg.index 1 : index
    %above = arith.cmpi sge, %id, %zero : i64
    %below = arith.cmpi slt, %id, %seven : i64
    cf.assert %above, "an id is 0 or more"
    cf.assert %below, "an id is less than there are"
    %place = arith.index_cast %id : i64 to index
    %element = tensor.extract %table[%place, %j] : tensor<7x4xf32>
    linalg.yield %element : f32
  } -> tensor<9x4xf32>
  return %r : tensor<9x4xf32>
}

// -----

#row = affine_map<(t, e) -> (t, e)>
#one = affine_map<(t, e) -> (t)>
#id = affine_map<(t, k) -> (t, k)>

// Positions of an arg-max, side by side, lie in its row: what asserts that is gone. From a start outside, they need not.
// CHECK-LABEL: func.func @positions(
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-NOT: scf.if
// CHECK: linalg.yield
// CHECK: linalg.generic
// CHECK: scf.if
// CHECK: return
func.func @positions(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x1xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : i64
  %outside = arith.constant 8 : i64
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi64>
  %s = linalg.fill ins(%least : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %si = linalg.fill ins(%c0 : i64) outs(%ei : tensor<4xi64>) -> tensor<4xi64>
  %so = linalg.fill ins(%outside : i64) outs(%ei : tensor<4xi64>) -> tensor<4xi64>
  %t:2 = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%s, %si : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%l: f32, %acc: f32, %at: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %m = arith.maximumf %l, %acc : f32
    %is = arith.cmpf ogt, %l, %acc : f32
    %p = arith.select %is, %n, %at : i64
    linalg.yield %m, %p : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  %a = tensor.expand_shape %t#1 [[0, 1]] output_shape [4, 1] : tensor<4xi64> into tensor<4x1xi64>
  %both = tensor.concat dim(1) %a, %a : (tensor<4x1xi64>, tensor<4x1xi64>) -> tensor<4x2xi64>
  %eo = tensor.empty() : tensor<4x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%both : tensor<4x2xi64>) outs(%eo : tensor<4x2xf32>) {
  ^bb0(%n: i64, %acc: f32):
    %i = linalg.index 0 : index
    %at = arith.index_cast %n : i64 to index
    %ok = arith.cmpi slt, %at, %c8 : index
    cf.assert %ok, "index must be smaller than dim size"
    %v = tensor.extract %y[%i, %at] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x2xf32>
  %u:2 = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%s, %so : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%l: f32, %acc: f32, %at: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %m = arith.maximumf %l, %acc : f32
    %is = arith.cmpf ogt, %l, %acc : f32
    %p = arith.select %is, %n, %at : i64
    linalg.yield %m, %p : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  %b = tensor.expand_shape %u#1 [[0, 1]] output_shape [4, 1] : tensor<4xi64> into tensor<4x1xi64>
  %eb = tensor.empty() : tensor<4x1xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x1xi64>) outs(%eb : tensor<4x1xf32>) {
  ^bb0(%n: i64, %acc: f32):
    %i = linalg.index 0 : index
    %at = arith.index_cast %n : i64 to index
    %ok = arith.cmpi slt, %at, %c8 : index
    cf.assert %ok, "index must be smaller than dim size"
    %v = tensor.extract %y[%i, %at] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x1xf32>
  return %r, %q : tensor<4x2xf32>, tensor<4x1xf32>
}

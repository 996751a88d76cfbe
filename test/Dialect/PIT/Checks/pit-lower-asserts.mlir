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

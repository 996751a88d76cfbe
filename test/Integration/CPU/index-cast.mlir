// Casts between tensors of indexes and of integers are computed like other elementwise ops.
// RUN: pit-run %s --target cpu --random=const:-3 --print | FileCheck %s
// RUN: pit-run %s --target cpu --entry dynamic --random=randint:-5:5@3x2 --random=randint:1:2@3x2 --check | FileCheck %s --check-prefix=SAME
// RUN: pit-run %s --target cpu --entry unsigned --random=randint:-1:0@3 --print | FileCheck %s --check-prefix=UNSIGNED
// RUN: %cuda pit-run %s --target cuda --entry dynamic --random=randint:-5:5@3x2 --random=randint:1:2@3x2 --check | FileCheck %s --check-prefix=SAME
// RUN: pit-opt %s --pit-normalize | FileCheck %s --check-prefix=NORMAL
// CHECK: 4xi64 = -3 -3 -3 -3
// SAME: check: result 0: bit-identical
// UNSIGNED: 3xi64 = 255 255 255

// NORMAL-LABEL: func.func @main
// NORMAL: linalg.generic
// NORMAL: arith.index_cast %{{.*}} : i32 to index
func.func @main(%a: tensor<4xi32>) -> tensor<4xindex> {
  %r = arith.index_cast %a : tensor<4xi32> to tensor<4xindex>
  return %r : tensor<4xindex>
}

// Back and forth, and beside a structured op under a mark.
func.func @dynamic(%a: tensor<?x2xi64>, %b: tensor<?x2xi64> {pit.sparse = {source = "values", axes = array<i64: 0>}}) -> tensor<?x2xi64> {
  %i = arith.index_cast %a : tensor<?x2xi64> to tensor<?x2xindex>
  %s = arith.addi %i, %i : tensor<?x2xindex>
  %j = arith.index_cast %s : tensor<?x2xindex> to tensor<?x2xi64>
  %r = linalg.mul ins(%j, %b : tensor<?x2xi64>, tensor<?x2xi64>) outs(%a : tensor<?x2xi64>) -> tensor<?x2xi64>
  return %r : tensor<?x2xi64>
}

func.func @unsigned(%a: tensor<3xi8>) -> tensor<3xi64> {
  %i = arith.index_castui %a : tensor<3xi8> to tensor<3xindex>
  %r = arith.index_cast %i : tensor<3xindex> to tensor<3xi64>
  return %r : tensor<3xi64>
}

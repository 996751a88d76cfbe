// RUN: pit-opt %s --pit-define-divisions | FileCheck %s

// The quotient by zero is 0, and the smallest number by -1 is divided by 1.

// CHECK-LABEL: func.func @signed(
// CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -2147483648 : i32
// CHECK-DAG: %[[LAST:.*]] = arith.constant -1 : i32
// CHECK-DAG: %[[ISZERO:.*]] = arith.cmpi eq, %[[B]], %[[ZERO]] : i32
// CHECK-DAG: %[[ISLEAST:.*]] = arith.cmpi eq, %[[A]], %[[LEAST]] : i32
// CHECK-DAG: %[[ISLAST:.*]] = arith.cmpi eq, %[[B]], %[[LAST]] : i32
// CHECK: %[[OVERFLOWS:.*]] = arith.andi %[[ISLEAST]], %[[ISLAST]] : i1
// CHECK: %[[WRONG:.*]] = arith.ori %[[ISZERO]], %[[OVERFLOWS]] : i1
// CHECK: %[[BY:.*]] = arith.select %[[WRONG]], %{{.*}}, %[[B]] : i32
// CHECK: %[[Q:.*]] = arith.divsi %[[A]], %[[BY]] : i32
// CHECK: %[[R:.*]] = arith.select %[[ISZERO]], %{{.*}}, %[[Q]] : i32
// CHECK: return %[[R]] : i32
func.func @signed(%a: i32, %b: i32) -> i32 {
  %q = arith.divsi %a, %b : i32
  return %q : i32
}

// Without a sign nothing overflows; what is left by 1 is 0.

// CHECK-LABEL: func.func @remainder(
// CHECK-SAME: %[[A:.*]]: i64, %[[B:.*]]: i64)
// CHECK: %[[ISZERO:.*]] = arith.cmpi eq, %[[B]], %{{.*}} : i64
// CHECK-NOT: arith.andi
// CHECK: %[[BY:.*]] = arith.select %[[ISZERO]], %{{.*}}, %[[B]] : i64
// CHECK-NEXT: %[[R:.*]] = arith.remui %[[A]], %[[BY]] : i64
// CHECK-NEXT: return %[[R]] : i64
func.func @remainder(%a: i64, %b: i64) -> i64 {
  %r = arith.remui %a, %b : i64
  return %r : i64
}

// In bodies and tensors, too, whatever way it rounds.

// CHECK-LABEL: func.func @bodies(
// CHECK: linalg.generic
// CHECK: arith.select
// CHECK-NEXT: arith.floordivsi
// CHECK: arith.select
// CHECK: linalg.yield
// CHECK: arith.select {{.*}} : tensor<4xi1>, tensor<4xi32>
// CHECK: arith.ceildivui {{.*}} : tensor<4xi32>
// CHECK: arith.select {{.*}} : tensor<4xi1>, tensor<4xi32>
func.func @bodies(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %q = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%x : tensor<4xi32>) outs(%y : tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32):
    %d = arith.floordivsi %a, %b : i32
    linalg.yield %d : i32
  } -> tensor<4xi32>
  %r = arith.ceildivui %q, %y : tensor<4xi32>
  return %r : tensor<4xi32>
}

// By a number that does no harm, nothing changes; by -1, only overflow is looked for.

// CHECK-LABEL: func.func @constants(
// CHECK-SAME: %[[A:.*]]: index)
// CHECK: %[[Q:.*]] = arith.divsi %[[A]], %{{.*}} : index
// CHECK-NEXT: %[[R:.*]] = arith.remui %[[Q]], %{{.*}} : index
// CHECK: arith.cmpi eq, %[[R]], %{{.*}} : index
// CHECK: arith.andi
// CHECK-NOT: arith.ori
// CHECK: %[[LAST:.*]] = arith.ceildivsi
// CHECK-NEXT: return %[[LAST]] : index
func.func @constants(%a: index) -> index {
  %c7 = arith.constant 7 : index
  %c-1 = arith.constant -1 : index
  %q = arith.divsi %a, %c7 : index
  %r = arith.remui %q, %c7 : index
  %s = arith.ceildivsi %r, %c-1 : index
  return %s : index
}

// What other dialects divide is written with arith first; by constants, affine maps stay.

// CHECK-LABEL: func.func @others(
// CHECK-SAME: %[[A:.*]]: index, %[[B:.*]]: index)
// CHECK: %[[BY:.*]] = arith.select
// CHECK: arith.floordivsi %[[A]], %[[BY]] : index
// CHECK-NOT: index.floordivs
// CHECK: affine.apply
// CHECK-NOT: affine.apply
// CHECK: arith.cmpi eq, %[[B]], %{{.*}} : index
// CHECK: arith.divsi
func.func @others(%a: index, %b: index) -> (index, index, index) {
  %q = index.floordivs %a, %b
  %c = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%a)
  %s = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%a)[%b]
  return %q, %c, %s : index, index, index
}

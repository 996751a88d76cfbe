// RUN: pit-opt %s --pit-read-shardings | FileCheck %s
// RUN: pit-opt %s --pit-read-shardings=ranks=4 | FileCheck %s --check-prefix=FOUR
// RUN: pit-opt %s --pit-read-shardings=drop | FileCheck %s --check-prefix=DROP

// RUN: pit-opt %S/Inputs/one-argument.mlir --pit-read-shardings="ranks=2 cuts=0:1" | FileCheck %s --check-prefix=OPTION
// OPTION: shard.grid @ranks(shape = 2)
// OPTION: pit.splits = {inputs = ["cut 1"], results = ["any"]}

// FOUR: shard.grid @ranks(shape = 4)
// DROP-NOT: shard.
// DROP-NOT: pit.splits
// DROP: func.func @main(
// DROP-NEXT: math.exp
// DROP-NEXT: return
// DROP: func.func @alone(
// CHECK-NOT: @gpus
// CHECK: shard.grid @ranks(shape = 2)
shard.grid @gpus(shape = 2)

// Arguments and what is returned; one that is not used, and a chain of two.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: pit.splits = {inputs = ["cut 1", "any", "whole", "cut 0"], results = ["cut 0", "any"]}
// CHECK-NEXT: %[[Y:.*]] = math.exp %arg0
// CHECK-NEXT: return %[[Y]], %arg1
func.func @main(%w: tensor<8x16xf32>, %x: tensor<4xf32>, %all: tensor<3xf32>, %rows: tensor<?x8xf32>) -> (tensor<8x16xf32>, tensor<4xf32>) {
  %columns = shard.sharding @gpus split_axes = [[], [0]] : !shard.sharding
  %first = shard.sharding @gpus split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @gpus split_axes = [[]] : !shard.sharding
  %ws = shard.shard %w to %columns annotate_for_users : tensor<8x16xf32>
  %alls = shard.shard %all to %whole annotate_for_users : tensor<3xf32>
  %rowss = shard.shard %rows to %first annotate_for_users : tensor<?x8xf32>
  %y = math.exp %ws : tensor<8x16xf32>
  %y0 = shard.shard %y to %first : tensor<8x16xf32>
  %y1 = shard.shard %y0 to %first annotate_for_users : tensor<8x16xf32>
  return %y1, %x : tensor<8x16xf32>, tensor<4xf32>
}

// With a grid, all functions are those of a rank.
// CHECK-LABEL: func.func @alone(
// CHECK-SAME: pit.splits = {inputs = ["any"], results = ["any"]}
func.func @alone(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// RUN: not pit-opt %s --split-input-file --pit-shard-experts=ranks=4 -o /dev/null 2>&1 | FileCheck %s
// RUN: not pit-opt %s --pit-shard-experts=ranks=65 -o /dev/null 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not pit-opt %s --pit-shard-experts=sums=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=SUMS
// SUMS: error: cannot add up results of ranks by 'all': sums are rows, partial or rounded
// RUN: not pit-opt %S/Inputs/largest-row.mlir --pit-shard-experts=sums=partial -o /dev/null 2>&1 | FileCheck %s --check-prefix=LARGEST
// LARGEST: error: cannot be added up by each rank: it is no sum that starts from zero
// NUMBER: error: cannot split a program over 65 ranks: 1 to 64 are possible

// CHECK: error: cannot be split over ranks: no gate of experts is found in it
func.func @no_gate(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  return %x : tensor<8x16xf32>
}

// -----

// CHECK: error: cannot split 6 experts over 4 ranks
func.func @experts(%gate: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %index = pit.detect values(%gate : tensor<8x6xf32>) <kind = values, axes = [0, 1], at_most = 2> : <[8, 6], coordinate = 0, tile = [1, 1], width = 32>
  return %gate : tensor<8x6xf32>
}

// -----

// CHECK: error: cannot split 10 rows of 'tensor<10x8xf32>' over 4 ranks
func.func @rows(%gate: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %index = pit.detect values(%gate : tensor<10x8xf32>) <kind = values, axes = [0, 1], at_most = 2> : <[10, 8], coordinate = 0, tile = [1, 1], width = 32>
  return %gate : tensor<10x8xf32>
}

// -----

// CHECK: error: cannot be split over ranks: no gate of experts is found in it
func.func @mask(%mask: tensor<8x8xi1>) -> tensor<8x8xi1> {
  %index = pit.detect by(%mask : tensor<8x8xi1>) <kind = mask, axes = [0, 1]> : <[8, 8], coordinate = 0, tile = [1, 1], width = 32>
  return %mask : tensor<8x8xi1>
}

// -----

// CHECK: error: cannot be split over ranks: it writes to rows of other ranks
func.func @scatter(%gate: tensor<8x8xf32>, %w: tensor<8xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %index = pit.detect values(%gate : tensor<8x8xf32>) <kind = values, axes = [0, 1], at_most = 1> : <[8, 8], coordinate = 0, tile = [1, 1], width = 32>
  %y = pit.tiled tile 4 {dims = [array<i64: 0, 1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%index : !pit.index<[8, 8], coordinate = 0, tile = [1, 1], width = 32>) ins(%gate, %w : tensor<8x8xf32>, tensor<8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%g: tensor<?xf32>, %s: tensor<f32>, %o: tensor<?xf32>):
    pit.yield %g : tensor<?xf32>
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// CHECK: error: cannot be split over ranks: it has branches
func.func @branches(%gate: tensor<8x8xf32>) -> tensor<8x8xf32> {
  cf.br ^end
^end:
  return %gate : tensor<8x8xf32>
}

// -----

// CHECK: error: the module has a symbol 'ranks' already
func.func @ranks(%gate: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return %gate : tensor<8x8xf32>
}

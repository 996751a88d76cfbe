// RUN: pit-opt %s --split-input-file --pit-shard-experts=ranks=2 --verify-diagnostics
// RUN: not pit-opt %s --pit-shard-experts="ranks=2 reduce=ring" 2>&1 | FileCheck %s --check-prefix=REDUCE
// REDUCE: error: cannot add up partial results of ranks by 'ring': it is ordered or nccl

// expected-error @+1 {{'pit.splits' has 2 inputs, but there are 1}}
func.func @count(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pit.splits = {inputs = ["cut 0", "any"], results = ["any"]}} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{'pit.splits' has 'cut 1' for a value of type 'tensor<4xf32>'}}
func.func @dim(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pit.splits = {inputs = ["cut 1"], results = ["any"]}} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{'pit.splits' has 'halves' for a value of type 'tensor<4xf32>'}}
func.func @word(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pit.splits = {inputs = ["halves"], results = ["any"]}} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{cannot split 5 elements of 'tensor<5xf32>' over 2 ranks}}
func.func @uneven(%x: tensor<5xf32>) -> tensor<5xf32> attributes {pit.splits = {inputs = ["cut 0"], results = ["any"]}} {
  return %x : tensor<5xf32>
}

// -----

// expected-error @+1 {{cannot be split over ranks: no gate of experts is found in it, and no argument is sharded}}
func.func @nothing(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pit.splits = {inputs = ["any"], results = ["any"]}} {
  return %x : tensor<4xf32>
}

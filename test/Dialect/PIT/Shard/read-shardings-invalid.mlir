// RUN: pit-opt %s --split-input-file --pit-read-shardings --verify-diagnostics
// RUN: not pit-opt %S/read-shardings.mlir --pit-read-shardings=ranks=3 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: not pit-opt %S/read-shardings.mlir --pit-read-shardings=ranks=65 2>&1 | FileCheck %s --check-prefix=MANY
// THREE: error: {{.*}}cannot cut 16 elements along dimension 1 of 'tensor<8x16xf32>' into 3 equal parts
// MANY: error: cannot split a program over 65 ranks: 1 to 64 are possible

// expected-error @+1 {{a grid of ranks has one dimension of a known size}}
shard.grid @gpus(shape = 2x2)

// -----

shard.grid @a(shape = 2)
// expected-error @+1 {{a program has one grid of ranks}}
shard.grid @b(shape = 2)

// -----

shard.grid @gpus(shape = 2)
// expected-error @+1 {{the module has a symbol 'ranks' already}}
func.func @ranks(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

shard.grid @gpus(shape = 2)
func.func @uneven(%x: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %s = shard.sharding @gpus split_axes = [[0]] : !shard.sharding
  // expected-error @+1 {{cannot cut 5 elements along dimension 0 of 'tensor<5x4xf32>' into 2 equal parts}}
  %xs = shard.shard %x to %s annotate_for_users : tensor<5x4xf32>
  return %xs : tensor<5x4xf32>
}

// -----

shard.grid @gpus(shape = 2)
func.func @parts(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %s = shard.sharding @gpus split_axes = [[0]] sharded_dims_offsets = [0, 2, 6] : !shard.sharding
  // expected-error @+1 {{halos and parts of unequal size are not supported}}
  %xs = shard.shard %x to %s annotate_for_users : tensor<6x4xf32>
  return %xs : tensor<6x4xf32>
}

// -----

shard.grid @gpus(shape = 2)
func.func @between(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %s = shard.sharding @gpus split_axes = [[0]] : !shard.sharding
  %y = math.exp %x : tensor<6x4xf32>
  // expected-error @+1 {{only arguments and results of functions are sharded; how ranks share what is in between follows}}
  %ys = shard.shard %y to %s annotate_for_users : tensor<6x4xf32>
  %z = math.exp %ys : tensor<6x4xf32>
  return %z : tensor<6x4xf32>
}

// -----

shard.grid @gpus(shape = 2)
func.func @twice(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %s = shard.sharding @gpus split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @gpus split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %x to %s annotate_for_users : tensor<6x4xf32>
  // expected-error @+1 {{the tensor has another sharding already: 'cut 0' and 'cut 1'}}
  %b = shard.shard %x to %t annotate_for_users : tensor<6x4xf32>
  return %b : tensor<6x4xf32>
}

// -----

shard.grid @gpus(shape = 2)
func.func @communicates(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{is not part of a dense program: what ranks pass on follows from shardings of arguments and results}}
  %all = shard.all_gather %x on @gpus grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  return %all : tensor<8xf32>
}

// -----

// Cuts by the option.
// RUN: not pit-opt %S/Inputs/one-argument.mlir --pit-read-shardings="ranks=2 cuts=0:2" 2>&1 | FileCheck %s --check-prefix=DIM
// RUN: not pit-opt %S/Inputs/one-argument.mlir --pit-read-shardings="ranks=2 cuts=1:0" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not pit-opt %S/Inputs/one-argument.mlir --pit-read-shardings="ranks=2 cuts=0" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not pit-opt %S/Inputs/one-argument.mlir --pit-read-shardings="ranks=4 cuts=0:1" 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: not pit-opt %S/Inputs/one-argument.mlir --pit-read-shardings="cuts=0:1" 2>&1 | FileCheck %s --check-prefix=NONE
// DIM: error: cannot cut argument 0 along dimension 2: it is of type 'tensor<8x6xf32>'
// NUMBER: error: cannot cut argument 1: there are 1
// TEXT: error: cannot read '0': a cut is ARGUMENT:DIMENSION, or ARGUMENT:-1 for a tensor that all ranks have
// PARTS: error: cannot cut 6 elements along dimension 1 of 'tensor<8x6xf32>' into 4 equal parts
// NONE: error: arguments are cut, but there are no ranks

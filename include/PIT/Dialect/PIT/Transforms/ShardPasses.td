//===- ShardPasses.td - Passes for several GPUs ------------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_SHARDPASSES_TD
#define PIT_DIALECT_PIT_TRANSFORMS_SHARDPASSES_TD

include "mlir/Pass/PassBase.td"

def PITReadShardings : Pass<"pit-read-shardings", "::mlir::ModuleOp"> {
  let summary = "Take shardings of arguments and results from the shard dialect";
  let description = [{
    For programs that say by upstream's `shard` dialect how ranks share their arguments and results:

    ```mlir
    shard.grid @gpus(shape = 2)
    func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x128xf32>) -> tensor<64x128xf32> {
      %columns = shard.sharding @gpus split_axes = [[], [0]] : !shard.sharding
      %parts = shard.shard %w to %columns annotate_for_users : tensor<32x128xf32>
    ```

    `shard.shard` of an argument, or of what is returned, goes away, and `pit.splits` of the function says `cut D` for a
    tensor that is cut along dimension D, `whole` for one that all ranks have, and `any` for all others, whose splits
    follow. The grid becomes `@ranks`, with `ranks` elements if that is not 0. It has one dimension. Extents that are cut
    have to be multiples of the number of ranks. Shardings of other values, offsets, halos and ops that communicate are errors.

    With `drop`, all of this goes away, and the program is one for one rank.
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", /*default=*/"0", "How many ranks there are, in place of the grid's number">,
    Option<"cuts", "cuts", "std::string", /*default=*/"",
           "Arguments of public functions that are cut, besides: ARGUMENT:DIMENSION,..., with -1 for a tensor that all ranks have">,
    Option<"drop", "drop", "bool", /*default=*/"false", "Forget all shardings">
  ];
  let dependentDialects = ["::mlir::shard::ShardDialect"];
}

def PITShardExperts : Pass<"pit-shard-experts", "::mlir::ModuleOp"> {
  let summary = "Split rows, experts and dense ops over ranks";
  let description = [{
    Makes of each public function, a program for all rows (tokens) and experts, the program of one of `ranks` ranks
    (SPMD); of as many as the grid `@ranks` has, if the option is 0; nothing without both. It runs at level 3, behind
    `--pit-split-sums`.

    What is split follows from `pit.splits`, see `--pit-read-shardings`, and from how indexes are used: tensors that the
    listed coordinate names are cut along the rows, tensors that segments are numbered by (weights) along the experts.
    Dense ops carry that on, in both directions: linear algebra, elementwise ops, attention and its gradients, reshapes,
    slices. Parts have equal size. `pit.splits` on the function then says how each argument and result is cut.

    Dense ops:
    * A rank computes a part of one loop of each op, the one for which ranks have to pass on the fewest bytes. Operands that
      are cut otherwise are gathered (`shard.all_gather`).
    * A part of a loop along which results are added up (k of a product, rows of a gradient by weights) gives a partial result.
      With `reduce=ordered`, each rank reads the partial results of all ranks where they are, and adds them up in the order of
      ranks: an all-gather with `pit.in_place`. All ranks and runs have the same bits. If the result is cut, a rank adds up its
      part. With three ranks or more, results that all ranks have and that are of `gather-from` bytes or more are added up in
      parts, and gathered. With `reduce=nccl`, sums that all ranks have are `shard.all_reduce`, for hosts with NCCL.
    * What cannot be followed is computed as a whole by each rank, with a remark.

    Ops over the index of a gate:
    * Gates and rows of all ranks are gathered (`shard.all_gather`), and all ranks build the same index of all rows and
      experts.
    * Ops over the index run over the segments of the rank's own experts. Packed positions are those of the whole
      index, so that no position depends on the number of ranks.
    * Sums over the inverse index run over the rank's own rows. `sums` says what they get of other ranks:

      * `rows`: they read packed results of all ranks through one tensor, an all-gather with `pit.in_place`: rank i's
        tensor begins at row i * pitch, where the pitch is the extent of the gathered tensor divided by the number of
        ranks, and may be more than the extent of a part. Sums keep their order: results have the bits of one rank.
      * `partial`: each rank adds up the results of its own experts for the rows of each other rank, and passes one sum
        of each row on (`shard.shift`). The owner adds its own sum and those of the ranks 1, 2, ... before it, in this
        order. Results have the same bits in each run, but not those of one rank.
      * `rounded`: the same, with sums rounded to the type of packed results before they are passed on.

    What cannot be split is an error at the op: branches, packed rows that are returned, and with `partial` and `rounded`
    whatever else than a sum from zero over packed results.
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", /*default=*/"2", "How many ranks there are; 0 for those of the grid @ranks">,
    Option<"sums", "sums", "std::string", /*default=*/"\"rows\"",
           "What ranks pass on of the results that a row adds up: rows, partial or rounded">,
    Option<"reduce", "reduce", "std::string", /*default=*/"\"ordered\"",
           "Who adds up partial results of dense ops: ordered, each rank in the order of ranks, or nccl">,
    Option<"gatherFrom", "gather-from", "int64_t", /*default=*/"65536",
           "Bytes of a sum from which three and more ranks add up parts and gather them">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::shard::ShardDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PITSplitPhases : Pass<"pit-split-phases", "::mlir::ModuleOp"> {
  let summary = "Cut a rank's program where it needs the data of others";
  let description = [{
    Cuts each public function that gathers (`shard.all_gather`), passes on (`shard.shift`) or adds up (`shard.all_reduce`)
    into functions, its phases, which need no communication: `NAME_0`, `NAME_1` and so on. Between them, a host passes pieces and waits for its peers.

    A transfer begins a phase if something is computed in front of it, so that this need not wait for what comes later.
    `pit.tiled` ops are in the phase in which they stand, all others in the first one that they can be in. Extents,
    constants and room for results are computed anew in each phase.

    The attribute `pit.phases` of the module, a text in JSON, says for each phase where its arguments come from and what
    its results are:

    * `input I` and `result I`: an argument or a result of the program.
    * `value K`: a result of an earlier phase.
    * `gather G`: the gathered tensor number G; `gathers` names what each of them is made of, along which dimension, and
      whether it is read in place.
    * `shift S`: what the rank `by` before this one has as the value `of` of the shift number S in `shifts`.
    * `reduce R`: the sum number R over all ranks; `reduces` names what each of them adds up.
    * `rank`: the number of the rank, an `index`.
    * `arrivals G`: an i32 for each rank, which is not 0 once its piece of the gathered tensor number G is there. A phase
      with this argument begins before that, and waits inside (`pit.await_pieces`). Gathers of arguments of the program
      have it that are needed for the first time behind the first phase which needs any.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect", "::mlir::pit::PITDialect"];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_SHARDPASSES_TD

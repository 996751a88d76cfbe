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

def PITShardExperts : Pass<"pit-shard-experts", "::mlir::ModuleOp"> {
  let summary = "Split rows and experts over ranks";
  let description = [{
    Makes of each public function, a program for all rows (tokens) and experts, the program of one of `ranks` ranks
    (SPMD). It runs at level 3, behind `--pit-split-sums`: an index lists the rows of each expert, and its inverse the
    packed results of each row.

    What is split follows from how indexes are used: tensors that the listed coordinate names are cut along the rows,
    tensors that segments are numbered by (weights) along the experts. Elementwise ops carry that on. Parts have equal
    size. `pit.splits` on the function says how each argument and result is cut.

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

    What cannot be split is an error at the op: branches, sums along rows that are split, packed rows that are returned,
    and with `partial` and `rounded` whatever else than a sum from zero over packed results.
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", /*default=*/"2", "How many ranks there are">,
    Option<"sums", "sums", "std::string", /*default=*/"\"rows\"",
           "What ranks pass on of the results that a row adds up: rows, partial or rounded">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::shard::ShardDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PITSplitPhases : Pass<"pit-split-phases", "::mlir::ModuleOp"> {
  let summary = "Cut a rank's program where it needs the data of others";
  let description = [{
    Cuts each public function that gathers (`shard.all_gather`) or passes on (`shard.shift`) into functions, its phases,
    which need no communication: `NAME_0`, `NAME_1` and so on. Between them, a host passes pieces and waits for its peers.

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
    * `rank`: the number of the rank, an `index`.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect"];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_SHARDPASSES_TD

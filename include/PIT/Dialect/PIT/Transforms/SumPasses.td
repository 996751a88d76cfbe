//===- SumPasses.td - Passes that split sums over segments -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_SUMPASSES_TD
#define PIT_DIALECT_PIT_TRANSFORMS_SUMPASSES_TD

include "mlir/Pass/PassBase.td"

def PITSplitSums : Pass<"pit-split-sums", "::mlir::func::FuncOp"> {
  let summary = "Let sums over segments run row by row, through the inverse index";
  let description = [{
    Takes each `pit.tiled` over several segments that adds to rows which several of them list, so that its tiles depend
    on each other, and splits it:

    * If its region reduces over axes of its own (a contraction), the same region, from zero, writes its rows packed.
      Nothing depends on another segment then.
    * A second `pit.tiled` over the inverse index (`pit.invert`), whose segments are the rows of the result, adds the packed
      rows that each row is made of, in ascending order of segments, to what the result holds before. A region without
      reductions of its own, such as a product with a gate, is computed there, and operands that hold one number per listed
      element, such as the gate, are packed for it.

    Some patterns have at most one live point per row (`at_most = 1`, which detection checks). If the result starts from
    one value, nothing is added up, and no inverse is needed: the second op runs over the same index and writes each row
    once. Elementwise ops that follow, and read no other tensor, are computed there, and also for the rows that nobody
    lists.

    Each row then belongs to one segment of the second op. A sum per segment, where there is one, is rounded on its own
    before it is added; a region without reductions gives the same bits as before.

    The pass takes ops at the top of a function of one block that fulfil these conditions:

    * The one output has the coordinate, and no segment dimension, of an index of single elements.
    * No operand depends on the segment alone, unless the region is a contraction.
    * The region adds (contraction), or is one `linalg.generic` without `linalg.index`.
    * The number of packed rows follows from a packed operand or from the detection.

    Other ops stay as they are. So do those between a scalar that is read from a tensor and its use (run `--cse` before).
  }];
  let options = [
    Option<"scatter", "scatter", "bool", /*default=*/"true",
           "Write each row once, without an inverse, if no row is listed twice">
  ];
  let statistics = [Statistic<"numSums", "num-sums", "Sums over segments that were split">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITAddChosenRows : Pass<"pit-add-chosen-rows", "::mlir::func::FuncOp"> {
  let summary = "Add each row to the one that its number says";
  let description = [{
    A sum over tokens of what is zero unless `number[token] == row` adds each token's term to its row instead: work grows with the
    tokens, and not with the tokens times the rows. Examples are the gradient of an embedding, written dense, the product of a
    transposed one-hot tensor, and the dispatch of tokens to experts with a capacity, whose row is a pair of numbers. Each row of the
    result has its terms added in the order of tokens, which is that of the sum as it is written, so that the bits are the same.
    Numbers that are no row are in no sum.

    That terms are zero elsewhere is followed through the elementwise ops in front of the sum: factors, conditions, conversions, and
    sums of several choices, as of the two experts of a token. A token has up to four places; a place that it has twice counts once.
    A term is a row of columns. Products of two rows with columns of their own are left to matrix units.

    On the CPU it is a loop over tokens. With `lists`, the tokens of each row are listed by a counting sort of the numbers
    (`pit.invert`), and each row is a sum over its list: no atomics, and the same bits. Sums of few rows stay as they are then. If data is
    `finite`, tokens whose factor is zero go nowhere: experts with a capacity drop tokens so.
  }];
  let options = [Option<"lists", "lists", "bool", /*default=*/"false", "Add rows by lists of tokens, for GPUs">,
                 Option<"finite", "finite", "bool", /*default=*/"true", "Live data is finite: 0 * x = 0">];
  let statistics = [Statistic<"numSums", "num-sums", "Sums of chosen rows">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::pit::PITDialect"];
}

def PITSiftChoices : Pass<"pit-sift-choices", "::mlir::func::FuncOp"> {
  let summary = "Read the row that a number names, instead of summing over all";
  let description = [{
    A sum over `k` of what is zero unless `number[token] == k` has one term, the one at that number: the op reads it there, and the
    loop over `k` is gone (the sifting property of the Kronecker delta). Examples are an embedding written as the product of a one-hot
    tensor, and the combine of experts with a capacity, over pairs of numbers. Numbers that are outside of the loop add nothing.

    Places of a token are found as by `--pit-add-chosen-rows`. What is read has columns, and is shared by tokens. Results of all experts
    for each token are none such: there the choice says which of them need not be computed, and marks follow it.
  }];
  let options = [Option<"finite", "finite", "bool", /*default=*/"true", "Live data is finite: 0 * x = 0">];
  let statistics = [Statistic<"numLookups", "num-lookups", "Sums that became lookups">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_SUMPASSES_TD

//===- AttentionPasses.td - Passes that recognise attention -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTIONPASSES_TD
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTIONPASSES_TD

include "mlir/Pass/PassBase.td"

def PITFuseAttention : Pass<"pit-fuse-attention", "::mlir::func::FuncOp"> {
  let summary = "Recognise attention of padded sequences";
  let description = [{
    Where the live positions of sequences ask for scores with all positions of their sequence, a mask of the same lengths
    (a mark with `neg_inf`, whose live elements are known to be 0) is added to them, and the softmax of that is multiplied
    by values of all positions, the chain of `pit.generic` becomes one `pit.attend_sequences` on the packed rows: keys and values of
    padding, which the mask leaves no weight, are neither written out nor read.

    Taken are chains in f32 of bf16 or f16 operands, [sequence, position, head, width], with 32, 64 or 128 elements per head,
    whose scores may be rounded and multiplied or divided by a constant before the mask is added. A mask of later positions
    (0 where the row's number is that of the column or larger, -inf elsewhere; as a matrix, or a select by numbers that
    count up) may be added, too, which makes the op `causal`. Other chains stay.
  }];
  let statistics = [Statistic<"numFused", "num-fused", "Chains that became one op">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTIONPASSES_TD

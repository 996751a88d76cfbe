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

def PITFormAttention : Pass<"pit-form-attention", "::mlir::func::FuncOp"> {
  let summary = "Recognise attention in dense programs";
  let description = [{
    Looks for a product with the softmax of scores as an operand, where the scores are a product themselves. Everything from the
    one to the other becomes one `pit.attend`. So does what is done to the result element by element: a rounding, the quotient,
    another order of axes. No op is recognised by name. An element of the weights is followed back through elementwise ops,
    views, transposes, broadcasts and reductions along the keys, in any fused or split form. What it is computed by is compared
    with

        exp(logit - max(logit)) / sum(exp(logit - max(logit)))

    The computation of the logit becomes the region: scale, soft cap, bias, and masks by select, sum or product. A mask
    that is computed elementwise, from arguments, constants or positions, becomes part of the region, so that no tensor
    of queries by keys is left. Tensors that the region reads become `modifiers`. Views, transposes and broadcasts of
    queries, keys, values and the result become maps: heads that share keys (GQA, MQA) become an axis that keys lack,
    also where maps divide the number of a head.
    Constant factors of queries and keys in f32 become factors of the scores.

    A column behind those of the keys, put there by `concat` or `insert_slice` and cut off the weights again, becomes the sink. The
    number of keys has to be known. If the program also subtracts the largest in front of the softmax, that is left out, as it changes no weight.

    Rows without a live key are 0 (`zero_rows`) where the program guards both the largest and the sum, or selects 0 for them.
    Values of bf16 between scores and weights are not rounded, as f32 has the same range. Those of f16 are rounded as the program says.

    Three kinds of chains are left as they are, with a remark: one that something else reads in between; one under a mark of
    `lengths`, which `--pit-fuse-attention` takes; and one that no kernel takes (`getAttentionLimit`), as its elements are not
    bf16 or f16, or its widths are no multiple of 16 from 16 to 256.

    The logarithm of the sum of exponentials, max + log(sum), may be read elsewhere: it becomes the second result.

    With `gradients`, three products become one `pit.attend_backward` that belong to the same scores: those of

        w * (gradient * V^T - delta)    with    w = exp(logit - lse)

    with keys and, transposed, with queries, and that of w, transposed, with the gradient of the result. `lse` and `delta` are any
    numbers of queries. So backward programs have to compute weights again, as those of FlashAttention do, and `delta` of the result and
    its gradient; `exp(logit - max) / sum` is taken, too. Where `delta` is the sum of weights times their gradients, and the program has
    the result, it becomes that of the result and its gradient. Constant factors may stand anywhere, and zeros be selected where logits
    are -inf. Soft caps are factors 1 - t * t, of the t = tanh that logits have.

    Heads that share keys have one gradient of both if the program adds up those of each head, and does nothing else with them. What the
    program sums up of the gradients of logits, or keeps of them, becomes a gradient by a modifier with the same axes, of queries and
    keys among others (biases). Chains stay as they are, with a remark, if not all three gradients are there, or no kernel takes them
    (`getAttentionLimit`); a sum that fits no modifier stays beside the op, with a remark.
  }];
  let options = [
    Option<"gradients", "gradients", "bool", "false", "Look for gradients, too: for chips that have kernels of them">];
  let statistics = [Statistic<"numFormed", "num-formed", "Chains that became one op">,
                    Statistic<"numGradients", "num-gradients", "Gradients that became one op">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect", "::mlir::pit::PITDialect"];
}

def PITDecomposeAttention : Pass<"pit-decompose-attention", "::mlir::func::FuncOp"> {
  let summary = "Write attention as structured ops";
  let description = [{
    Each `pit.attend` on tensors becomes the ops of its formula: scores, logits, their largest, exponentials, their sum, the product
    with the values, and the quotient. The weights are rounded to the type of values first, as the op says. That is the reference, and what
    the CPU computes.
  }];
  let options = [
    Option<"keepGradients", "keep-gradients", "bool", "false", "With `keep-for-kernels`, leave gradients, too: for chips that have "
           "kernels of them">,
    Option<"keepForKernels", "keep-for-kernels", "bool", "false", "Leave attention that GPU kernels compute: types and widths by getAttentionLimit, rows contiguous in memory, outside of loops">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def PITFuseAttention : Pass<"pit-fuse-attention", "::mlir::func::FuncOp"> {
  let summary = "Recognise attention of padded sequences";
  let description = [{
    Recognises attention of sequences under a mark of `lengths`. The live positions of sequences have scores with all positions
    of their sequence. A mask of the same lengths is added to them: a mark with `neg_inf`, whose live elements are known to be
    0. The softmax of that is multiplied by values of all positions. The chain of `pit.generic` becomes one
    `pit.attend_sequences` on the packed rows. Keys and values of padding get no weight from the mask; they are neither written
    out nor read.

    Taken are chains in f32 of bf16 or f16 operands, [sequence, position, head, width], with 32, 64 or 128 elements per head,
    whose scores may be rounded and multiplied or divided by a constant before the mask is added. A mask of later positions
    (0 where the row's number is that of the column or larger, -inf elsewhere; as a matrix, or a select by numbers that
    count up) may be added, too, which makes the op `causal`. Other chains stay.
  }];
  let statistics = [Statistic<"numFused", "num-fused", "Chains that became one op">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTIONPASSES_TD

//===- PITAttentionOps.td - Attention ----------------------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITATTENTIONOPS_TD
#define PIT_DIALECT_PIT_IR_PITATTENTIONOPS_TD

include "PIT/Dialect/PIT/IR/PITAttentionBackwardOps.td"

def PIT_AttendSequencesOp : PIT_Op<"attend_sequences", [DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "softmax(scale * Q * K^T) * V of each sequence on its own";
  let description = [{
    `query`, `key`, `value` and `init` are packed, [rows, heads, width]. Rows `offsets[s]` to `offsets[s + 1]` - 1 are
    those of sequence s, at most `extent`. For each row and head, the result is the sum of the rows of V of its
    sequence, weighted by the softmax of the row's scores with the rows of K. Scores are sums in f32. `rounds_scores`
    rounds them to the element type of the operands; then they are multiplied by `scale`. With `causal`, a row attends
    only to itself and to earlier rows of its sequence. Rows behind the last sequence keep their contents.

    `plan` says how a kernel computes it.

    Weights are rounded to the element type before they are divided by their sum. Both sums are in f32.

    Constraints:
    * S1: the packed operands have one shape, with known heads and width, and one element type, bf16 or f16.
    * S2: `extent` is positive.
    * S3: all tensors and a result of the type of `init`, or all buffers and no result.

    Example:
    ```mlir
    pit.attend_sequences %q, %k, %v sequences(%offsets : memref<9xi64>) outs(%o)
      {extent = 128 : i64, scale = 0.125 : f32} : memref<1024x12x64xbf16>, memref<1024x12x64xbf16>,
        memref<1024x12x64xbf16>, memref<1024x12x64xbf16>
    ```
  }];
  let arguments = (ins PIT_TensorOrBuffer:$query, PIT_TensorOrBuffer:$key, PIT_TensorOrBuffer:$value,
                       PIT_ListOf<[I64]>:$offsets, PIT_TensorOrBuffer:$init, I64Attr:$extent, F32Attr:$scale,
                       UnitAttr:$rounds_scores, UnitAttr:$causal, OptionalAttr<PIT_AttentionPlanAttr>:$plan);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value `sequences` `(` $offsets `:` type($offsets) `)` `outs` `(` $init `)` (`plan` $plan^)? attr-dict
    `:` type($query) `,` type($key) `,` type($value) `,` type($init) (`->` type($result)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
    bool isOnBuffers() { return ::llvm::isa<::mlir::MemRefType>(getQuery().getType()); }
  }];
}

def PIT_AttendOp : PIT_Op<"attend", [DestinationStyleOpInterface, IsolatedFromAbove,
    AttrSizedOperandSegments, SingleBlock, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "attention: softmax(logits(Q * K^T)) * V";
  let description = [{
    Iteration axes are those of the batch (batches, heads, groups of heads, in any number and order), and behind them i (queries),
    j (keys), e (what scores are summed over) and f (columns of values). With b standing for all axes of the batch:

    * score[b, i, j] is the sum over e of query[b, i, e] * key[b, j, e], in f32.
    * logit[b, i, j] is what the region yields. Its arguments are the score, one element of each of `modifiers`, and the numbers
      b, i and j as `index`. So it holds the scale, biases, soft caps, and the masks that the program applies, as data or as
      comparisons of positions.
    * out[b, i, f] is the sum over j of w[b, i, j] * value[b, j, f], where w is the softmax of the logits along j.

    * lse[b, i], if asked for, is the natural logarithm of the sum over j of exp(logit[b, i, j]), a sink among them. Gradients
      compute weights from it: w = exp(logit - lse). It is -inf for a row without a live key.

    `maps` say how axes index the operands, in the order query, key, value, modifiers, init, lse. An operand without an axis
    of the batch is repeated along it; this is how groups of queries share keys and values (GQA, MQA). A logit of -inf
    has the weight 0. Without any key, rows are 0. If all logits of a row are -inf, it is what the formula gives, NaN, or
    0 with `zero_rows`. A region may yield a `sink`, too: one more logit of the row, whose weight is part of the sum, and
    which has no value (attention sinks). Then a row without a live key is 0. An element of a dead position never has an
    influence. A NaN there, in value, key or query, is not read, or is multiplied by the weight 0 only if the program
    does so.

    Weights are rounded to the element type of `value` before the product, and divided by their sum after it. Both sums
    are in f32. Kernels may add in any fixed order.

    `plan` says how a kernel computes it. `biases` are the numbers of modifiers that are no masks: where they are added, kernels
    do not look for tiles that they kill, which takes as long as to read them once more. Results do not depend on it.

    Constraints:
    * A1: there is one map per operand, a projected permutation of at least four axes, without symbols: query has i and e, key
      j and e, value j and f, init i and f, lse i, each beside axes of the batch; init and lse have all of these; modifiers have
      neither e nor f.
    * A2: query, key and value have one element type, f64, f32, bf16 or f16; extents that share an axis agree; e and f are known;
      lse is in the type of the score.
    * A3: the region has the arguments named above, the first in f32 (f64 for f64), and yields one value of the type of the
      score, or two: a sink depends neither on the score nor on the key.
    * A4: all tensors and results of the types of `init` and `lse`, or all buffers and no result.
    * A5: `biases` are numbers of modifiers of floats, in ascending order.

    Example:
    ```mlir
    // Heads of 64, causal, the scale behind the scores.
    %o = pit.attend ins(%q, %k, %v : tensor<12x512x64xbf16>, tensor<12x512x64xbf16>, tensor<12x512x64xbf16>)
        outs(%init : tensor<12x512x64xbf16>) maps [
          affine_map<(h, i, j, e, f) -> (h, i, e)>, affine_map<(h, i, j, e, f) -> (h, j, e)>,
          affine_map<(h, i, j, e, f) -> (h, j, f)>, affine_map<(h, i, j, e, f) -> (h, i, f)>] {
      ^bb0(%score: f32, %h: index, %i: index, %j: index):
        %scale = arith.constant 0.125 : f32
        %dead = arith.constant 0xFF800000 : f32
        %scaled = arith.mulf %score, %scale : f32
        %earlier = arith.cmpi ule, %j, %i : index
        %logit = arith.select %earlier, %scaled, %dead : f32
        pit.logit %logit : f32
    } -> tensor<12x512x64xbf16>
    ```
  }];
  let arguments = (ins PIT_TensorOrBuffer:$query, PIT_TensorOrBuffer:$key, PIT_TensorOrBuffer:$value,
                       Variadic<PIT_TensorOrBuffer>:$modifiers, PIT_TensorOrBuffer:$init, Optional<PIT_TensorOrBuffer>:$lse,
                       AffineMapArrayAttr:$maps, UnitAttr:$zero_rows, OptionalAttr<PIT_AttentionPlanAttr>:$plan,
                       OptionalAttr<DenseI64ArrayAttr>:$biases);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict `ins` `(` $query `,` $key `,` $value `:` type($query) `,` type($key) `,` type($value) `)`
    (`modifiers` `(` $modifiers^ `:` type($modifiers) `)`)? `outs` `(` $init `:` type($init) `)`
    (`lse` `(` $lse^ `:` type($lse) `)`)? `maps` $maps (`plan` $plan^)? $region (`->` type($outputs)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(getOperation(), getInitNumber(), getLse() ? 2 : 1);
    }
    /// What attention gives, or null on buffers.
    ::mlir::Value getResult() { return getOutputs().empty() ? ::mlir::Value() : ::mlir::Value(getOutputs()[0]); }
    bool isOnBuffers() { return ::llvm::isa<::mlir::MemRefType>(getQuery().getType()); }

    /// Iteration axes by name.
    unsigned getNumAxes() { return getMap(0).getNumDims(); }
    unsigned getNumBatchAxes() { return getNumAxes() - 4; }
    unsigned getQueryAxis() { return getNumAxes() - 4; }
    unsigned getKeyAxis() { return getNumAxes() - 3; }
    unsigned getScoreAxis() { return getNumAxes() - 2; }
    unsigned getValueAxis() { return getNumAxes() - 1; }

    /// The map of operand `number`: query, key, value, modifiers, init, lse.
    ::mlir::AffineMap getMap(unsigned number) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getMaps()[number]).getValue();
    }
    /// The numbers of operands behind the modifiers.
    unsigned getInitNumber() { return 3 + getModifiers().size(); }
    unsigned getLseNumber() { return getInitNumber() + 1; }
    ::mlir::AffineMap getInitMap() { return getMap(getInitNumber()); }
    ::mlir::AffineMap getModifierMap(unsigned modifier) { return getMap(3 + modifier); }
    /// The dimension of operand `number` that `axis` indexes, if there is one.
    std::optional<unsigned> getDimension(unsigned number, unsigned axis);
    /// The extent of an axis; dynamic if no operand knows it.
    int64_t getAxisExtent(unsigned axis);
    /// What the region yields: the logit, and the sink or null.
    ::mlir::Value getLogit() { return getRegion().front().getTerminator()->getOperand(0); }
    ::mlir::Value getSink() {
      ::mlir::Operation *end = getRegion().front().getTerminator();
      return end->getNumOperands() > 1 ? end->getOperand(1) : ::mlir::Value();
    }
    /// Arguments of the region that a value of it depends on, each once.
    ::llvm::SmallVector<::mlir::BlockArgument> getArgumentsOf(::mlir::Value value);
    /// Arguments of the region: the score, that of a modifier, and the number of an axis of the batch, of i or of j.
    ::mlir::BlockArgument getScoreArgument() { return getRegion().getArgument(0); }
    ::mlir::BlockArgument getModifierArgument(unsigned modifier) { return getRegion().getArgument(1 + modifier); }
    ::mlir::BlockArgument getPosition(unsigned axis) {
      return getRegion().getArgument(1 + getModifiers().size() + axis);
    }
  }];
}

def PIT_LogitOp : PIT_Op<"logit", [Pure, ReturnLike, Terminator, ParentOneOf<["AttendOp", "AttendBackwardOp"]>]> {
  let summary = "ends the region of attention";
  let description = [{
    Yields a logit, and the sink of its row if there is one.

    Example:
    ```mlir
    pit.logit %logit sink %of_head : f32, f32
    ```
  }];
  let arguments = (ins AnyFloat:$value, Optional<AnyFloat>:$sink);
  let assemblyFormat = "$value (`sink` $sink^)? attr-dict `:` type($value) (`,` type($sink)^)?";
}

#endif // PIT_DIALECT_PIT_IR_PITATTENTIONOPS_TD

//===- PITAttentionBackwardOps.td - Gradients of attention -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITATTENTIONBACKWARDOPS_TD
#define PIT_DIALECT_PIT_IR_PITATTENTIONBACKWARDOPS_TD

include "PIT/Dialect/PIT/IR/PITPackedOps.td"
include "PIT/Dialect/PIT/IR/PITRowPlanAttrs.td"

def PIT_AttendBackwardOp : PIT_Op<"attend_backward", [DestinationStyleOpInterface, IsolatedFromAbove,
    AttrSizedOperandSegments, SingleBlock, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "gradients of pit.attend by query, key, value and what is added to scores";
  let description = [{
    Axes are those of `pit.attend`: axes of the batch, then i (queries), j (keys), e and f. The region yields the logit of a
    score, as that of `pit.attend` does. `gradient` is that of the result of attention, `lse` its second result, and `delta` the
    sum along f of `gradient` and the result, element by element (Dao et al., "FlashAttention", 2022).

    * score[b, i, j] is the sum over e of query[b, i, e] * key[b, j, e], and w[b, i, j] is exp(logit[b, i, j] - lse[b, i]), or 0 in
      rows whose lse is -inf, which have no live key.
    * dweight[b, i, j] is the sum over f of gradient[b, i, f] * value[b, j, f].
    * dlogit[b, i, j] is w[b, i, j] * (dweight[b, i, j] - delta[b, i]), and dscore[b, i, j] is that times the derivative of the
      logit by the score: a constant s, times 1 - t * t for each `math.tanh` t on the way (soft caps).
    * dquery[b, i, e] is the sum over j of dscore[b, i, j] * key[b, j, e].
    * dkey[b, j, e] is the sum over i of dscore[b, i, j] * query[b, i, e], and dvalue[b, j, f] that of w[b, i, j] *
      gradient[b, i, f]. Both are sums along axes of the batch, too, that keys and values lack (GQA, MQA).
    * dmodifiers are gradients by the modifiers whose numbers `gradients_of` has: the sum of dlogit times the derivative of the
      logit by the modifier, along all axes that the modifier lacks (of a bias that batches share, along batches).

    Weights, and dscore / s, are rounded to the element type of the operands before the products. Sums are in f32, in a fixed order.

    `plan` says how kernels compute it: rows of a block, and columns of a step, which are queries and keys where dquery is
    computed, and keys and queries where dkey and dvalue are.

    Constraints:
    * B1: there is one map per operand, a projected permutation of at least four axes, without symbols, in the order query, key,
      value, gradient, lse, delta, modifiers, dquery, dkey, dvalue, dmodifiers. Query and dquery have i and e, key and dkey j and
      e, value and dvalue j and f, gradient i and f, lse and delta i; modifiers have neither e nor f. Query, gradient, lse, delta
      and dquery have all axes of the batch; key, value, dkey and dvalue have the same of them; a modifier and its gradient have
      the same axes.
    * B2: query, key, value and gradient have one element type, f64, f32, bf16 or f16; lse and delta have that of the score; extents
      that share an axis agree; e and f are known.
    * B3: the region is that of `pit.attend`, without a sink. Beside what does not depend on it, its logit is the score times a
      constant, or goes through `math.tanh`; and so it is of modifiers that have gradients, which are floats.
    * B4: all tensors and results of the types of dquery, dkey, dvalue and dmodifiers, or all buffers and no result.
    * B5: `gradients_of` has a number of a modifier for each of dmodifiers, ascending.

    Example:
    ```mlir
    %dq, %dk, %dv = pit.attend_backward
        ins(%q, %k, %v, %do : tensor<12x512x64xbf16>, tensor<12x512x64xbf16>, tensor<12x512x64xbf16>, tensor<12x512x64xbf16>)
        rows(%lse, %delta : tensor<12x512xf32>, tensor<12x512xf32>)
        outs(%0, %1, %2 : tensor<12x512x64xbf16>, tensor<12x512x64xbf16>, tensor<12x512x64xbf16>) maps [
          affine_map<(h, i, j, e, f) -> (h, i, e)>, affine_map<(h, i, j, e, f) -> (h, j, e)>,
          affine_map<(h, i, j, e, f) -> (h, j, f)>, affine_map<(h, i, j, e, f) -> (h, i, f)>,
          affine_map<(h, i, j, e, f) -> (h, i)>, affine_map<(h, i, j, e, f) -> (h, i)>,
          affine_map<(h, i, j, e, f) -> (h, i, e)>, affine_map<(h, i, j, e, f) -> (h, j, e)>,
          affine_map<(h, i, j, e, f) -> (h, j, f)>] {
      ^bb0(%score: f32, %h: index, %i: index, %j: index):
        %scale = arith.constant 0.125 : f32
        %logit = arith.mulf %score, %scale : f32
        pit.logit %logit : f32
    } -> tensor<12x512x64xbf16>, tensor<12x512x64xbf16>, tensor<12x512x64xbf16>
    ```
  }];
  let arguments = (ins PIT_TensorOrBuffer:$query, PIT_TensorOrBuffer:$key, PIT_TensorOrBuffer:$value,
                       PIT_TensorOrBuffer:$gradient, PIT_TensorOrBuffer:$lse, PIT_TensorOrBuffer:$delta,
                       Variadic<PIT_TensorOrBuffer>:$modifiers, PIT_TensorOrBuffer:$dquery, PIT_TensorOrBuffer:$dkey,
                       PIT_TensorOrBuffer:$dvalue, Variadic<PIT_TensorOrBuffer>:$dmodifiers, AffineMapArrayAttr:$maps,
                       OptionalAttr<DenseI64ArrayAttr>:$gradients_of, OptionalAttr<PIT_AttentionPlanAttr>:$plan);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict `ins` `(` $query `,` $key `,` $value `,` $gradient `:` type($query) `,` type($key) `,` type($value) `,`
    type($gradient) `)` `rows` `(` $lse `,` $delta `:` type($lse) `,` type($delta) `)`
    (`modifiers` `(` $modifiers^ `:` type($modifiers) `)`)?
    `outs` `(` $dquery `,` $dkey `,` $dvalue `:` type($dquery) `,` type($dkey) `,` type($dvalue) `)`
    (`dmodifiers` `(` $dmodifiers^ `:` type($dmodifiers) `)` `of` $gradients_of)? `maps` $maps (`plan` $plan^)? $region (`->` type($outputs)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(getOperation(), getFirstInit(), 3 + getDmodifiers().size());
    }
    bool isOnBuffers() { return ::llvm::isa<::mlir::MemRefType>(getQuery().getType()); }

    /// Operands by number: the first four are inputs of products; modifiers follow lse and delta.
    static constexpr unsigned kGradient = 3, kLse = 4, kDelta = 5, kFirstModifier = 6;
    unsigned getFirstInit() { return kFirstModifier + getModifiers().size(); }

    /// Iteration axes by name.
    unsigned getNumAxes() { return getMap(0).getNumDims(); }
    unsigned getNumBatchAxes() { return getNumAxes() - 4; }
    unsigned getQueryAxis() { return getNumAxes() - 4; }
    unsigned getKeyAxis() { return getNumAxes() - 3; }
    unsigned getScoreAxis() { return getNumAxes() - 2; }
    unsigned getValueAxis() { return getNumAxes() - 1; }

    ::mlir::AffineMap getMap(unsigned number) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getMaps()[number]).getValue();
    }
    /// The dimension of operand `number` that `axis` indexes, if there is one.
    std::optional<unsigned> getDimension(unsigned number, unsigned axis);
    /// The extent of an axis; dynamic if no operand knows it.
    int64_t getAxisExtent(unsigned axis);
    ::mlir::BlockArgument getScoreArgument() { return getRegion().getArgument(0); }
    ::mlir::Value getLogit() { return getRegion().front().getTerminator()->getOperand(0); }
    ::mlir::BlockArgument getModifierArgument(unsigned modifier) { return getRegion().getArgument(1 + modifier); }
    /// The modifier that the gradient behind dvalue with this number is of.
    unsigned getModifierOf(unsigned gradient) { return (*getGradientsOf())[gradient]; }
    /// The derivative of the logit by an argument of the region, or nothing if it is none of this form.
    std::optional<LogitSlope> getSlopeBy(::mlir::Value argument);
    std::optional<LogitSlope> getSlope() { return getSlopeBy(getScoreArgument()); }
  }];
}

#endif // PIT_DIALECT_PIT_IR_PITATTENTIONBACKWARDOPS_TD

//===- PITAttentionOps.td - Attention by sequences ---------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITATTENTIONOPS_TD
#define PIT_DIALECT_PIT_IR_PITATTENTIONOPS_TD

include "PIT/Dialect/PIT/IR/PITPackedOps.td"
include "PIT/Dialect/PIT/IR/PITRowPlanAttrs.td"

def PIT_AttendOp : PIT_Op<"attend", [DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "softmax(scale * Q * K^T) * V of each sequence on its own";
  let description = [{
    All of `query`, `key`, `value` and `init` are packed, [rows, heads, width], and rows `offsets[s]` to `offsets[s + 1]` - 1
    are those of sequence s, at most `extent`. Each row becomes, head by head, the sum of the rows of V of its sequence,
    weighted by the softmax of its scores with the rows of K. Scores are sums in f32, rounded to the element type of the
    operands first with `rounds_scores`, then multiplied by `scale`. With `causal`, a row weighs those rows of its sequence alone
    that come before it, and itself. Rows behind the last sequence stay as they are.

    `plan` says how a kernel computes it.

    Weights are rounded to the element type before they are divided by their sum; both sums are those of f32.

    Constraints:
    * S1: the packed operands have one shape, with known heads and width, and one element type, bf16 or f16.
    * S2: `extent` is positive.
    * S3: all tensors and a result of the type of `init`, or all buffers and no result.

    Example:
    ```mlir
    pit.attend %q, %k, %v sequences(%offsets : memref<9xi64>) outs(%o)
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

#endif // PIT_DIALECT_PIT_IR_PITATTENTIONOPS_TD

//===- PITDetectOps.td - What finds live micro-tiles -------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITDETECTOPS_TD
#define PIT_DIALECT_PIT_IR_PITDETECTOPS_TD

include "PIT/Dialect/PIT/IR/PITOpBase.td"

def PIT_DetectOp : PIT_Op<"detect", [Pure, AttrSizedOperandSegments]> {
  let summary = "builds the index of live micro-tiles";
  let description = [{
    Reads the pattern. Lists, for each segment and in ascending order, the micro-tiles that contain a live point. A
    micro-tile that reaches over the end of the tensor is cut there. The coordinate dimension of the result is the
    PIT-axis that is listed.

    `extents` gives the dynamic extents of the pattern space, in order. `source` is the tensor whose values
    are tested (kind `values`); `by` is the pattern's tensor otherwise.

    With `at_most = n`, the capacity of the index is n micro-tiles per row. If more are live, the surplus is dropped,
    and the sticky overflow status of the runtime is set. With `at_most = 1` and single rows as coordinates, a row that
    is listed twice sets the status as well.

    Constraints:
    * D1: exactly one of `source` and `by` is given, `source` for `values`.
    * D2: the index has the rank, the micro-tile and the static extents of the pattern. For `lengths` it may have one
      dimension instead, the positions of all sequences one after another, in micro-tiles of one.
    * D3: there is one operand in `extents` per dynamic extent of the index.

    Example:
    ```mlir
    %idx = pit.detect values(%gate : tensor<?x8xf32>) extents(%t)
             <kind = values, axes = [0, 1], at_most = 2>
             : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
    ```
  }];
  let arguments = (ins Optional<AnyRankedTensor>:$source, Optional<AnyRankedTensor>:$by,
                       Variadic<Index>:$extents, PIT_PatternAttr:$pattern,
                       OptionalAttr<I64Attr>:$rule);
  let results = (outs PIT_IndexType:$index);
  let assemblyFormat = [{
    (`values` `(` $source^ `:` type($source) `)`)? (`by` `(` $by^ `:` type($by) `)`)?
    (`extents` `(` $extents^ `)`)? $pattern (`rule` $rule^)? attr-dict `:` type($index)
  }];
  let hasVerifier = 1;
}

def PIT_DetectIntoOp : PIT_Op<"detect_into", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "detects live micro-tiles into given lists";
  let description = [{
    The destination-style form of `pit.detect`, on tensors or on buffers. It writes the lists of an index of type
    `index_type` to `offsets` and `coords`, from which `pit.assemble` makes the index. Back ends with detection kernels
    convert this op as a whole.

    The capacity is the extent of `coords`. If more micro-tiles are live, the surplus is dropped, offsets stop at the
    capacity, and the sticky overflow status of the runtime is set. Entries of `coords` behind the count are
    unspecified. A length below 0, or beyond its sequence, sets the status as well, and counts as 0 or as the whole
    sequence.

    Constraints:
    * D1 to D3 are those of `pit.detect`.
    * D4: `coords` has the index's coordinate width; a static extent of `offsets` is the number of segments plus one.
    * D5: all tensors and results of the lists' types, or all buffers and no results.

    Example:
    ```mlir
    pit.detect_into values(%gate : memref<?x8xf32>) extents(%t) outs(%offsets, %coords : memref<9xi64>, memref<?xi32>)
      <kind = values, axes = [0, 1], at_most = 2> : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
    ```
  }];
  let arguments = (ins Optional<PIT_TensorOrBuffer>:$source, Optional<PIT_TensorOrBuffer>:$by,
                       Variadic<Index>:$extents, PIT_ListOf<[I64]>:$offsets, PIT_ListOf<[I32, I64]>:$coords,
                       PIT_PatternAttr:$pattern, TypeAttrOf<PIT_IndexType>:$index_type,
                       OptionalAttr<I64Attr>:$rule);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    (`values` `(` $source^ `:` type($source) `)`)? (`by` `(` $by^ `:` type($by) `)`)?
    (`extents` `(` $extents^ `)`)? `outs` `(` $offsets `,` $coords `:` type($offsets) `,` type($coords) `)`
    $pattern (`rule` $rule^)? attr-dict `:` $index_type (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(getOperation(), getNumOperands() - 2, 2);
    }
    /// The tensor or buffer that the pattern is read from.
    ::mlir::Value getPatternSource() { return getSource() ? getSource() : getBy(); }
  }];
}

#endif // PIT_DIALECT_PIT_IR_PITDETECTOPS_TD

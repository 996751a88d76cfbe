//===- PITBitmapOps.td - Indexes as bits -------------------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITBITMAPOPS_TD
#define PIT_DIALECT_PIT_IR_PITBITMAPOPS_TD

include "PIT/Dialect/PIT/IR/PITOps.td"

def PIT_DetectBitsIntoOp : PIT_Op<"detect_bits_into", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "detects live micro-tiles into a given bitmap";
  let description = [{
    Like `pit.detect_into`, but writes a bitmap, for kernels that walk bits. `bitmap` has W words for each segment of an
    index of type `index_type`, row-major. W is the number of micro-tiles along the coordinate divided by 32, rounded
    up. Bit c % 32 of word c / 32 says whether micro-tile c is live. Bits behind the last micro-tile, and words behind
    the last segment, are 0. There is no capacity: any number of micro-tiles may be live.

    Constraints:
    * D1 to D3 are those of `pit.detect`.
    * D6: `bitmap` is as long as all words together, or longer.

    Example:
    ```mlir
    pit.detect_bits_into values(%a : memref<256x512xbf16>) outs(%words : memref<8xi32>)
      <kind = values, axes = [0, 1], tile = [32, 64]> : !pit.index<[256, 512], coordinate = 1, tile = [32, 64], width = 32>
    ```
  }];
  let arguments = (ins Optional<AnyStridedMemRef>:$source, Optional<AnyStridedMemRef>:$by, Variadic<Index>:$extents,
                       MemRefRankOf<[I32], [1]>:$bitmap, PIT_PatternAttr:$pattern, TypeAttrOf<PIT_IndexType>:$index_type,
                       OptionalAttr<I64Attr>:$rule);
  let assemblyFormat = [{
    (`values` `(` $source^ `:` type($source) `)`)? (`by` `(` $by^ `:` type($by) `)`)?
    (`extents` `(` $extents^ `)`)? `outs` `(` $bitmap `:` type($bitmap) `)` $pattern (`rule` $rule^)? attr-dict
    `:` $index_type
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The buffer that the pattern is read from.
    ::mlir::Value getPatternSource() { return getSource() ? getSource() : getBy(); }
  }];
}

#endif // PIT_DIALECT_PIT_IR_PITBITMAPOPS_TD

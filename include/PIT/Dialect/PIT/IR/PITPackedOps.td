//===- PITPackedOps.td - Packed micro-tiles ----------------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITPACKEDOPS_TD
#define PIT_DIALECT_PIT_IR_PITPACKEDOPS_TD

include "PIT/Dialect/PIT/IR/PITBitmapOps.td"

def PIT_DetectPackedIntoOp : PIT_Op<"detect_packed_into", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "detects live micro-tiles of a matrix and packs them";
  let description = [{
    What `pit.detect_into` is for lists, for kernels that multiply packed values: `source` [m, k] is read once. A strip is
    the R rows of a micro-tile, a part of it 1024 k; lists are those of the parts of a strip, strip by strip, and each of
    them has room for all of its k. Of list l, `counts[l]` says how many k are in live micro-tiles, `coords[1024 * l + i]`
    the i-th of them, ascending, and entry i of `values`, R elements from `(1024 * l + i) * R` on, holds the strip's values
    there. Entries behind the last one, up to the next multiple of 32, are zero, their k, too, of which there are 32 at least;
    rows behind the last one are zero. Chunk c of
    8 elements of entry i lies where chunk `c xor (i * R / 64) mod (R / 8)` would: so shared memory has it for the matrix
    units, in the swizzle of 2 R bytes, without permuting anything on the way.

    What is live are micro-tiles whose values are not all zero, or those that the mask `by` names; of the others nothing is read
    then. No capacity limits what is live. Given `most_live`, a sample of some places is taken first, the same in all blocks and
    spread over all of `source`. If more than `most_live`/256 of its micro-tiles are live, no list is written, and all counts
    are 2^20. The product then multiplies everything. With a mask, the sample is of the mask.

    Constraints:
    * D1 to D3 are those of `pit.detect`.
    * D7: the pattern is one of values whose absent value is zero, or of blocks if `by` is given, which is contiguous; R is 16, 32 or 64, and micro-tiles have 1, 2, 4, 8 or 16 k
      and are listed along k; `source` and `values` have one element type, bf16 or f16; `most_live` is from 0 to 256.
    * D8: lists are as long as all of them together, or longer.

    Example:
    ```mlir
    pit.detect_packed_into %a : memref<64x2048xbf16> outs(%counts, %coords, %values :
        memref<4xi32>, memref<4096xi32>, memref<131072xbf16>)
      <kind = values, axes = [0, 1], tile = [32, 1]> : !pit.index<[64, 2048], coordinate = 1, tile = [32, 1], width = 32>
    ```
  }];
  let arguments = (ins AnyStridedMemRef:$source, Optional<MemRefRankOf<[I1], [2]>>:$by, Variadic<Index>:$extents, MemRefRankOf<[I32], [1]>:$counts,
                       MemRefRankOf<[I32], [1]>:$coords, MemRefRankOf<[BF16, F16], [1]>:$values,
                       PIT_PatternAttr:$pattern, TypeAttrOf<PIT_IndexType>:$index_type, OptionalAttr<I64Attr>:$rule,
                       OptionalAttr<I64Attr>:$most_live);
  let assemblyFormat = [{
    $source `:` type($source) (`by` `(` $by^ `:` type($by) `)`)? (`extents` `(` $extents^ `)`)?
    `outs` `(` $counts `,` $coords `,` $values `:` type($counts) `,` type($coords) `,` type($values) `)`
    $pattern (`rule` $rule^)? (`most_live` $most_live^)? attr-dict `:` $index_type
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The buffer that the pattern is read from.
    ::mlir::Value getPatternSource() { return getBy() ? getBy() : getSource(); }
  }];
}

#endif // PIT_DIALECT_PIT_IR_PITPACKEDOPS_TD

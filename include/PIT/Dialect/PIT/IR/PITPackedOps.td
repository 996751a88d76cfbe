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
    Like `pit.detect_into`, but packs the live values themselves, for kernels that multiply packed values. `source` [m,
    k] is read once. A strip is the R rows of a micro-tile, and a part is 1024 k of a strip. Each part has one list,
    with room for all of its k. Lists are in the order of strips, then of parts.
    * `counts[l]` is the number of k of list l that are in live micro-tiles.
    * `coords[1024 * l + i]` is the i-th of these k, in ascending order.
    * Entry i of `values` has R elements from `(1024 * l + i) * R` on: the strip's values at that k.
    * Entries behind the last one are zero, and so are their k, up to the next multiple of 32, and up to 32 at least.
      Rows behind the last one of `source` are zero.
    * Chunk c of 8 elements of entry i is stored as chunk `c xor (i * R / 64) mod (R / 8)`. That is the swizzle of 2 R
      bytes that matrix units read from shared memory, so that copies need no permutation.

    A micro-tile is live if one of its values is not zero, or if the mask `by` says so. With a mask, dead micro-tiles
    are not read. There is no capacity: any number of micro-tiles may be live. With `most_live`, all blocks first look
    at the same sample, spread over all of `source`, or over the mask if there is one. If more than `most_live`/256 of
    the micro-tiles in the sample are live, no list is written, all counts are 2^20, and the product multiplies
    everything.

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

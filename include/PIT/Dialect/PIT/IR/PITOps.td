//===- PITOps.td - Operations of the pit dialect -----------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITOPS_TD
#define PIT_DIALECT_PIT_IR_PITOPS_TD

include "PIT/Dialect/PIT/IR/PITOpBase.td"

//===----------------------------------------------------------------------===//
// Level 1: where sparsity comes from
//===----------------------------------------------------------------------===//

def PIT_SparseOp : PIT_Op<"sparse", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "marks a tensor as sparse, by value";
  let description = [{
    Returns `source` with every element outside the pattern replaced by the pattern's absent value. The
    op has value semantics: replacing it by a select gives the dense reference of the program
    (`--pit-lower-sparse`), so it constrains what later ops may skip without changing what they mean.

    `by` is the tensor that the pattern is read from. Its shape depends on the kind:

    | kind | `by` | live where |
    |---|---|---|
    | `values` | none | `source != absent`; -0.0 counts as zero, NaN is live |
    | `mask` | `i1`, extents of the pattern space | true |
    | `lengths` | integer, `[B]` | `pos < len[b]` (`pad = right`), `pos >= L - len[b]` (`pad = left`) |
    | `routing` | number, extents of the pattern space | not zero |
    | `blocks` | `i1`, ceil(extent / tile) per axis | the block's bit is true |

    Constraints:
    * C1: `by` is given exactly when the kind is not `values`.
    * C2: the axes of the pattern are dimensions of `source`.
    * C3: `by` has the rank of the pattern space (1 for `lengths`) and the element type of its kind.
    * C4: static extents of `by` and `source` agree.
    * C5: `neg_inf` needs a floating-point element type.
    * C6: elements are integers, indices or floats.

    Example:
    ```mlir
    %s = pit.sparse %x by(%len : tensor<8xi64>)
           <kind = lengths, axes = [0, 1], absent = undef> : tensor<8x128x768xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, Optional<AnyRankedTensor>:$by,
                       PIT_PatternAttr:$pattern);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source (`by` `(` $by^ `:` type($by) `)`)? $pattern attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Level 2: indexes
//===----------------------------------------------------------------------===//

// `pit.detect` and `pit.detect_into`; here, as the reference keeps this order.
include "PIT/Dialect/PIT/IR/PITDetectOps.td"
include "PIT/Dialect/PIT/IR/PITRowPlanAttrs.td"

def PIT_AssembleOp : PIT_Op<"assemble", [Pure]> {
  let summary = "makes an index of offsets and coordinates";
  let description = [{
    The inverse of `pit.offsets` and `pit.coords`. The caller promises ascending offsets, and coordinates that ascend
    strictly inside each segment. The first offset may be above zero, if there are several segments: positions below it
    belong to none, as where a rank of several has some of the segments of a list. Lowering of detection creates this op, and programs that bring an index of their own
    use it. On buffers it copies nothing.

    Constraints:
    * A1: `coords` has the index's coordinate width as element type.
    * A2: there is one operand in `extents` per dynamic extent of the index.
    * A3: tensors make a `!pit.index`, buffers a `!pit.index_buffer`.
  }];
  let arguments = (ins PIT_ListOf<[I64]>:$offsets, PIT_ListOf<[I32, I64]>:$coords,
                       Variadic<Index>:$extents);
  let results = (outs PIT_AnyIndex:$index);
  let assemblyFormat = [{
    $offsets `,` $coords (`extents` `(` $extents^ `)`)? attr-dict
    `:` type($offsets) `,` type($coords) `->` type($index)
  }];
  let hasVerifier = 1;
}

def PIT_OffsetsOp : PIT_Op<"offsets", [Pure]> {
  let summary = "the segment offsets of an index, in micro-tiles";
  let description = [{
    `offsets[s]` is the position of the first micro-tile of segment `s`; the last entry is the count. The list belongs to
    the index and must not be written.
  }];
  let arguments = (ins PIT_AnyIndex:$index);
  let results = (outs PIT_ListOf<[I64]>:$offsets);
  let assemblyFormat = "$index attr-dict `:` type($index) `->` type($offsets)";
  let hasFolder = 1;
}

def PIT_CoordsOp : PIT_Op<"coords", [Pure]> {
  let summary = "the coordinates of an index, in micro-tiles";
  let description = [{
    Entries beyond the count are unspecified. The list belongs to the index and must not be written.
  }];
  let arguments = (ins PIT_AnyIndex:$index);
  let results = (outs PIT_ListOf<[I32, I64]>:$coords);
  let assemblyFormat = "$index attr-dict `:` type($index) `->` type($coords)";
  let hasFolder = 1;
}

def PIT_ExtentOp : PIT_Op<"extent", [Pure]> {
  let summary = "an extent of an index's pattern space, in elements";
  let description = [{
    Constraints:
    * E1: `dim` is a dimension of the pattern space.

    Example: `%t = pit.extent %idx[0] : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>`
  }];
  let arguments = (ins PIT_AnyIndex:$index, I64Attr:$dim);
  let results = (outs Index:$extent);
  let assemblyFormat = "$index `[` $dim `]` attr-dict `:` type($index)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def PIT_InvertOp : PIT_Op<"invert", [Pure]> {
  let summary = "lists, per coordinate, the positions at which it is listed";
  let description = [{
    The inverse of an index of single elements. Its segments are the values of the coordinate of `source`. Segment `c`
    lists the packed positions, over all segments of `source`, at which `c` is listed. They ascend, which is the order
    of segments of `source`. Dimension 0 of the result's pattern space is the coordinate of `source`. Dimension 1 is the
    one that is listed: the packed dimension of tensors that `source` packs. Positions beyond the extent of that
    dimension are left out.

    A sum over segments can run over the inverse row by row. Over `source`, several segments would add to the same row.

    `extents` gives the dynamic extents of the result, in order.

    Constraints:
    * V1: micro-tiles of `source` are single elements.
    * V2: the result has two dimensions, micro-tiles of single elements and coordinate 1; its first extent agrees with
      that of the coordinate of `source`.
    * V3: there is one operand in `extents` per dynamic extent of the result.

    Example:
    ```mlir
    // From tokens per expert to the packed rows of each token.
    %inverse = pit.invert %idx extents(%t, %n)
      : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
      -> !pit.index<[?, ?], coordinate = 1, tile = [1, 1], width = 32>
    ```
  }];
  let arguments = (ins PIT_IndexType:$source, Variadic<Index>:$extents);
  let results = (outs PIT_IndexType:$index);
  let assemblyFormat = [{
    $source (`extents` `(` $extents^ `)`)? attr-dict `:` type($source) `->` type($index)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def PIT_InvertIntoOp : PIT_Op<"invert_into", [
    DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "inverts an index into given lists";
  let description = [{
    The destination-style form of `pit.invert`, on tensors or on buffers. It writes the lists of the inverse of
    `source`. `offsets` has one entry more than there are coordinates. The extent of `coords` is its capacity; entries
    behind the count are unspecified. Back ends with kernels for inversion convert this op as a whole.

    Constraints:
    * V1 is that of `pit.invert`.
    * V4: a static extent of `offsets` is the coordinate's extent plus one.
    * V5: all tensors and results of the lists' types, or all buffers and no results.

    Example:
    ```mlir
    pit.invert_into %idx outs(%offsets, %coords : memref<?xi64>, memref<?xi32>)
      : !pit.index_buffer<!pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>>
    ```
  }];
  let arguments = (ins PIT_AnyIndex:$source, PIT_ListOf<[I64]>:$offsets, PIT_ListOf<[I32, I64]>:$coords);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $source `outs` `(` $offsets `,` $coords `:` type($offsets) `,` type($coords) `)` attr-dict
    `:` type($source) (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(getOperation(), 1, 2);
    }
    bool isOnBuffers() { return ::llvm::isa<IndexBufferType>(getSource().getType()); }
    /// The type of the index that is inverted, whether it lies in a tensor or a buffer.
    SparseIndexType getSourceType();
  }];
}

//===----------------------------------------------------------------------===//
// Level 2 and 3: moving data through an index
//===----------------------------------------------------------------------===//

/// Methods of SubsetOpInterface that reads and writes through an index share.
defvar PIT_SubsetMethods = DeclareOpInterfaceMethods<SubsetOpInterface, ["operatesOnEquivalentSubset",
                                                                         "operatesOnDisjointSubset"]>;

def PIT_SReadOp : PIT_Op<"sread", [
    Pure, AttrSizedOperandSegments, PIT_SubsetMethods,
    DeclareOpInterfaceMethods<SubsetExtractionOpInterface, ["getSourceOperand"]>]> {
  let summary = "gathers micro-tiles into a packed tensor";
  let description = [{
    SRead of the PIT paper. `dims[i]` is the dimension of `source` that dimension `i` of the pattern space
    indexes, or -1 where `source` does not have it. In the result all indexed dimensions are replaced by one
    packed dimension, at the place of the first of them; packed position `p` holds the data at the p-th
    listed element. Indexed segment dimensions whose micro-tile is larger than 1 keep the micro-tile's extent, right
    behind the packed dimension.

    Without `tile` the whole index is read, segment after segment, and the packed extent is a capacity:
    lanes beyond the count are unspecified. With `tile(%lo, %size)` only positions `lo .. lo + size` are
    read, and segment dimensions must be -1: the caller has sliced `source` to one segment.

    Constraints:
    * R1: one entry of `dims` per dimension of the index; the coordinate's is not -1.
    * R2: entries other than -1 are distinct dimensions of `source`.
    * R3: the result has the packed form of `source`, and its other extents agree with those of `source`.
    * R4: `tile` has exactly two operands, and its segment dimensions are -1.

    Example: `%p = pit.sread %x[%idx] dims = [0, 1] : tensor<8x128x64xf32>, !pit.index<...> -> tensor<1024x64xf32>`
  }];
  let arguments = (ins AnyRankedTensor:$source, PIT_IndexType:$index, Variadic<Index>:$tile,
                       Variadic<Index>:$result_extents, DenseI64ArrayAttr:$dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `[` $index `]` (`tile` `(` $tile^ `)`)? (`sizes` `(` $result_extents^ `)`)?
    `dims` `=` $dims attr-dict `:` type($source) `,` type($index) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def PIT_SWriteOp : PIT_Op<"swrite", [
    Pure, DestinationStyleOpInterface, AllTypesMatch<["dest", "result"]>, PIT_SubsetMethods,
    DeclareOpInterfaceMethods<SubsetInsertionOpInterface, ["getSourceOperand", "buildSubsetExtraction",
                                                           "getValuesNeededToBuildSubsetExtraction"]>]> {
  let summary = "scatters a packed tensor into a destination";
  let description = [{
    SWrite of the PIT paper, the inverse of `pit.sread`: packed position `p` of `source` goes to the p-th
    listed element of `dest`. Untouched elements keep the destination. Mode `store` overwrites, `accumulate`
    adds, in ascending order of segments, so that sums are deterministic. Where an element is listed in several
    segments, the last one is stored.

    To upstream's subset interfaces a store is the insertion at the elements that `pit.sread` extracts through the
    same index, dimensions and tile, where no element is listed twice.

    Constraints: W1 to W4 are R1 to R4 with `dest` for `source`.

    Example: `%y = pit.swrite %p into %init[%idx] store dims = [0, 1] : tensor<1024x64xf32>, tensor<8x128x64xf32>, !pit.index<...>`
  }];
  let arguments = (ins AnyRankedTensor:$source, AnyRankedTensor:$dest, PIT_IndexType:$index,
                       Variadic<Index>:$tile, PIT_WriteModeAttr:$mode, DenseI64ArrayAttr:$dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `into` $dest `[` $index `]` (`tile` `(` $tile^ `)`)? $mode
    `dims` `=` $dims attr-dict `:` type($source) `,` type($dest) `,` type($index)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDestMutable(); }
  }];
}

//===----------------------------------------------------------------------===//
// Level 2: structured sparse ops
//===----------------------------------------------------------------------===//

def PIT_GenericOp : PIT_Op<"generic", [AttrSizedOperandSegments, DestinationStyleOpInterface, Pure,
                                       SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "structured op over the live points of an index";
  let description = [{
    A `linalg.generic` whose iteration space is restricted: iteration axes `index_axes[i]` run, together, only
    over the points of `index` (dimension `i` of the pattern space). Every other axis runs densely. Maps,
    iterator types and region are those of the dense op, so the op means what the dense op means with the
    points outside the index left out.

    Operand `o` with `packed[o]` is stored packed. One packed dimension replaces the dimensions indexed by `index_axes`, at the
    place of the first of them. Segment dimensions with a micro-tile larger than 1 keep an extent of one micro-tile right after
    it.

    `also` names further indexes: the iteration axes `further_axes[k]` run only over the points of
    `further_indexes[k]`, too, independently of the others. Such points leave the outputs as they are, and no operand
    is packed along them: what they skip is skipped inside each tile of `index`.

    Constraints:
    * G1: there is one map per operand, over the iteration axes, that uses each index axis at most once and only as a
      plain dimension; other axes may be used in any way.
    * G2: one `index_axes` entry per dimension of the index, all distinct iteration axes.
    * G3: a packed operand's map uses every axis in `index_axes`.
    * G4: the operand's rank agrees with its map, or with its packed form.
    * G5: the region has one scalar argument per operand and yields one value per output.
    * G6: there is one row of `further_axes` per further index, with one entry per dimension of it; all index axes are
      distinct.

    Example:
    ```mlir
    %h = pit.generic {indexing_maps = [#x, #w, #h], iterator_types = [...], index_axes = array<i64: 0, 1>,
                      packed = array<i1: false, false, true>}
           over(%idx : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>)
           ins(%x, %w1 : tensor<?x64xf32>, tensor<8x64x256xf32>) outs(%init : tensor<?x256xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        ...
    } -> tensor<?x256xf32>
    ```
  }];
  let arguments = (ins PIT_IndexType:$index, Variadic<PIT_IndexType>:$further_indexes,
                       Variadic<AnyRankedTensor>:$inputs, Variadic<AnyRankedTensor>:$outputs,
                       AffineMapArrayAttr:$indexing_maps, ArrayAttr:$iterator_types,
                       DenseI64ArrayAttr:$index_axes, DenseBoolArrayAttr:$packed,
                       OptionalAttr<ArrayAttr>:$further_axes, OptionalAttr<I64Attr>:$rule,
                       OptionalAttr<DenseI64ArrayAttr>:$further_rules);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict `over` `(` $index `:` type($index) `)`
    (`also` `(` $further_indexes^ `:` type($further_indexes) `)`)?
    (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outputs `:` type($outputs) `)` $region
    `->` type($results)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
    ::llvm::SmallVector<::mlir::AffineMap> getIndexingMapsArray();
    ::llvm::SmallVector<::mlir::utils::IteratorType> getIteratorTypesArray();
    unsigned getNumLoops() { return getIteratorTypes().size(); }
    /// The iteration axes of further index `i`, one per dimension of it.
    ::llvm::ArrayRef<int64_t> getFurtherIndexAxes(unsigned i);
  }];
}

//===----------------------------------------------------------------------===//
// Level 3: tiles
//===----------------------------------------------------------------------===//

def PIT_TiledOp : PIT_Op<"tiled", [
    AttrSizedOperandSegments, DestinationStyleOpInterface, SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a rule cut into dense tiles";
  let description = [{
    Runs its region once per dense tile of the domain. The domain is the list of `index`, cut into tiles of at
    most `tile_size` packed elements: inside each segment, or across segments (`flat`) when no operand
    depends on the segment alone. Back ends take the op whole; `--pit-expand-tiles` makes loops of it.

    Region argument `o` is the tile of operand `o`. `dims` holds, per operand, one entry per dimension of
    the pattern space: the operand's dimension, or -1.
    * *packed* operands (their row names the dimensions of the packed form): the slice of the tile's packed
      positions;
    * operands with the coordinate dimension: gathered by `pit.sread`, segment dimensions sliced;
    * operands with segment dimensions only: the segment's slice (micro-tile extent, dropped when 1);
    * others: the whole operand.

    The region yields one tile per output, which is stored where it came from: packed or segment slices are
    replaced, and gathered ones are scattered by `pit.swrite`. An output tile is read before it is written,
    so a reduction over the coordinate or across segments continues in ascending order.

    On buffers the operands are memrefs, the index is a `!pit.index_buffer`, region arguments are memrefs, too, and the
    region leaves its result in the tiles of the outputs and yields nothing.

    Constraints:
    * T1: `dims` has one row per operand, each with one entry per dimension of the index: distinct dimensions of the
      operand, or -1.
    * T2: `packed` has one entry per operand; `tile_size` is positive.
    * T3: a `flat` domain has no operand that is indexed by a segment dimension, unless it is packed.
    * T4: the region has one argument per operand, of its kind and element type, and yields one tensor per output, or
      nothing on buffers.
    * T5: the index and all operands are tensors, or all of them are buffers.
    * T6: a `plan` says how a kernel computes the op. It stands on buffers, as passes on tensors still fuse the op with others.
      Its family is one of lists: not `fill`, and without a group.
  }];
  let arguments = (ins PIT_AnyIndex:$index, Variadic<PIT_TensorOrBuffer>:$inputs,
                       Variadic<PIT_TensorOrBuffer>:$outputs, ArrayAttr:$dims,
                       DenseBoolArrayAttr:$packed, I64Attr:$tile_size, UnitAttr:$flat,
                       OptionalAttr<I64Attr>:$rule, OptionalAttr<PIT_RowPlanAttr>:$plan);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    (`flat` $flat^)? `tile` $tile_size (`plan` $plan^)? attr-dict `over` `(` $index `:` type($index) `)`
    (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outputs `:` type($outputs) `)` $region
    (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
    /// The type of the index, whether it lies in a tensor or a buffer.
    SparseIndexType getIndexType();
    bool isOnBuffers() { return ::llvm::isa<IndexBufferType>(getIndex().getType()); }
    /// Dimensions of operand `i` per dimension of the pattern space, -1 where it has none.
    ::llvm::ArrayRef<int64_t> getOperandDims(unsigned i);
  }];
  // Without a plan.
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::Value":$index, "::mlir::ValueRange":$inputs,
                   "::mlir::ValueRange":$outputs, "::mlir::ArrayAttr":$dims, "::llvm::ArrayRef<bool>":$packed,
                   "uint64_t":$tile_size, "bool":$flat, "::mlir::IntegerAttr":$rule), [{
      build($_builder, $_state, results, index, inputs, outputs, dims, packed, tile_size, flat, rule,
            ::mlir::pit::RowPlanAttr());
    }]>,
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::Value":$index, "::mlir::ValueRange":$inputs,
                   "::mlir::ValueRange":$outputs, "::mlir::ArrayAttr":$dims, "::mlir::DenseBoolArrayAttr":$packed,
                   "::mlir::IntegerAttr":$tile_size, "::mlir::UnitAttr":$flat, "::mlir::IntegerAttr":$rule), [{
      build($_builder, $_state, results, index, inputs, outputs, dims, packed, tile_size, flat, rule,
            ::mlir::pit::RowPlanAttr());
    }]>
  ];
}

def PIT_YieldOp : PIT_Op<"yield", [Pure, ReturnLike, Terminator,
                                   ParentOneOf<["GenericOp", "TiledOp", "ContractOp"]>]> {
  let summary = "ends the region of a structured pit op";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

#endif // PIT_DIALECT_PIT_IR_PITOPS_TD

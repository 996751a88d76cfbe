//===- PITTypes.td - Types of the pit dialect --------------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITTYPES_TD
#define PIT_DIALECT_PIT_IR_PITTYPES_TD

include "mlir/Dialect/Bufferization/IR/BufferizationTypeInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "PIT/Dialect/PIT/IR/PITEnums.td"

def PIT_IndexType : TypeDef<PIT_Dialect, "SparseIndex", [
    DeclareTypeInterfaceMethods<Bufferization_TensorLikeTypeInterface>]> {
  let mnemonic = "index";
  let summary = "run-time list of live micro-tiles";
  let description = [{
    An index holds, for every *segment*, the coordinates of the micro-tiles that are live, in ascending
    order and without repetition:

    ```
    offsets[S + 1] : i64      // entries of segment s are offsets[s] .. offsets[s + 1]
    coords[capacity] : iW     // coordinate along the PIT-axis, in micro-tiles
    ```

    `extents` are the extents of the pattern space in elements (`?` when dynamic). `coordinate` names the
    dimension of the pattern space whose micro-tiles are listed (the PIT-axis); the other dimensions,
    in order, number the segments, row-major. `tile` is the micro-tile. `width` is the bit width of a
    coordinate.

    Constraints:
    * I1: `extents` and `tile` have the same, positive number of entries.
    * I2: `coordinate` is a dimension of the pattern space.
    * I3: every entry of `tile` is positive.
    * I4: `width` is 32 or 64.

    Example: `!pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>` lists tokens per expert.
  }];
  let parameters = (ins
    "DenseI64ArrayAttr":$extents,
    "int64_t":$coordinate,
    "DenseI64ArrayAttr":$tile,
    DefaultValuedParameter<"int64_t", "32">:$width
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return getExtents().size(); }
    bool isDynamicExtent(unsigned i) const;
    unsigned getNumDynamicExtents() const;
    /// Dimensions of the pattern space other than the coordinate, ascending: the segments.
    ::llvm::SmallVector<int64_t> getSegmentDims() const;
    /// Micro-tile extent along the coordinate.
    int64_t getCoordinateTile() const { return getTile()[getCoordinate()]; }
  }];
}

def PIT_IndexBufferType : TypeDef<PIT_Dialect, "IndexBuffer", [Bufferization_BufferLikeTypeInterface]> {
  let mnemonic = "index_buffer";
  let summary = "an index in memory";
  let description = [{
    What a `!pit.index` bufferizes to. `--pit-split-index` takes it apart into the buffers of its offsets and
    coordinates and the dynamic extents of its pattern space, in this order.

    Example: `!pit.index_buffer<!pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>>`
  }];
  let parameters = (ins "SparseIndexType":$index);
  let assemblyFormat = "`<` $index `>`";
}

/// The list of an index, on tensors or on buffers.
def PIT_AnyIndex : AnyTypeOf<[PIT_IndexType, PIT_IndexBufferType]>;

#endif // PIT_DIALECT_PIT_IR_PITTYPES_TD

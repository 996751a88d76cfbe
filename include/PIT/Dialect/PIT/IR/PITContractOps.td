//===- PITContractOps.td - Contractions as kernels compute them -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITCONTRACTOPS_TD
#define PIT_DIALECT_PIT_IR_PITCONTRACTOPS_TD

include "PIT/Dialect/PIT/IR/PITOpBase.td"
include "PIT/Dialect/PIT/IR/PITPlanAttrs.td"

def PIT_ContractDomain : PIT_Enum<"ContractDomain", "which points of a contraction an index names", [
  I32EnumAttrCase<"Dense", 0, "dense">,           // all: there is no index
  I32EnumAttrCase<"Rows", 1, "rows">,             // rows (m) of one list
  I32EnumAttrCase<"Segments", 2, "segments">,     // rows (m) of each segment (s)
  I32EnumAttrCase<"Depth", 3, "depth">,           // k of one list
  I32EnumAttrCase<"MicroTiles", 4, "micro_tiles">, // micro-tiles of A, or of B, outside of which that is zero
  I32EnumAttrCase<"Blocks", 5, "blocks">,         // blocks of C
  I32EnumAttrCase<"Batches", 6, "batches">,       // all, of each batch (b): there is no index
  I32EnumAttrCase<"Windows", 7, "windows">,       // all, of windows of A (t): there is no index
  I32EnumAttrCase<"SegmentDepth", 8, "segment_depth"> // k of each segment (s)
]>;

def PIT_ContractDomainAttr : EnumAttr<PIT_Dialect, PIT_ContractDomain, "contract_domain">;

def PIT_ContractOp : PIT_Op<"contract", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a contraction with an epilogue, which one kernel computes";
  let description = [{
    C = f(sum over k of A * B), or, with `second`, f of two such sums with the same A: `A * B` and `A * second`. Sums
    start from zero. Floats of at most 32 bits are accumulated in f32, f64 in f64, and i8 in i32, which wraps around.
    The result of f is rounded to the element type of C. i8 are signed; `unsigned_a` and `unsigned_b` make those of A,
    and those of B and `second`, unsigned. An op stands for one kernel, or for a part of one. `--pit-form-kernels` forms
    it from a contraction and the elementwise ops behind it. `--pit-plan-kernels` attaches the `plan`, and conversions
    emit the kernel that it describes.

    Maps are over m, n and k. One more dimension stands in front of them in some domains: the segment s in `segments`
    and `segment_depth`, the batch b in `batches`, and the position t in a window in `windows`. There is one map each
    for A, B, `second`, the operands and C, in this order. A map names each axis of its operand once. The domain says
    which points are computed:
    * `dense`: all points; there is no index.
    * `batches`: all points of each batch, which is a product of its own; there is no index. C has the axis b, and so
      has A, B, or both. An operand without b is shared by all batches.
    * `windows`: a convolution, as an implicit GEMM. A is a tensor [image, position ..., channel]. m runs over its
      windows (see `window`), those of all images one behind the other, and k over channels. The sum is over t and k: B
      has a matrix for each position t in a window. Where A has g times as many channels as B, the convolution is
      grouped: n runs over the columns of g groups of equal size, one behind the other, and k over the channels of the
      column's group.
    * `rows`: m runs over the listed rows.
    * `segments`: s runs over the segments, and m over the rows that are listed for s. B has the axis s, and C may have
      it.
    * `depth`: k runs over the list, through which A and B are read, or packed there.
    * `segment_depth`: s runs over the segments, and k over what is listed for s. C has the axis s. This is a grouped
      GEMM of ragged k, as for the gradients of experts' weights. A segment without points gives f of 0.
    * `micro_tiles`: A, or B with `of_b`, is zero outside of the listed micro-tiles [m, k] or [k, n]. All others may be
      skipped.
    * `blocks`: only the listed blocks of C are computed; other blocks keep their contents. With `mask`, the blocks
      where the mask is not 0 are computed, and the others become `fill`.

    In the domains `rows` and `segments`, `listed` says for each operand with the axis m whether it is accessed at
    listed rows, or at packed positions. Rows of C without a point keep their contents. In the domains `depth` and
    `segment_depth`, the same holds for A and B along k.

    `epilogue` is f. Its arguments are the sums, then one element of each operand. It yields an f32 if C has floats of
    at most 32 bits, and an element of C otherwise. Without an epilogue, f is the identity.

    Constraints:
    * C1: there is an index unless the domain is `dense`, `batches` or `windows`; `mask` and `fill` come together, with the domain
      `blocks`; `of_b` with `micro_tiles`; `window` with `windows`, without `second`.
    * C2: there is one map per operand, with distinct plain dimensions and one result per axis; A has m and k, B and `second` n
      and k, C m and n, and no others but s, b or t; operands have no k. In the domain `batches`, C and one of A and B have b. In the
      domain `segment_depth`, C has s, and A and B may have it where they are listed. In the domain `windows`, A's map is (m, t, k), A has an axis for each of the window's and two more, B has t, and nothing else has; A's channels are a multiple of B's, and g
      divides the columns.
    * C3: A, B and `second` have one element type, a float of at most 64 bits or i8; C has floats of at most 64 bits, i8 or i32,
      and without `epilogue` what its sums are, or are rounded to. `unsigned_a` and `unsigned_b` are for i8.
    * C4: `listed` has one entry per map, none of them true but in the domains `rows` and `segments`, for operands with the axis m, and
      in `depth` and `segment_depth`, for A and B.
    * C5: the epilogue's arguments are the sums, then the operands' elements; it consists of ops of `arith` and `math` on scalars,
      and yields one f32, or element of C. With `second` there is one.
    * C6: all tensors and a result of the type of C, or all buffers and no result.
    * C7: a `plan` has a family that goes with the domain.

    Example:
    ```mlir
    pit.contract dense ins(%x, %w : memref<512x256xbf16>, memref<256x128xbf16>) with(%bias : memref<128xf32>)
        outs(%y : memref<512x128xbf16>)
        {indexing_maps = [#mk, #kn, #n, #mn], listed = array<i1: false, false, false, false>} epilogue {
    ^bb0(%sum: f32, %b: f32):
      %0 = arith.addf %sum, %b : f32
      pit.yield %0 : f32
    }
    ```
  }];
  let arguments = (ins PIT_ContractDomainAttr:$domain, Optional<PIT_AnyIndex>:$index,
                       PIT_TensorOrBuffer:$a, PIT_TensorOrBuffer:$b, Optional<PIT_TensorOrBuffer>:$second,
                       Variadic<PIT_TensorOrBuffer>:$epilogue_operands, PIT_TensorOrBuffer:$init,
                       Optional<PIT_TensorOrBuffer>:$mask, AffineMapArrayAttr:$indexing_maps,
                       DenseBoolArrayAttr:$listed, UnitAttr:$of_b, UnitAttr:$unsigned_a,
                       UnitAttr:$unsigned_b, OptionalAttr<F32Attr>:$fill,
                       OptionalAttr<PIT_WindowAttr>:$window,
                       OptionalAttr<PIT_PlanAttr>:$plan);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let regions = (region MaxSizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    `` $domain (`over` `(` $index^ `:` type($index) `)`)? (`mask` `(` $mask^ `:` type($mask) `)`)?
    `ins` `(` $a `,` $b `:` type($a) `,` type($b) `)` (`second` `(` $second^ `:` type($second) `)`)?
    (`with` `(` $epilogue_operands^ `:` type($epilogue_operands) `)`)? `outs` `(` $init `:` type($init) `)`
    (`plan` $plan^)? attr-dict (`epilogue` $epilogue^)? (`->` type($result)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
    bool isOnBuffers() { return ::llvm::isa<::mlir::MemRefType>(getInit().getType()); }
    /// The type of the index, whether it lies in a tensor or a buffer; null without one.
    SparseIndexType getIndexType();
    /// A, B, the second B if there is one, the operands, C: one per map.
    ::llvm::SmallVector<::mlir::Value> getMappedOperands();
    /// The map of mapped operand `i`.
    ::mlir::AffineMap getMap(unsigned i) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getIndexingMaps()[i]).getValue();
    }
    /// Dimensions of the maps: the segment, batch or place in a window (only in domains that have them), m, n, k.
    unsigned getNumDims() { return hasOuterDim() ? 4 : 3; }
    bool hasSegments() { return getDomain() == ContractDomain::Segments; }
    bool hasBatches() { return getDomain() == ContractDomain::Batches; }
    bool hasWindows() { return getDomain() == ContractDomain::Windows; }
    bool hasSegmentDepth() { return getDomain() == ContractDomain::SegmentDepth; }
    bool hasOuterDim() { return hasSegments() || hasSegmentDepth() || hasBatches() || hasWindows(); }
    unsigned getDimM() { return hasOuterDim() ? 1 : 0; }
    unsigned getDimN() { return getDimM() + 1; }
    unsigned getDimK() { return getDimM() + 2; }
    /// Which axis of mapped operand `i` is that dimension, if one is.
    ::std::optional<unsigned> getAxis(unsigned i, unsigned dim);
    /// One block of the function f, or null if f is the identity.
    ::mlir::Block *getFunction() { return getEpilogue().empty() ? nullptr : &getEpilogue().front(); }
    /// Groups of a convolution, 1 if it is not grouped.
    int64_t getNumGroups();
    unsigned getNumSums() { return getSecond() ? 2 : 1; }
    /// What products of inputs of that element type are added up in; null where there are none.
    static ::mlir::Type getSumType(::mlir::Type input);
    ::mlir::Type getSumType() { return getSumType(::mlir::getElementTypeOrSelf(getA())); }
    /// What the epilogue yields for a C of that element type.
    static ::mlir::Type getValueType(::mlir::Type output);
    /// Whether all of C is written, and none of it read: there is no index.
    bool writesAllOfC() { return getDomain() == ContractDomain::Dense || hasBatches() || hasWindows(); }
  }];
}

#endif // PIT_DIALECT_PIT_IR_PITCONTRACTOPS_TD

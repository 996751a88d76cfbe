//===- TilingInterfaceImpl.cpp - Tiling of pit ops along their dense axes -===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/TilingInterfaceImpl.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// Which iteration axis each dimension of an operand follows; -1 for dimensions
/// that belong to the index (the packed one, and the micro-tiles behind it),
/// and std::nullopt for those computed from several axes.
using DimAxes = SmallVector<std::optional<int64_t>>;

/// One op cut along its dense axes: what the three ops have in common.
struct TilableOp {
  /// One entry per operand that is sliced.
  SmallVector<std::pair<OpOperand *, DimAxes>> operands;
  /// One entry per result.
  SmallVector<DimAxes> results;
  SmallVector<utils::IteratorType> iterators;
  /// Axes that an index governs.
  SmallVector<int64_t> indexed;
};

/// A slice of the extents that tiles leave; dimensions of the index stay whole.
struct Slice {
  SmallVector<OpFoldResult> offsets, sizes;
};

} // namespace

//===----------------------------------------------------------------------===//
// What the ops look like
//===----------------------------------------------------------------------===//

static DimAxes getFullDims(AffineMap map) {
  DimAxes dims;
  for (AffineExpr expr : map.getResults()) {
    auto axis = dyn_cast<AffineDimExpr>(expr);
    dims.push_back(axis ? std::optional<int64_t>(axis.getPosition())
                        : std::nullopt);
  }
  return dims;
}

/// The packed form of `dims`: indexed ones are replaced by the packed dimension
/// and the micro-tiles of wide segments.
static DimAxes getPackedDims(const DimAxes &dims,
                             function_ref<bool(int64_t)> isIndexed,
                             SparseIndexType index,
                             function_ref<bool(int64_t)> hasSegment) {
  DimAxes packed;
  bool placed = false;
  for (auto [dim, axis] : llvm::enumerate(dims)) {
    if (!isIndexed(dim)) {
      packed.push_back(axis);
      continue;
    }
    if (placed)
      continue;
    placed = true;
    packed.push_back(-1);
    for (int64_t segment : index.getSegmentDims())
      if (index.getTile()[segment] > 1 && hasSegment(segment))
        packed.push_back(-1);
  }
  return packed;
}

static TilableOp describe(GenericOp op) {
  TilableOp tilable;
  tilable.iterators = op.getIteratorTypesArray();
  ArrayRef<int64_t> packedAxes = op.getIndexAxes();
  tilable.indexed = llvm::to_vector(packedAxes);
  for (unsigned i = 0, e = op.getFurtherIndexes().size(); i < e; ++i)
    llvm::append_range(tilable.indexed, op.getFurtherIndexAxes(i));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned number = 0, numInputs = op.getInputs().size();
  for (OpOperand &operand :
       op->getOpOperands().drop_front(1 + op.getFurtherIndexes().size())) {
    DimAxes dims = getFullDims(maps[number]);
    if (op.getPacked()[number])
      dims = getPackedDims(
          dims,
          [&](int64_t dim) {
            return dims[dim] && llvm::is_contained(packedAxes, *dims[dim]);
          },
          op.getIndex().getType(), [](int64_t) { return true; });
    if (number >= numInputs)
      tilable.results.push_back(dims);
    tilable.operands.push_back({&operand, std::move(dims)});
    ++number;
  }
  return tilable;
}

/// Iteration axis `i` of a whole read or write is dimension `i` of the full
/// tensor.
static void describeAccess(TilableOp &tilable, OpOperand &full,
                           OpOperand *packedOperand, SparseIndexType index,
                           ArrayRef<int64_t> indexDims, DimAxes &fullDims,
                           DimAxes &packedDims) {
  int64_t rank = cast<RankedTensorType>(full.get().getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    fullDims.push_back(dim);
  tilable.iterators.assign(rank, utils::IteratorType::parallel);
  auto isIndexed = [&](int64_t dim) {
    return llvm::is_contained(indexDims, dim);
  };
  for (int64_t dim = 0; dim < rank; ++dim)
    if (isIndexed(dim))
      tilable.indexed.push_back(dim);
  packedDims = getPackedDims(fullDims, isIndexed, index, [&](int64_t segment) {
    return indexDims[segment] >= 0;
  });
  tilable.operands.push_back({&full, fullDims});
  if (packedOperand)
    tilable.operands.push_back({packedOperand, packedDims});
}

static TilableOp describe(SReadOp op) {
  TilableOp tilable;
  DimAxes full, packed;
  describeAccess(tilable, op.getSourceMutable(), nullptr,
                 op.getIndex().getType(), op.getDims(), full, packed);
  tilable.results.push_back(packed);
  return tilable;
}

static TilableOp describe(SWriteOp op) {
  TilableOp tilable;
  DimAxes full, packed;
  describeAccess(tilable, op.getDestMutable(), &op.getSourceMutable(),
                 op.getIndex().getType(), op.getDims(), full, packed);
  tilable.results.push_back(full);
  return tilable;
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

static SmallVector<Range> createDomain(OpBuilder &b, Location loc,
                                       const TilableOp &tilable) {
  SmallVector<Range> domain(tilable.iterators.size());
  for (Range &range : domain)
    range = {b.getIndexAttr(0), b.getIndexAttr(1), b.getIndexAttr(1)};
  for (const auto &[operand, dims] : tilable.operands)
    for (auto [dim, axis] : llvm::enumerate(dims))
      if (axis && *axis >= 0)
        domain[*axis].size = tensor::getMixedSize(b, loc, operand->get(), dim);
  return domain;
}

/// The slice of `value` that belongs to a tile.
static Slice createSlice(OpBuilder &b, Location loc, Value value,
                         const DimAxes &dims, ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) {
  Slice slice;
  for (auto [dim, axis] : llvm::enumerate(dims)) {
    if (axis && *axis >= 0) {
      slice.offsets.push_back(offsets[*axis]);
      slice.sizes.push_back(sizes[*axis]);
      continue;
    }
    slice.offsets.push_back(b.getIndexAttr(0));
    slice.sizes.push_back(tensor::getMixedSize(b, loc, value, dim));
  }
  return slice;
}

/// Whether a tile spans an axis: it starts at 0 and has the domain's size.
/// Loops pass sizes of their own making, so dynamic ones are not compared: a
/// cut along the axis would not start at 0 in every tile.
static bool isWhole(OpFoldResult offset, OpFoldResult size,
                    const Range &range) {
  return isConstantIntValue(offset, 0) &&
         getConstantIntValue(size) == getConstantIntValue(range.size);
}

/// Listed axes, and axes that some operand reads through a computed subscript,
/// stay whole.
static LogicalResult checkTile(Operation *op, const TilableOp &tilable,
                               ArrayRef<Range> domain,
                               ArrayRef<OpFoldResult> offsets,
                               ArrayRef<OpFoldResult> sizes) {
  auto refuse = [&](int64_t axis) -> LogicalResult {
    if (isWhole(offsets[axis], sizes[axis], domain[axis]))
      return success();
    return op->emitOpError("cannot be cut along axis ")
           << axis << ", which its index lists or a subscript is computed "
           << "from";
  };
  for (int64_t axis : tilable.indexed)
    if (failed(refuse(axis)))
      return failure();
  if (auto generic = dyn_cast<GenericOp>(op))
    for (AffineMap map : generic.getIndexingMapsArray())
      for (AffineExpr expr : map.getResults())
        if (!isa<AffineDimExpr>(expr))
          for (int64_t axis = 0, e = map.getNumDims(); axis < e; ++axis)
            if (expr.isFunctionOfDim(axis) && failed(refuse(axis)))
              return failure();
  return success();
}

static Type getSlicedType(Type type, ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  return RankedTensorType::get(shape,
                               cast<RankedTensorType>(type).getElementType());
}

namespace {

template <typename OpTy>
struct TilingModel : TilingInterface::ExternalModel<TilingModel<OpTy>, OpTy> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return describe(cast<OpTy>(op)).iterators;
  }

  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &b) const {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(op);
    return createDomain(b, op->getLoc(), describe(cast<OpTy>(op)));
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &b,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    Location loc = op->getLoc();
    TilableOp tilable = describe(cast<OpTy>(op));
    SmallVector<Range> domain = createDomain(b, loc, tilable);
    if (failed(checkTile(op, tilable, domain, offsets, sizes)))
      return failure();
    SmallVector<Value> operands(op->getOperands());
    SmallVector<Operation *> slices;
    for (const auto &[operand, dims] : tilable.operands) {
      bool isCut = llvm::any_of(dims, [&](std::optional<int64_t> axis) {
        return axis && *axis >= 0 &&
               !isWhole(offsets[*axis], sizes[*axis], domain[*axis]);
      });
      if (!isCut)
        continue;
      Slice slice = createSlice(b, loc, operand->get(), dims, offsets, sizes);
      SmallVector<OpFoldResult> strides(dims.size(), b.getIndexAttr(1));
      auto cut = tensor::ExtractSliceOp::create(
          b, loc, operand->get(), slice.offsets, slice.sizes, strides);
      operands[operand->getOperandNumber()] = cut;
      slices.push_back(cut);
    }
    SmallVector<Type> types;
    for (OpResult result : op->getResults()) {
      SmallVector<OpFoldResult> resultOffsets, resultSizes;
      if (failed(getResultTilePosition(op, b, result.getResultNumber(), offsets,
                                       sizes, resultOffsets, resultSizes)))
        return failure();
      types.push_back(getSlicedType(result.getType(), resultSizes));
    }
    // A read names the dynamic extents of what it returns.
    if (auto read = dyn_cast<SReadOp>(op)) {
      SmallVector<OpFoldResult> resultOffsets, resultSizes;
      if (failed(getResultTilePosition(op, b, 0, offsets, sizes, resultOffsets,
                                       resultSizes)))
        return failure();
      SmallVector<Value> dynamic;
      SmallVector<int64_t> shape;
      dispatchIndexOpFoldResults(resultSizes, dynamic, shape);
      auto tiled =
          SReadOp::create(b, loc, types[0], operands[0], read.getIndex(),
                          ValueRange(), dynamic, read.getDimsAttr());
      return TilingResult{
          {tiled}, SmallVector<Value>(tiled->getResults()), slices};
    }
    Operation *tiled = clone(b, op, types, operands);
    return TilingResult{
        {tiled}, SmallVector<Value>(tiled->getResults()), slices};
  }

  LogicalResult
  getResultTilePosition(Operation *op, OpBuilder &b, unsigned resultNumber,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        SmallVector<OpFoldResult> &resultOffsets,
                        SmallVector<OpFoldResult> &resultSizes) const {
    TilableOp tilable = describe(cast<OpTy>(op));
    Value extents = op->getResult(resultNumber);
    // The destination has the extents of the result, and exists before it.
    if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
      extents =
          destination.getTiedOpOperand(op->getResult(resultNumber))->get();
    auto type = cast<RankedTensorType>(extents.getType());
    const DimAxes &dims = tilable.results[resultNumber];
    size_t nextDynamic = 0;
    for (auto [dim, axis] : llvm::enumerate(dims)) {
      OpFoldResult whole;
      if (auto read = dyn_cast<SReadOp>(op)) {
        whole = type.isDynamicDim(dim)
                    ? OpFoldResult(read.getResultExtents()[nextDynamic++])
                    : OpFoldResult(b.getIndexAttr(type.getDimSize(dim)));
      } else {
        whole = tensor::getMixedSize(b, op->getLoc(), extents, dim);
      }
      bool isCut = axis && *axis >= 0;
      resultOffsets.push_back(isCut ? offsets[*axis]
                                    : OpFoldResult(b.getIndexAttr(0)));
      resultSizes.push_back(isCut ? sizes[*axis] : whole);
    }
    return success();
  }

  /// For fusion into a consumer: the axes of a result's dimensions are cut as
  /// the consumer asks, the others stay whole.
  LogicalResult getIterationDomainTileFromResultTile(
      Operation *op, OpBuilder &b, unsigned resultNumber,
      ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
      SmallVectorImpl<OpFoldResult> &domainOffsets,
      SmallVectorImpl<OpFoldResult> &domainSizes) const {
    TilableOp tilable = describe(cast<OpTy>(op));
    for (const Range &range : createDomain(b, op->getLoc(), tilable)) {
      domainOffsets.push_back(range.offset);
      domainSizes.push_back(range.size);
    }
    for (auto [dim, axis] : llvm::enumerate(tilable.results[resultNumber])) {
      if (axis && *axis >= 0) {
        domainOffsets[*axis] = offsets[dim];
        domainSizes[*axis] = sizes[dim];
      } else if (!isConstantIntValue(offsets[dim], 0)) {
        return failure();
      }
    }
    return success();
  }

  FailureOr<TilingResult>
  generateResultTileValue(Operation *op, OpBuilder &b, unsigned resultNumber,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) const {
    SmallVector<OpFoldResult> domainOffsets, domainSizes;
    if (failed(getIterationDomainTileFromResultTile(
            op, b, resultNumber, offsets, sizes, domainOffsets, domainSizes)))
      return failure();
    FailureOr<TilingResult> tiled =
        getTiledImplementation(op, b, domainOffsets, domainSizes);
    if (succeeded(tiled))
      tiled->tiledValues = {tiled->tiledValues[resultNumber]};
    return tiled;
  }
};

} // namespace

void pit::registerTilingInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PITDialect *) {
    GenericOp::attachInterface<TilingModel<GenericOp>>(*context);
    SReadOp::attachInterface<TilingModel<SReadOp>>(*context);
    SWriteOp::attachInterface<TilingModel<SWriteOp>>(*context);
    context->loadDialect<affine::AffineDialect, arith::ArithDialect,
                         tensor::TensorDialect>();
  });
}

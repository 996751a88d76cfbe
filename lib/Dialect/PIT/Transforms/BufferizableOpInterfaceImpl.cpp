//===- BufferizableOpInterfaceImpl.cpp - pit ops on buffers ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index becomes a !pit.index_buffer. SRead and SWrite of one tile become loops of row copies, reading the coordinates
// where they lie. pit.tiled stays whole, on memrefs: its region then works on the tiles in place.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/BufferizableOpInterfaceImpl.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::bufferization;

static MemRefType getListType(int64_t width, MLIRContext *context) {
  return MemRefType::get({ShapedType::kDynamic}, IntegerType::get(context, width));
}

//===----------------------------------------------------------------------===//
// The index and its parts
//===----------------------------------------------------------------------===//

namespace {

/// Whether nothing but `list` can reach its buffer: it goes back, through values with one use each, to an allocation of
/// its own. (A `tensor.empty` is none: others may be merged with it.)
bool isUniquelyOwned(Value list, const AnalysisState &state) {
  SmallVector<Value> worklist{list};
  llvm::SmallDenseSet<Value> visited;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!visited.insert(value).second)
      continue;
    if (!value.hasOneUse())
      return false;
    if (value.getDefiningOp<AllocTensorOp>())
      continue;
    AliasingOpOperandList origins = state.getAliasingOpOperands(value);
    if (origins.getNumAliases() == 0)
      return false;
    for (const AliasingOpOperand &origin : origins)
      worklist.push_back(origin.opOperand->get());
  }
  return true;
}

/// The buffer of an index keeps the buffers of its lists. Alias analysis does not follow that, so lists that somebody
/// else can reach are copied.
struct AssembleModel : BufferizableOpInterface::ExternalModel<AssembleModel, AssembleOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const { return true; }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const { return false; }
  AliasingValueList getAliasingValues(Operation *, OpOperand &, const AnalysisState &) const { return {}; }
  AliasingOpOperandList getAliasingOpOperands(Operation *, Value, const AnalysisState &) const { return {}; }
  bool bufferizesToAllocation(Operation *, Value) const { return true; }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value, const BufferizationOptions &,
                                          const BufferizationState &, SmallVector<Value> &) const {
    return cast<BufferLikeType>(
        Type(IndexBufferType::get(value.getContext(), cast<SparseIndexType>(value.getType()))));
  }

  LogicalResult resolveConflicts(Operation *op, RewriterBase &rewriter, const AnalysisState &analysis,
                                 const BufferizationState &) const {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    for (OpOperand &operand : op->getOpOperands().take_front(2)) {
      if (isUniquelyOwned(operand.get(), analysis))
        continue;
      Value copy = AllocTensorOp::create(rewriter, op->getLoc(), cast<RankedTensorType>(operand.get().getType()),
                                         ValueRange(), operand.get());
      rewriter.modifyOpInPlace(op, [&] { operand.set(copy); });
    }
    return success();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto assemble = cast<AssembleOp>(op);
    SmallVector<Value> lists;
    for (Value list : {assemble.getOffsets(), assemble.getCoords()}) {
      FailureOr<Value> buffer = getBuffer(rewriter, list, options, state);
      if (failed(buffer))
        return failure();
      auto type = cast<MemRefType>(buffer->getType());
      auto wanted = getListType(type.getElementTypeBitWidth(), op->getContext());
      if (type != wanted && !memref::CastOp::areCastCompatible(type, wanted))
        return op->emitOpError("the lists of an index must be contiguous, got ") << type;
      lists.push_back(type == wanted ? *buffer
                                     : memref::CastOp::create(rewriter, op->getLoc(), wanted, *buffer).getResult());
    }
    auto type = IndexBufferType::get(op->getContext(), cast<SparseIndexType>(assemble.getIndex().getType()));
    replaceOpWithNewBufferizedOp<AssembleOp>(rewriter, op, type, lists[0], lists[1], assemble.getExtents());
    return success();
  }
};

/// `pit.offsets` and `pit.coords`: a view of what the index owns.
template <typename OpTy>
struct ListModel : BufferizableOpInterface::ExternalModel<ListModel<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const { return false; }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const { return false; }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &, const AnalysisState &) const {
    return {{op->getOpResult(0), BufferRelation::Unknown}};
  }
  AliasingOpOperandList getAliasingOpOperands(Operation *op, Value, const AnalysisState &) const {
    return {{&op->getOpOperand(0), BufferRelation::Unknown}};
  }
  bool isWritable(Operation *, Value, const AnalysisState &) const { return false; }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value, const BufferizationOptions &,
                                          const BufferizationState &, SmallVector<Value> &) const {
    auto type = cast<RankedTensorType>(value.getType());
    return cast<BufferLikeType>(Type(getListType(type.getElementTypeBitWidth(), value.getContext())));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<Value> index = getBuffer(rewriter, op->getOperand(0), options, state);
    if (failed(index))
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    replaceOpWithNewBufferizedOp<OpTy>(rewriter, op, getListType(type.getElementTypeBitWidth(), op->getContext()),
                                       *index);
    return success();
  }
};

struct ExtentModel : BufferizableOpInterface::ExternalModel<ExtentModel, ExtentOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const { return false; }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const { return false; }
  AliasingValueList getAliasingValues(Operation *, OpOperand &, const AnalysisState &) const { return {}; }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<Value> index = getBuffer(rewriter, op->getOperand(0), options, state);
    if (failed(index))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, *index); });
    return success();
  }
};

//===----------------------------------------------------------------------===//
// SRead and SWrite of one tile
//===----------------------------------------------------------------------===//

/// A run of elements of a tile that lie side by side, along the indexed dimension, on both sides: one micro-tile.
struct Run {
  /// Where it begins in the packed tile and in the full tensor.
  Value packed, full;
  OpFoldResult size;
};

} // namespace

/// Calls `body` in a loop over the micro-tiles of the packed positions `first .. first + size`. Tiles begin at whole
/// micro-tiles; the last one may be cut short.
static void createRunLoop(OpBuilder &b, Location loc, SparseIndexType type, Value index, Value first, Value size,
                          function_ref<void(const Run &)> body) {
  int64_t tile = type.getCoordinateTile();
  Value coords = CoordsOp::create(b, loc, getListType(type.getWidth(), b.getContext()), index);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, tile);
  auto loop = scf::ForOp::create(b, loc, zero, size, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Run run{loop.getInductionVar(), Value(), b.getIndexAttr(1)};
  Value number = arith::AddIOp::create(b, loc, first, run.packed);
  if (tile != 1)
    number = arith::DivUIOp::create(b, loc, number, step);
  Value coordinate = memref::LoadOp::create(b, loc, coords, number);
  run.full = arith::IndexCastOp::create(b, loc, b.getIndexType(), coordinate);
  if (tile != 1) {
    run.full = arith::MulIOp::create(b, loc, run.full, step);
    Value rest = arith::SubIOp::create(b, loc, size, run.packed);
    run.size = arith::MinUIOp::create(b, loc, rest, step).getResult();
    int64_t extent = type.getExtents()[type.getCoordinate()];
    if (!ShapedType::isDynamic(extent) && extent % tile == 0)
      run.size = b.getIndexAttr(tile);
  }
  body(run);
}

/// `size` elements of `buffer` along `dim`, from `position`; a single one goes without that dimension.
static Value createSlab(OpBuilder &b, Location loc, Value buffer, int64_t dim, Value position, OpFoldResult size) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)), strides(type.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, loc, buffer);
  offsets[dim] = position;
  sizes[dim] = size;
  auto whole = cast<MemRefType>(memref::SubViewOp::inferResultType(type, offsets, sizes, strides));
  if (getConstantIntValue(size) != 1)
    return memref::SubViewOp::create(b, loc, whole, buffer, offsets, sizes, strides);
  // Which dimension goes is known here; from the extents alone it would not be, where others are 1.
  auto [rowStrides, offset] = whole.getStridesAndOffset();
  SmallVector<int64_t> shape(whole.getShape());
  shape.erase(shape.begin() + dim);
  rowStrides.erase(rowStrides.begin() + dim);
  auto layout = StridedLayoutAttr::get(type.getContext(), offset, rowStrides);
  auto rowType = MemRefType::get(shape, type.getElementType(), layout);
  return memref::SubViewOp::create(b, loc, rowType, buffer, offsets, sizes, strides);
}

static int64_t getIndexedDim(ArrayRef<int64_t> dims) {
  return *llvm::find_if(dims, [](int64_t dim) { return dim >= 0; });
}

static LogicalResult checkIsTile(Operation *op, ValueRange tile) {
  if (!tile.empty())
    return success();
  return op->emitOpError("covers a whole tensor, which has no buffer form; run --pit-tile-rules and --pit-expand-tiles "
                         "first");
}

namespace {

struct SReadModel : BufferizableOpInterface::ExternalModel<SReadModel, SReadOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const { return true; }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const { return false; }
  AliasingValueList getAliasingValues(Operation *, OpOperand &, const AnalysisState &) const { return {}; }
  AliasingOpOperandList getAliasingOpOperands(Operation *, Value, const AnalysisState &) const { return {}; }
  bool bufferizesToAllocation(Operation *, Value) const { return true; }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value, const BufferizationOptions &,
                                          const BufferizationState &, SmallVector<Value> &) const {
    auto type = cast<RankedTensorType>(value.getType());
    return cast<BufferLikeType>(Type(MemRefType::get(type.getShape(), type.getElementType())));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto read = cast<SReadOp>(op);
    if (failed(checkIsTile(op, read.getTile())))
      return failure();
    FailureOr<Value> source = getBuffer(rewriter, read.getSource(), options, state);
    FailureOr<Value> index = getBuffer(rewriter, read.getIndex(), options, state);
    if (failed(source) || failed(index))
      return failure();
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(read.getType());
    FailureOr<Value> result = options.createAlloc(
        rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()), read.getResultExtents());
    if (failed(result))
      return failure();
    int64_t dim = getIndexedDim(read.getDims());
    bool failedToCopy = false;
    createRunLoop(rewriter, loc, read.getIndex().getType(), *index, read.getTile()[0], read.getTile()[1],
                  [&](const Run &run) {
                    Value from = createSlab(rewriter, loc, *source, dim, run.full, run.size);
                    Value to = createSlab(rewriter, loc, *result, dim, run.packed, run.size);
                    failedToCopy |= failed(options.createMemCpy(rewriter, loc, from, to));
                  });
    if (failedToCopy)
      return failure();
    replaceOpWithBufferizedValues(rewriter, op, *result);
    return success();
  }
};

struct SWriteModel : DstBufferizableOpInterfaceExternalModel<SWriteModel, SWriteOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto write = cast<SWriteOp>(op);
    if (failed(checkIsTile(op, write.getTile())))
      return failure();
    FailureOr<Value> source = getBuffer(rewriter, write.getSource(), options, state);
    FailureOr<Value> dest = getBuffer(rewriter, write.getDest(), options, state);
    FailureOr<Value> index = getBuffer(rewriter, write.getIndex(), options, state);
    if (failed(source) || failed(dest) || failed(index))
      return failure();
    Location loc = op->getLoc();
    int64_t dim = getIndexedDim(write.getDims());
    bool failedToCopy = false;
    createRunLoop(rewriter, loc, write.getIndex().getType(), *index, write.getTile()[0], write.getTile()[1],
                  [&](const Run &run) {
                    Value from = createSlab(rewriter, loc, *source, dim, run.packed, run.size);
                    Value to = createSlab(rewriter, loc, *dest, dim, run.full, run.size);
                    if (write.getMode() == WriteMode::Accumulate)
                      linalg::AddOp::create(rewriter, loc, ValueRange{to, from}, ValueRange(to));
                    else
                      failedToCopy |= failed(options.createMemCpy(rewriter, loc, from, to));
                  });
    if (failedToCopy)
      return failure();
    replaceOpWithBufferizedValues(rewriter, op, *dest);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Tiled ops
//===----------------------------------------------------------------------===//

/// Tiles are views of anything, or copies.
MemRefType getTileBufferType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> strides(tensor.getRank(), ShapedType::kDynamic);
  auto layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return MemRefType::get(tensor.getShape(), tensor.getElementType(), layout);
}

struct TiledModel : DstBufferizableOpInterfaceExternalModel<TiledModel, TiledOp> {
  /// The region runs once per tile.
  bool isRepetitiveRegion(Operation *, unsigned) const { return true; }
  /// Tiles of outputs belong to the region, tiles of inputs do not.
  bool isWritable(Operation *op, Value value, const AnalysisState &) const {
    auto argument = dyn_cast<BlockArgument>(value);
    return !argument || argument.getArgNumber() >= cast<TiledOp>(op).getInputs().size();
  }
  /// A tile may have been gathered, so it is no alias of its operand.
  AliasingOpOperandList getAliasingOpOperands(Operation *op, Value value, const AnalysisState &state) const {
    if (isa<BlockArgument>(value))
      return {};
    auto tiled = cast<TiledOp>(op);
    return {{&tiled.getOutputsMutable()[cast<OpResult>(value).getResultNumber()], BufferRelation::Equivalent}};
  }
  FailureOr<BufferLikeType> getBufferType(Operation *op, Value value, const BufferizationOptions &options,
                                          const BufferizationState &state, SmallVector<Value> &stack) const {
    if (isa<BlockArgument>(value))
      return cast<BufferLikeType>(Type(getTileBufferType(value.getType())));
    Value output = cast<TiledOp>(op).getOutputs()[cast<OpResult>(value).getResultNumber()];
    return bufferization::getBufferType(output, options, state, stack);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto tiled = cast<TiledOp>(op);
    auto getBuffers = [&](ValueRange values, SmallVectorImpl<Value> &buffers) {
      for (Value value : values) {
        FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
        if (failed(buffer))
          return failure();
        buffers.push_back(*buffer);
      }
      return success();
    };
    SmallVector<Value> index, inputs, outputs;
    if (failed(getBuffers(tiled.getIndex(), index)) || failed(getBuffers(tiled.getInputs(), inputs)) ||
        failed(getBuffers(tiled.getOutputs(), outputs)))
      return failure();

    Location loc = op->getLoc();
    auto onBuffers = TiledOp::create(rewriter, loc, TypeRange(), index[0], inputs, outputs, tiled.getDimsAttr(),
                                     tiled.getPackedAttr(), tiled.getTileSizeAttr(), tiled.getFlatAttr(),
                                     tiled.getRuleAttr());
    rewriter.inlineRegionBefore(tiled.getRegion(), onBuffers.getRegion(), onBuffers.getRegion().end());
    Block &body = onBuffers.getRegion().front();
    rewriter.setInsertionPointToStart(&body);
    for (BlockArgument argument : body.getArguments()) {
      Type type = argument.getType();
      argument.setType(getTileBufferType(type));
      auto tile = ToTensorOp::create(rewriter, loc, type, argument, /*restrict=*/true,
                                     /*writable=*/argument.getArgNumber() >= inputs.size());
      argument.replaceAllUsesExcept(tile, tile);
    }
    replaceOpWithBufferizedValues(rewriter, op, outputs);
    return success();
  }
};

/// What a tiled region yields has to lie in the tile of its output.
struct YieldModel : BufferizableOpInterface::ExternalModel<YieldModel, YieldOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const { return true; }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const { return false; }
  AliasingValueList getAliasingValues(Operation *, OpOperand &, const AnalysisState &) const { return {}; }
  bool mustBufferizeInPlace(Operation *, OpOperand &, const AnalysisState &) const { return true; }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto tiled = dyn_cast<TiledOp>(op->getParentOp());
    if (!tiled)
      return op->emitOpError("of a level-2 op has no buffer form; run --pit-tile-rules first");
    size_t numInputs = tiled.getInputs().size();
    SmallVector<std::pair<Value, Value>> copies;
    for (OpOperand &operand : op->getOpOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      Value argument = tiled.getRegion().front().getArgument(numInputs + operand.getOperandNumber());
      // The region's arguments may still be tensors, depending on which op is bufferized first.
      auto view = buffer->getDefiningOp<ToBufferOp>();
      if (*buffer == argument || (view && view.getTensor() == argument))
        continue;
      FailureOr<Value> tile = argument;
      if (isa<TensorType>(argument.getType()))
        tile = getBuffer(rewriter, argument, options, state);
      if (failed(tile))
        return failure();
      copies.push_back({*buffer, *tile});
    }
    // Several results may lie in each other's tiles.
    if (copies.size() > 1)
      for (auto &[buffer, tile] : copies) {
        auto type = cast<MemRefType>(buffer.getType());
        SmallVector<Value> dynamic;
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          if (type.isDynamicDim(dim))
            dynamic.push_back(memref::DimOp::create(rewriter, op->getLoc(), buffer, dim));
        FailureOr<Value> copy = options.createAlloc(
            rewriter, op->getLoc(), MemRefType::get(type.getShape(), type.getElementType()), dynamic);
        if (failed(copy) || failed(options.createMemCpy(rewriter, op->getLoc(), buffer, *copy)))
          return failure();
        buffer = *copy;
      }
    for (auto [buffer, tile] : copies)
      if (failed(options.createMemCpy(rewriter, op->getLoc(), buffer, tile)))
        return failure();
    rewriter.replaceOpWithNewOp<YieldOp>(op);
    return success();
  }
};

} // namespace

void pit::registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PITDialect *) {
    AssembleOp::attachInterface<AssembleModel>(*context);
    OffsetsOp::attachInterface<ListModel<OffsetsOp>>(*context);
    CoordsOp::attachInterface<ListModel<CoordsOp>>(*context);
    ExtentOp::attachInterface<ExtentModel>(*context);
    SReadOp::attachInterface<SReadModel>(*context);
    SWriteOp::attachInterface<SWriteModel>(*context);
    TiledOp::attachInterface<TiledModel>(*context);
    YieldOp::attachInterface<YieldModel>(*context);
    context->loadDialect<arith::ArithDialect, linalg::LinalgDialect, memref::MemRefDialect, scf::SCFDialect>();
  });
}

//===- BufferizeTiled.cpp - Tiled ops on buffers --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// pit.tiled stays whole, on memrefs: its region then works on the tiles in
// place.
//
//===----------------------------------------------------------------------===//

#include "BufferizationModels.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::bufferization;

namespace {

/// Tiles are views of anything, or copies.
MemRefType getTileBufferType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> strides(tensor.getRank(), ShapedType::kDynamic);
  auto layout =
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return MemRefType::get(tensor.getShape(), tensor.getElementType(), layout);
}

struct TiledModel
    : DstBufferizableOpInterfaceExternalModel<TiledModel, TiledOp> {
  /// The region runs once per tile.
  bool isRepetitiveRegion(Operation *, unsigned) const { return true; }
  /// Tiles of outputs belong to the region, tiles of inputs do not.
  bool isWritable(Operation *op, Value value, const AnalysisState &) const {
    auto argument = dyn_cast<BlockArgument>(value);
    return !argument ||
           argument.getArgNumber() >= cast<TiledOp>(op).getInputs().size();
  }
  /// A tile may have been gathered, so it is no alias of its operand.
  AliasingOpOperandList
  getAliasingOpOperands(Operation *op, Value value,
                        const AnalysisState &state) const {
    if (isa<BlockArgument>(value))
      return {};
    auto tiled = cast<TiledOp>(op);
    return {
        {&tiled.getOutputsMutable()[cast<OpResult>(value).getResultNumber()],
         BufferRelation::Equivalent}};
  }
  FailureOr<BufferLikeType> getBufferType(Operation *op, Value value,
                                          const BufferizationOptions &options,
                                          const BufferizationState &state,
                                          SmallVector<Value> &stack) const {
    if (isa<BlockArgument>(value))
      return cast<BufferLikeType>(Type(getTileBufferType(value.getType())));
    Value output =
        cast<TiledOp>(op).getOutputs()[cast<OpResult>(value).getResultNumber()];
    return bufferization::getBufferType(output, options, state, stack);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
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
    if (failed(getBuffers(tiled.getIndex(), index)) ||
        failed(getBuffers(tiled.getInputs(), inputs)) ||
        failed(getBuffers(tiled.getOutputs(), outputs)))
      return failure();

    Location loc = op->getLoc();
    auto onBuffers = TiledOp::create(
        rewriter, loc, TypeRange(), index[0], inputs, outputs,
        tiled.getDimsAttr(), tiled.getPackedAttr(), tiled.getTileSizeAttr(),
        tiled.getFlatAttr(), tiled.getRuleAttr());
    // Wishes of a back end.
    onBuffers->setDiscardableAttrs(tiled->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(tiled.getRegion(), onBuffers.getRegion(),
                                onBuffers.getRegion().end());
    Block &body = onBuffers.getRegion().front();
    rewriter.setInsertionPointToStart(&body);
    for (BlockArgument argument : body.getArguments()) {
      Type type = argument.getType();
      argument.setType(getTileBufferType(type));
      auto tile = ToTensorOp::create(
          rewriter, loc, type, argument, /*restrict=*/true,
          /*writable=*/argument.getArgNumber() >= inputs.size());
      argument.replaceAllUsesExcept(tile, tile);
    }
    replaceOpWithBufferizedValues(rewriter, op, outputs);
    return success();
  }
};

/// What a tiled region yields has to lie in the tile of its output.
struct YieldModel : ReadingModel<YieldModel, YieldOp> {
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  bool mustBufferizeInPlace(Operation *, OpOperand &,
                            const AnalysisState &) const {
    return true;
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto tiled = dyn_cast<TiledOp>(op->getParentOp());
    if (!tiled)
      return op->emitOpError(
          "of a level-2 op has no buffer form; run --pit-tile-rules first");
    size_t numInputs = tiled.getInputs().size();
    SmallVector<std::pair<Value, Value>> copies;
    for (OpOperand &operand : op->getOpOperands()) {
      FailureOr<Value> buffer =
          getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      Value argument = tiled.getRegion().front().getArgument(
          numInputs + operand.getOperandNumber());
      // The region's arguments may still be tensors, depending on which op is
      // bufferized first.
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
            dynamic.push_back(
                memref::DimOp::create(rewriter, op->getLoc(), buffer, dim));
        FailureOr<Value> copy = options.createAlloc(
            rewriter, op->getLoc(),
            MemRefType::get(type.getShape(), type.getElementType()), dynamic);
        if (failed(copy) ||
            failed(options.createMemCpy(rewriter, op->getLoc(), buffer, *copy)))
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

void mlir::pit::attachTiledModels(MLIRContext *context) {
  TiledOp::attachInterface<TiledModel>(*context);
  YieldOp::attachInterface<YieldModel>(*context);
}

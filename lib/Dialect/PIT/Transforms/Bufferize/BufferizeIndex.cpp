//===- BufferizeIndex.cpp - Indexes and their parts on buffers ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index becomes a !pit.index_buffer, which keeps the buffers of its lists.
//
//===----------------------------------------------------------------------===//

#include "BufferizationModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::bufferization;

namespace {

/// Whether all that is done with a list is to read it, and none of what reads
/// it has its buffer, except for other indexes of the same list.
bool isOnlyRead(Value list, const AnalysisState &state) {
  return llvm::all_of(list.getUses(), [&](OpOperand &use) {
    if (isa<AssembleOp>(use.getOwner()))
      return true;
    return state.getOptions().dynCastBufferizableOp(use.getOwner()) &&
           !state.bufferizesToMemoryWrite(use) &&
           state.getAliasingValues(use).getNumAliases() == 0;
  });
}

/// Whether nothing but `list` can reach its buffer: it goes back, through
/// values with one use each, to an allocation of its own. (A `tensor.empty` is
/// none: others may be merged with it.) If it is `shared`, others may read it.
bool isUniquelyOwned(Value list, bool shared, const AnalysisState &state) {
  SmallVector<Value> worklist{list};
  llvm::SmallDenseSet<Value> visited;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!visited.insert(value).second)
      continue;
    if (!value.hasOneUse() &&
        !(shared && value == list && isOnlyRead(list, state)))
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

/// Whether it is an argument of a function that must not write to it.
bool isConstantArgument(Value list) {
  auto argument = dyn_cast<BlockArgument>(list);
  if (!argument)
    return false;
  Block *block = argument.getOwner();
  auto function = dyn_cast<FunctionOpInterface>(block->getParentOp());
  if (!function || !block->isEntryBlock())
    return false;
  auto isWritable = function.getArgAttrOfType<BoolAttr>(
      argument.getArgNumber(), BufferizationDialect::kWritableAttrName);
  return isWritable && !isWritable.getValue();
}

/// The buffer of an index keeps the buffers of its lists. Alias analysis does
/// not follow that, so lists that somebody else can reach are copied.
struct AssembleModel : ReadingModel<AssembleModel, AssembleOp> {
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  AliasingOpOperandList getAliasingOpOperands(Operation *, Value,
                                              const AnalysisState &) const {
    return {};
  }
  bool bufferizesToAllocation(Operation *, Value) const { return true; }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(Type(IndexBufferType::get(
        value.getContext(), cast<SparseIndexType>(value.getType()))));
  }

  LogicalResult resolveConflicts(Operation *op, RewriterBase &rewriter,
                                 const AnalysisState &analysis,
                                 const BufferizationState &) const {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    // Such an index owns its lists elsewhere.
    const bool leaves = llvm::any_of(op->getUsers(), [](Operation *user) {
      return user->hasTrait<OpTrait::IsTerminator>();
    });
    for (OpOperand &operand : op->getOpOperands().take_front(2)) {
      // What is a buffer already stays, and analysis knows nothing of it.
      if (!isa<RankedTensorType>(operand.get().getType()) ||
          (!leaves && isConstantArgument(operand.get())) ||
          isUniquelyOwned(operand.get(), /*shared=*/!leaves, analysis))
        continue;
      Value copy =
          AllocTensorOp::create(rewriter, op->getLoc(),
                                cast<RankedTensorType>(operand.get().getType()),
                                ValueRange(), operand.get());
      rewriter.modifyOpInPlace(op, [&] { operand.set(copy); });
    }
    return success();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto assemble = cast<AssembleOp>(op);
    SmallVector<Value> lists;
    for (Value list : {assemble.getOffsets(), assemble.getCoords()}) {
      FailureOr<Value> buffer = getBuffer(rewriter, list, options, state);
      if (failed(buffer))
        return failure();
      auto type = cast<MemRefType>(buffer->getType());
      auto wanted =
          getListType(type.getElementTypeBitWidth(), op->getContext());
      if (type != wanted && !memref::CastOp::areCastCompatible(type, wanted))
        return op->emitOpError("the lists of an index must be contiguous, got ")
               << type;
      lists.push_back(
          type == wanted
              ? *buffer
              : memref::CastOp::create(rewriter, op->getLoc(), wanted, *buffer)
                    .getResult());
    }
    auto type = IndexBufferType::get(
        op->getContext(), cast<SparseIndexType>(assemble.getIndex().getType()));
    replaceOpWithNewBufferizedOp<AssembleOp>(rewriter, op, type, lists[0],
                                             lists[1], assemble.getExtents());
    return success();
  }
};

/// Detection writes its lists from scratch.
struct DetectIntoModel
    : DstBufferizableOpInterfaceExternalModel<DetectIntoModel, DetectIntoOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DetectIntoOp>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto detect = cast<DetectIntoOp>(op);
    if (!isa<TensorType>(detect.getOffsets().getType()))
      return success();
    auto find = [&](Value value) -> FailureOr<Value> {
      return value ? getBuffer(rewriter, value, options, state) : Value();
    };
    FailureOr<Value> source = find(detect.getSource()),
                     by = find(detect.getBy()),
                     offsets = find(detect.getOffsets()),
                     coords = find(detect.getCoords());
    if (failed(source) || failed(by) || failed(offsets) || failed(coords))
      return failure();
    DetectIntoOp::create(rewriter, op->getLoc(), TypeRange(), *source, *by,
                         detect.getExtents(), *offsets, *coords,
                         detect.getPattern(), detect.getIndexType(),
                         detect.getRuleAttr());
    replaceOpWithBufferizedValues(rewriter, op, {*offsets, *coords});
    return success();
  }
};

/// So does inversion.
struct InvertIntoModel
    : DstBufferizableOpInterfaceExternalModel<InvertIntoModel, InvertIntoOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<InvertIntoOp>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto invert = cast<InvertIntoOp>(op);
    if (invert.isOnBuffers())
      return success();
    FailureOr<Value> source = getBuffer(rewriter, invert.getSource(), options,
                                        state),
                     offsets = getBuffer(rewriter, invert.getOffsets(), options,
                                         state),
                     coords = getBuffer(rewriter, invert.getCoords(), options,
                                        state);
    if (failed(source) || failed(offsets) || failed(coords))
      return failure();
    InvertIntoOp::create(rewriter, op->getLoc(), TypeRange(), *source, *offsets,
                         *coords);
    replaceOpWithBufferizedValues(rewriter, op, {*offsets, *coords});
    return success();
  }
};

/// `pit.offsets` and `pit.coords`: a view of what the index owns.
template <typename OpTy>
struct ListModel
    : BufferizableOpInterface::ExternalModel<ListModel<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return false;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getOpResult(0), BufferRelation::Unknown}};
  }
  AliasingOpOperandList getAliasingOpOperands(Operation *op, Value,
                                              const AnalysisState &) const {
    return {{&op->getOpOperand(0), BufferRelation::Unknown}};
  }
  bool isWritable(Operation *, Value, const AnalysisState &) const {
    return false;
  }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    auto type = cast<RankedTensorType>(value.getType());
    return cast<BufferLikeType>(
        Type(getListType(type.getElementTypeBitWidth(), value.getContext())));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<Value> index =
        getBuffer(rewriter, op->getOperand(0), options, state);
    if (failed(index))
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    replaceOpWithNewBufferizedOp<OpTy>(
        rewriter, op,
        getListType(type.getElementTypeBitWidth(), op->getContext()), *index);
    return success();
  }
};

struct ExtentModel
    : BufferizableOpInterface::ExternalModel<ExtentModel, ExtentOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return false;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<Value> index =
        getBuffer(rewriter, op->getOperand(0), options, state);
    if (failed(index))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, *index); });
    return success();
  }
};

} // namespace

void mlir::pit::attachIndexModels(MLIRContext *context) {
  AssembleOp::attachInterface<AssembleModel>(*context);
  DetectIntoOp::attachInterface<DetectIntoModel>(*context);
  InvertIntoOp::attachInterface<InvertIntoModel>(*context);
  OffsetsOp::attachInterface<ListModel<OffsetsOp>>(*context);
  CoordsOp::attachInterface<ListModel<CoordsOp>>(*context);
  ExtentOp::attachInterface<ExtentModel>(*context);
}

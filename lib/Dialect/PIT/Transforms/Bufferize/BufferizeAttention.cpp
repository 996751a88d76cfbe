//===- BufferizeAttention.cpp - Attention on buffers ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferizationModels.h"

#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::bufferization;

namespace {

/// Rows behind the last sequence keep what they hold, so that the destination
/// is read; kernels read other operands while they write it.
struct AttendSequencesModel
    : DstBufferizableOpInterfaceExternalModel<AttendSequencesModel,
                                              AttendSequencesOp> {
  bool bufferizesToElementwiseAccess(Operation *, const AnalysisState &,
                                     ArrayRef<OpOperand *>) const {
    return false;
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto attend = cast<AttendSequencesOp>(op);
    if (attend.isOnBuffers())
      return success();
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    AttendSequencesOp::create(
        rewriter, op->getLoc(), /*result=*/Type(), buffers[0], buffers[1],
        buffers[2], buffers[3], buffers[4], attend.getExtentAttr(),
        attend.getScaleAttr(), attend.getRoundsScoresAttr(),
        attend.getCausalAttr(), attend.getPlanAttr());
    replaceOpWithBufferizedValues(rewriter, op, buffers[4]);
    return success();
  }
};

/// All of the destination is written, though only at the end of a row.
struct AttendModel
    : DstBufferizableOpInterfaceExternalModel<AttendModel, AttendOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<AttendOp>(op).isDpsInit(&operand);
  }

  bool bufferizesToElementwiseAccess(Operation *, const AnalysisState &,
                                     ArrayRef<OpOperand *>) const {
    return false;
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto attend = cast<AttendOp>(op);
    if (attend.isOnBuffers())
      return success();
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    auto [inputs, inits] =
        std::pair(ArrayRef(buffers).take_front(attend.getInitNumber()),
                  ArrayRef(buffers).drop_front(attend.getInitNumber()));
    auto onBuffers = AttendOp::create(
        rewriter, op->getLoc(), /*outputs=*/TypeRange(), buffers[0], buffers[1],
        buffers[2], inputs.drop_front(3), inits[0],
        attend.getLse() ? inits[1] : Value(), attend.getMapsAttr(),
        attend.getZeroRowsAttr(), attend.getPlanAttr(), attend.getBiasesAttr());
    onBuffers->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    onBuffers.getRegion().takeBody(attend.getRegion());
    replaceOpWithBufferizedValues(rewriter, op, inits);
    return success();
  }
};

struct AttendBackwardModel
    : DstBufferizableOpInterfaceExternalModel<AttendBackwardModel,
                                              AttendBackwardOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<AttendBackwardOp>(op).isDpsInit(&operand);
  }

  bool bufferizesToElementwiseAccess(Operation *, const AnalysisState &,
                                     ArrayRef<OpOperand *>) const {
    return false;
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto backward = cast<AttendBackwardOp>(op);
    if (backward.isOnBuffers())
      return success();
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    ArrayRef<Value> inits =
        ArrayRef(buffers).drop_front(backward.getFirstInit());
    auto onBuffers = AttendBackwardOp::create(
        rewriter, op->getLoc(), /*outputs=*/TypeRange(), buffers[0], buffers[1],
        buffers[2], buffers[3], buffers[4], buffers[5],
        ArrayRef(buffers)
            .take_front(backward.getFirstInit())
            .drop_front(backward.kFirstModifier),
        inits[0], inits[1], inits[2], inits.drop_front(3),
        backward.getMapsAttr(), backward.getGradientsOfAttr(),
        backward.getPlanAttr());
    onBuffers->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    onBuffers.getRegion().takeBody(backward.getRegion());
    replaceOpWithBufferizedValues(rewriter, op, inits);
    return success();
  }
};

} // namespace

void mlir::pit::attachAttentionModels(MLIRContext *context) {
  AttendOp::attachInterface<AttendModel>(*context);
  AttendBackwardOp::attachInterface<AttendBackwardModel>(*context);
  AttendSequencesOp::attachInterface<AttendSequencesModel>(*context);
}

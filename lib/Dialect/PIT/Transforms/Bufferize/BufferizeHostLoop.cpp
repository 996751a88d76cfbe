//===- BufferizeHostLoop.cpp - Loops of the host to buffers ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferizationModels.h"

#include "PIT/Dialect/PIT/IR/PITLaunch.h"

#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::bufferization;

/// A new buffer of the same extents, one row after the other.
static Value createPlainBuffer(RewriterBase &rewriter, Location loc,
                               Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> extents;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(unsigned(axis)))
      extents.push_back(memref::DimOp::create(rewriter, loc, buffer, axis));
  auto plain = MemRefType::get(type.getShape(), type.getElementType());
  return memref::AllocOp::create(rewriter, loc, plain, extents);
}

namespace {

struct HostLoopModel
    : DstBufferizableOpInterfaceExternalModel<HostLoopModel, HostLoopOp> {
  /// All of a destination is written before it is read.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<HostLoopOp>(op).isDpsInit(&operand);
  }

  /// Functions take tensors row by row, so that parts of others are copied.
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto loop = cast<HostLoopOp>(op);
    Location loc = op->getLoc();
    SmallVector<Value> operands, results;
    SmallVector<std::pair<Value, Value>> copiedBack;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<TensorType>(operand.get().getType())) {
        operands.push_back(operand.get());
        continue;
      }
      FailureOr<Value> buffer =
          getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      bool isOut = loop.isDpsInit(&operand);
      Value passed = *buffer;
      if (!cast<MemRefType>(passed.getType()).getLayout().isIdentity()) {
        passed = createPlainBuffer(rewriter, loc, *buffer);
        if (isOut)
          copiedBack.push_back({passed, *buffer});
        else if (failed(options.createMemCpy(rewriter, loc, *buffer, passed)))
          return failure();
      }
      operands.push_back(passed);
      if (isOut)
        results.push_back(*buffer);
    }
    Operation *onBuffers = Operation::create(
        loc, op->getName(), /*resultTypes=*/TypeRange(), operands,
        op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
        /*successors=*/BlockRange(), /*numRegions=*/0);
    rewriter.insert(onBuffers);
    for (auto [from, to] : copiedBack)
      if (failed(options.createMemCpy(rewriter, loc, from, to)))
        return failure();
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};

} // namespace

void mlir::pit::attachHostLoopModel(MLIRContext *context) {
  HostLoopOp::attachInterface<HostLoopModel>(*context);
}

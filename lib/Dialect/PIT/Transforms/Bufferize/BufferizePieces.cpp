//===- BufferizePieces.cpp - Tensors that arrive in pieces ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferizationModels.h"

#include "PIT/Dialect/PIT/IR/PITPieces.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::bufferization;

namespace {

/// The result is the buffer of the source: others write it, not the program.
struct AwaitPiecesModel : ReadingModel<AwaitPiecesModel, AwaitPiecesOp> {
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    auto await = cast<AwaitPiecesOp>(op);
    if (&operand != &await.getSourceMutable() || !await.getResult())
      return {};
    return {{await.getResult(), BufferRelation::Equivalent}};
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto await = cast<AwaitPiecesOp>(op);
    if (await.isOnBuffers())
      return success();
    FailureOr<Value> source =
        getBuffer(rewriter, await.getSource(), options, state);
    FailureOr<Value> arrived =
        getBuffer(rewriter, await.getArrived(), options, state);
    if (failed(source) || failed(arrived))
      return failure();
    AwaitPiecesOp::create(rewriter, op->getLoc(), /*result=*/Type(), *source,
                          *arrived, await.getOwn());
    replaceOpWithBufferizedValues(rewriter, op, *source);
    return success();
  }
};

} // namespace

void mlir::pit::attachPiecesModel(MLIRContext *context) {
  AwaitPiecesOp::attachInterface<AwaitPiecesModel>(*context);
}

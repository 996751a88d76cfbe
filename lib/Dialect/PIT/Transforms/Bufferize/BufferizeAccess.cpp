//===- BufferizeAccess.cpp - SRead and SWrite of a tile on buffers --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SRead and SWrite of one tile become loops of row copies, which read the
// coordinates where they lie.
//
//===----------------------------------------------------------------------===//

#include "BufferizationModels.h"
#include "MicroTileRuns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::bufferization;

static int64_t getIndexedDim(ArrayRef<int64_t> dims) {
  return *llvm::find_if(dims, [](int64_t dim) { return dim >= 0; });
}

static LogicalResult checkIsTile(Operation *op, ValueRange tile) {
  if (!tile.empty())
    return success();
  return op->emitOpError("covers a whole tensor, which has no buffer form; run "
                         "--pit-tile-rules and --pit-expand-tiles "
                         "first");
}

namespace {

struct SReadModel : ReadingModel<SReadModel, SReadOp> {
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
    auto type = cast<RankedTensorType>(value.getType());
    return cast<BufferLikeType>(
        Type(MemRefType::get(type.getShape(), type.getElementType())));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto read = cast<SReadOp>(op);
    if (failed(checkIsTile(op, read.getTile())))
      return failure();
    FailureOr<Value> source =
        getBuffer(rewriter, read.getSource(), options, state);
    FailureOr<Value> index =
        getBuffer(rewriter, read.getIndex(), options, state);
    if (failed(source) || failed(index))
      return failure();
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(read.getType());
    FailureOr<Value> result = options.createAlloc(
        rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()),
        read.getResultExtents());
    if (failed(result))
      return failure();
    int64_t dim = getIndexedDim(read.getDims());
    bool failedToCopy = false;
    createRunLoop(
        rewriter, loc, read.getIndex().getType(), *index, read.getTile()[0],
        read.getTile()[1], [&](const Run &run) {
          Value from =
              createSlab(rewriter, loc, *source, dim, run.full, run.size);
          Value to =
              createSlab(rewriter, loc, *result, dim, run.packed, run.size);
          failedToCopy |= failed(options.createMemCpy(rewriter, loc, from, to));
        });
    if (failedToCopy)
      return failure();
    replaceOpWithBufferizedValues(rewriter, op, *result);
    return success();
  }
};

struct SWriteModel
    : DstBufferizableOpInterfaceExternalModel<SWriteModel, SWriteOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto write = cast<SWriteOp>(op);
    if (failed(checkIsTile(op, write.getTile())))
      return failure();
    FailureOr<Value> source =
        getBuffer(rewriter, write.getSource(), options, state);
    FailureOr<Value> dest =
        getBuffer(rewriter, write.getDest(), options, state);
    FailureOr<Value> index =
        getBuffer(rewriter, write.getIndex(), options, state);
    if (failed(source) || failed(dest) || failed(index))
      return failure();
    Location loc = op->getLoc();
    int64_t dim = getIndexedDim(write.getDims());
    bool failedToCopy = false;
    createRunLoop(
        rewriter, loc, write.getIndex().getType(), *index, write.getTile()[0],
        write.getTile()[1], [&](const Run &run) {
          Value from =
              createSlab(rewriter, loc, *source, dim, run.packed, run.size);
          Value to = createSlab(rewriter, loc, *dest, dim, run.full, run.size);
          if (write.getMode() == WriteMode::Accumulate)
            linalg::AddOp::create(rewriter, loc, ValueRange{to, from},
                                  ValueRange(to));
          else
            failedToCopy |=
                failed(options.createMemCpy(rewriter, loc, from, to));
        });
    if (failedToCopy)
      return failure();
    replaceOpWithBufferizedValues(rewriter, op, *dest);
    return success();
  }
};

} // namespace

void mlir::pit::attachAccessModels(MLIRContext *context) {
  SReadOp::attachInterface<SReadModel>(*context);
  SWriteOp::attachInterface<SWriteModel>(*context);
}

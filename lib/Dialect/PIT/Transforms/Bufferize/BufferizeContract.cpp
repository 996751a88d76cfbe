//===- BufferizeContract.cpp - Contract ops to buffers --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferizationModels.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::bufferization;

namespace {

struct ContractModel
    : DstBufferizableOpInterfaceExternalModel<ContractModel, ContractOp> {
  /// Where not all of C has points, the rest stays.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto contract = cast<ContractOp>(op);
    return !contract.isDpsInit(&operand) || !contract.writesAllOfC();
  }

  /// The epilogue reads an element where it writes one; A and B are read while
  /// C is written.
  bool bufferizesToElementwiseAccess(Operation *op, const AnalysisState &,
                                     ArrayRef<OpOperand *> operands) const {
    auto contract = cast<ContractOp>(op);
    unsigned c = contract.getIndexingMaps().size() - 1;
    auto isInPlace = [&](OpOperand *operand) {
      if (contract.isDpsInit(operand))
        return true;
      for (auto [number, own] :
           llvm::enumerate(contract.getEpilogueOperandsMutable())) {
        unsigned i = 1 + contract.getNumSums() + number;
        if (&own == operand)
          return contract.getMap(i) == contract.getMap(c) &&
                 contract.getListed()[i] == contract.getListed()[c];
      }
      return false;
    };
    return llvm::all_of(operands, isInPlace);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto contract = cast<ContractOp>(op);
    if (contract.isOnBuffers())
      return success();
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    Operation *onBuffers = Operation::create(
        op->getLoc(), op->getName(), /*resultTypes=*/TypeRange(), buffers,
        op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
        /*successors=*/BlockRange(), /*numRegions=*/1);
    onBuffers->getRegion(0).takeBody(contract.getEpilogue());
    rewriter.insert(onBuffers);
    replaceOpWithBufferizedValues(
        rewriter, op, buffers[contract.getInitMutable().getOperandNumber()]);
    return success();
  }
};

} // namespace

void mlir::pit::attachContractModel(MLIRContext *context) {
  ContractOp::attachInterface<ContractModel>(*context);
}

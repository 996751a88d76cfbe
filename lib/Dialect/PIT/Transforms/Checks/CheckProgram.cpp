//===- CheckProgram.cpp - What no pipeline takes --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "CheckMarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITCHECKPROGRAM
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

static LogicalResult checkCall(func::CallOp call,
                               SymbolTableCollection &symbols) {
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  if (!callee || !callee.isExternal() ||
      callee.getName().starts_with("pit_rt_"))
    return success();
  return call.emitOpError("calls '") << callee.getName()
                                     << "', which is only declared; a program "
                                        "is compiled as a whole, so it "
                                        "has to define what it calls";
}

static LogicalResult checkEncodings(Operation *op) {
  auto check = [&](TypeRange types, StringRef what) -> LogicalResult {
    for (auto [number, type] : llvm::enumerate(types)) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (tensor && tensor.getEncoding())
        return op->emitOpError()
               << what << " " << number << " is a tensor with the encoding "
               << tensor.getEncoding() << "; no pass keeps encodings";
    }
    return success();
  };
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return success(succeeded(check(function.getArgumentTypes(), "argument")) &&
                   succeeded(check(function.getResultTypes(), "result")));
  return success(succeeded(check(op->getOperandTypes(), "operand")) &&
                 succeeded(check(op->getResultTypes(), "result")));
}

/// A number that is a constant, or folds to one later.
static std::optional<int64_t> getKnown(OpFoldResult number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return constant;
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::EQ, cast<Value>(number));
  return succeeded(bound) ? std::optional<int64_t>(*bound) : std::nullopt;
}

static LogicalResult checkPad(tensor::PadOp pad) {
  auto check = [&](ArrayRef<OpFoldResult> numbers,
                   StringRef where) -> LogicalResult {
    for (auto [dim, number] : llvm::enumerate(numbers)) {
      std::optional<int64_t> known = getKnown(number);
      if (known && *known < 0)
        return pad.emitOpError("pads dimension ")
               << dim << " by " << *known << " " << where
               << "; padding is 0 or more, and less of a tensor is a "
                  "'tensor.extract_slice'";
    }
    return success();
  };
  if (failed(check(pad.getMixedLowPad(), "in front")))
    return failure();
  return check(pad.getMixedHighPad(), "behind");
}

namespace {
struct PITCheckProgram : pit::impl::PITCheckProgramBase<PITCheckProgram> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    auto check = [&](Operation *op) -> WalkResult {
      if (failed(checkMarks(op, getOperation())) || failed(checkEncodings(op)))
        return failure();
      if (auto call = dyn_cast<func::CallOp>(op))
        return checkCall(call, symbols);
      if (auto pad = dyn_cast<tensor::PadOp>(op))
        return checkPad(pad);
      return success();
    };
    if (getOperation()->walk<WalkOrder::PreOrder>(check).wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace

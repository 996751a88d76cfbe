//===- CheckProgram.cpp - What no pipeline takes --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "CheckMarks.h"
#include "CheckOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

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

/// Passes call functions of the runtime library by their names.
static LogicalResult checkName(func::FuncOp function) {
  if (function.isExternal() || !function.getName().starts_with("pit_rt_"))
    return success();
  return function.emitOpError("is called '")
         << function.getName()
         << "'; names that begin with 'pit_rt_' are the runtime library's";
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

namespace {
struct PITCheckProgram : pit::impl::PITCheckProgramBase<PITCheckProgram> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    auto check = [&](Operation *op) -> WalkResult {
      if (failed(checkMarks(op, getOperation())) ||
          failed(checkEncodings(op)) || failed(checkOp(op)))
        return failure();
      if (auto function = dyn_cast<func::FuncOp>(op))
        return checkName(function);
      if (auto call = dyn_cast<func::CallOp>(op))
        return checkCall(call, symbols);
      return success();
    };
    if (getOperation()->walk<WalkOrder::PreOrder>(check).wasInterrupted())
      return signalPassFailure();
    getOperation()->walk(dropPlaces);
    markAllAnalysesPreserved();
  }
};
} // namespace

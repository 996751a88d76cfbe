//===- CheckCPUCode.cpp - Whether all of a module is lowered --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITCHECKCPUCODE
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;

/// The op to blame for a module that is not lowered, or null. Casts of types
/// and functions stay for the sake of other ops, which say more.
static Operation *findLeftOver(Operation *root) {
  Operation *leftOver = nullptr;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ModuleOp>(op) ||
        isa_and_present<LLVM::LLVMDialect>(op->getDialect()))
      return WalkResult::advance();
    bool saysLittle = isa<UnrealizedConversionCastOp, FunctionOpInterface>(op);
    if (!leftOver || !saysLittle)
      leftOver = op;
    return saysLittle ? WalkResult::advance() : WalkResult::interrupt();
  });
  return leftOver;
}

namespace {

struct PITCheckCPUCodePass
    : pit::impl::PITCheckCPUCodeBase<PITCheckCPUCodePass> {
  void runOnOperation() override {
    Operation *op = findLeftOver(getOperation());
    if (!op)
      return;
    op->emitOpError("of type ")
        << FunctionType::get(&getContext(), op->getOperandTypes(),
                             op->getResultTypes())
        << " has no code for the CPU";
    signalPassFailure();
  }
};

} // namespace

//===- ConvertFunctionsToRuntime.cpp - Entry points on the CPU ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/Runtime/Passes.h"

#include "Checks.h"
#include "EntryPoint.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTFUNCTIONSTORUNTIME
#include "PIT/Target/Runtime/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct ConvertFunctionsToRuntimePass
    : pit::impl::ConvertFunctionsToRuntimeBase<ConvertFunctionsToRuntimePass> {
  void runOnOperation() override;
};

} // namespace

void ConvertFunctionsToRuntimePass::runOnOperation() {
  ModuleOp module = getOperation();
  lowerChecksInBodies(module);
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && function.isPublic())
      functions.push_back(function);
  for (func::FuncOp function : functions) {
    // Each takes two names.
    if (failed(checkNames(function, module)) ||
        failed(verifyChecks(function)) || failed(checkCPUFunction(function)))
      return signalPassFailure();
    ShapesFunction(function, module).build(/*usesWorkspace=*/false);
    CPUEntryPoint(function, module).build();
  }
  llvm::SmallSetVector<Operation *, 4> holders;
  for (func::FuncOp function : functions)
    if (func::FuncOp checks = getChecks(function))
      holders.insert(checks);
  for (Operation *checks : holders)
    checks->erase();
  for (func::FuncOp function : functions) {
    PITDialect::ChecksAttrHelper(&getContext()).removeAttr(function);
    function.setPrivate();
    if (SymbolTable::symbolKnownUseEmpty(function, module))
      function.erase();
  }
}

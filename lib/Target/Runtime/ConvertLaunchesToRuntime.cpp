//===- ConvertLaunchesToRuntime.cpp - Launches become runtime calls -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/Runtime/Passes.h"

#include "EntryPoint.h"
#include "Images.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTLAUNCHESTORUNTIME
#include "PIT/Target/Runtime/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct ConvertLaunchesToRuntimePass
    : pit::impl::ConvertLaunchesToRuntimeBase<ConvertLaunchesToRuntimePass> {
  void runOnOperation() override;

private:
  LogicalResult convert(func::FuncOp function, Images &images);
  void removeLeftovers();
};

} // namespace

LogicalResult ConvertLaunchesToRuntimePass::convert(func::FuncOp function,
                                                    Images &images) {
  ModuleOp module = getOperation();
  if (failed(checkNames(function, module)) || failed(verifyChecks(function)) ||
      failed(checkHostFunction(function)))
    return failure();
  ShapesFunction(function, module).build(/*usesWorkspace=*/true);
  return EntryPoint(function, module, images).build();
}

/// What only the converted functions used, and binaries, which are data now.
void ConvertLaunchesToRuntimePass::removeLeftovers() {
  ModuleOp module = getOperation();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<gpu::BinaryOp>(op))
      op.erase();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    auto function = dyn_cast<func::FuncOp>(op);
    bool isRuntime = function && function.isExternal() &&
                     function.getName().starts_with("pit_rt_");
    auto global = dyn_cast<memref::GlobalOp>(op);
    if ((isRuntime || (global && !global.isPublic())) &&
        SymbolTable::symbolKnownUseEmpty(&op, module))
      op.erase();
  }
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
}

void ConvertLaunchesToRuntimePass::runOnOperation() {
  Images images(getOperation());
  SmallVector<func::FuncOp> functions;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  for (func::FuncOp function : functions) {
    // Nobody calls a private function: calls are not allowed here.
    if (function.isPublic() && failed(convert(function, images)))
      return signalPassFailure();
  }
  for (func::FuncOp function : functions)
    function.erase();
  images.emitConstants();
  removeLeftovers();
}

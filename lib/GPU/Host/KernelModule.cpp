//===- KernelModule.cpp - Where a function's kernels are ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelModule.h"

using namespace mlir;

FailureOr<gpu::GPUModuleOp> mlir::pit::getKernelModule(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  std::string name = (function.getName() + "_kernels").str();
  if (Operation *symbol = SymbolTable(module).lookup(name)) {
    if (auto kernelModule = dyn_cast<gpu::GPUModuleOp>(symbol))
      return kernelModule;
    return symbol->emitOpError("has the name that the kernels of '")
           << function.getName() << "' need";
  }
  OpBuilder builder(function);
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  builder.setInsertionPointToEnd(module.getBody());
  return gpu::GPUModuleOp::create(builder, function.getLoc(), name);
}

LogicalResult mlir::pit::checkIsLaunched(func::FuncOp function, Operation *op,
                                         bool isOnBuffers) {
  if (op->getParentOp() != function)
    return op->emitOpError("is not at the top level of its function, from "
                           "which kernels are launched");
  if (!isOnBuffers)
    return op->emitOpError("works on tensors; bufferize before converting to "
                           "GPU kernels");
  return success();
}

std::string mlir::pit::makeKernelName(gpu::GPUModuleOp module,
                                      StringRef function, StringRef step) {
  std::string name;
  unsigned number = 0;
  do
    name = (function + step + Twine(number++)).str();
  while (module.lookupSymbol(name));
  return name;
}

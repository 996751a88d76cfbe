//===- list-axes.cpp - A tool built on an installed PIT -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the PIT-axes of every structured op of a program, then compiles the
// program for the CPU.
//
//===----------------------------------------------------------------------===//

#include "PIT/InitAllDialects.h"
#include "PIT/Interfaces/PITAxisOpInterface.h"
#include "PIT/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: list-axes FILE.mlir\n";
    return 2;
  }
  DialectRegistry registry;
  pit::registerAllDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], &context);
  if (!module)
    return 1;

  module->walk([](Operation *op) {
    FailureOr<SmallVector<pit::AxisInfo>> axes = pit::inferPITAxes(op);
    if (failed(axes))
      return;
    llvm::outs() << op->getName() << ":";
    for (const pit::AxisInfo &axis : *axes)
      llvm::outs() << " " << axis.str();
    llvm::outs() << "\n";
  });

  PassManager pm(&context);
  pit::PITToCPUOptions options;
  pit::buildPITToCPUPipeline(pm, options);
  if (failed(pm.run(*module)))
    return 1;
  llvm::outs() << "compiled\n";
  return 0;
}

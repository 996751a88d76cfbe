//===- RuntimeCalls.cpp - Calls into the runtime library ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

void pit::createRuntimeCall(OpBuilder &builder, Location loc, ModuleOp module,
                            StringRef name, ValueRange arguments) {
  auto callee = module.lookupSymbol<func::FuncOp>(name);
  if (!callee) {
    OpBuilder atModule = OpBuilder::atBlockBegin(module.getBody());
    callee = func::FuncOp::create(
        atModule, loc, name, builder.getFunctionType(arguments.getTypes(), {}));
    callee.setPrivate();
  }
  func::CallOp::create(builder, loc, callee, arguments);
}

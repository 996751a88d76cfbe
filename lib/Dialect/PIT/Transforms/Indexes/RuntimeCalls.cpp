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

Value pit::createRuntimeCall(OpBuilder &builder, Location loc, ModuleOp module,
                             StringRef name, ValueRange arguments,
                             bool hasResult) {
  auto callee = module.lookupSymbol<func::FuncOp>(name);
  if (!callee) {
    OpBuilder atModule = OpBuilder::atBlockBegin(module.getBody());
    SmallVector<Type> results(hasResult ? 1 : 0, builder.getI64Type());
    callee = func::FuncOp::create(
        atModule, loc, name,
        builder.getFunctionType(arguments.getTypes(), results));
    callee.setPrivate();
  }
  auto call = func::CallOp::create(builder, loc, callee, arguments);
  return hasResult ? call.getResult(0) : Value();
}

static int64_t findLine(Location loc) {
  int64_t line = 0;
  loc->walk([&](Location nested) {
    auto place = dyn_cast<FileLineColLoc>(nested);
    if (!place)
      return WalkResult::advance();
    line = place.getLine();
    return WalkResult::interrupt();
  });
  return line;
}

int64_t pit::getAccessCode(Location loc, int64_t axis, AccessNumber number) {
  return -2 - (findLine(loc) * 64 + axis * 4 + int64_t(number));
}

//===- Check.cpp - What arguments have to agree in ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PITCheck.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::pit;

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITCheckOps.cpp.inc"

LogicalResult CheckOp::verify() {
  StringRef message = getMessage();
  if (message.empty() || message.contains('\n') || message.contains('\0'))
    return emitOpError("Q1: the message has one line and is not empty");
  return success();
}

func::FuncOp mlir::pit::getChecks(func::FuncOp function) {
  PITDialect::ChecksAttrHelper helper(function.getContext());
  if (!helper.isAttrPresent(function))
    return {};
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      function, helper.getAttr(function));
}

LogicalResult mlir::pit::verifyChecks(func::FuncOp function) {
  PITDialect::ChecksAttrHelper helper(function.getContext());
  if (!helper.isAttrPresent(function))
    return success();
  auto refuse = [&](StringRef why) {
    return function.emitOpError("'")
           << helper.getNameStr() << "' names '" << helper.getAttr(function)
           << "', which " << why;
  };
  func::FuncOp checks = getChecks(function);
  if (!checks || checks.isExternal())
    return refuse("is no function with a body");
  if (!checks.isPrivate())
    return refuse("is not private, and never called");
  ArrayRef<Type> types = checks.getArgumentTypes();
  if (types.size() > function.getNumArguments() ||
      function.getArgumentTypes().take_front(types.size()) != types)
    return refuse("has other arguments");
  auto isAllowed = [](Operation &op) {
    return isa<CheckOp, func::ReturnOp>(op) ||
           (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
  };
  if (checks == function || checks.getNumResults() != 0 ||
      !checks.getBody().hasOneBlock() ||
      !llvm::all_of(checks.getBody().front(), isAllowed))
    return refuse("holds something else than checks and arithmetic");
  return success();
}

bool mlir::pit::holdsChecks(func::FuncOp function) {
  return !function.isExternal() && function.isPrivate() &&
         function.getNumResults() == 0 &&
         !function.getBody().front().getOps<CheckOp>().empty();
}

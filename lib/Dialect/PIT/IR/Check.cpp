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

bool mlir::pit::holdsChecks(func::FuncOp function) {
  return !function.isExternal() &&
         !function.getBody().front().getOps<CheckOp>().empty();
}

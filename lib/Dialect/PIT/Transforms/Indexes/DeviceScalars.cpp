//===- DeviceScalars.cpp - Scalars that launches would part ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceScalars.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

static bool isScalar(Type type) { return type.isIntOrIndexOrFloat(); }

bool mlir::pit::isCrossedByScalar(Operation *op) {
  Block *block = op->getBlock();
  llvm::SmallDenseSet<Value> onDevice;
  for (Operation &before : *block) {
    if (&before == op)
      break;
    if (isa<tensor::DimOp, tensor::RankOp, ExtentOp>(before))
      continue;
    bool reads =
        before.getNumRegions() > 0 ||
        llvm::any_of(before.getOperands(), [&](Value operand) {
          return !isScalar(operand.getType()) || onDevice.contains(operand);
        });
    if (!reads)
      continue;
    for (Value result : before.getResults()) {
      if (!isScalar(result.getType()))
        continue;
      onDevice.insert(result);
      for (Operation *user : result.getUsers())
        if (!block->findAncestorOpInBlock(*user)->isBeforeInBlock(op))
          return true;
    }
  }
  return false;
}

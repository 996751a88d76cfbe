//===- DeviceAnalysis.cpp - What the host runs, what the device -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceAnalysis.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether the op itself reads or writes elements of a buffer.
static bool touchesElements(Operation *op) {
  return isa<linalg::LinalgOp, memref::LoadOp, memref::StoreOp, ContractOp>(op);
}

DeviceAnalysis::DeviceAnalysis(func::FuncOp function)
    : body(&function.getBody().front()) {
  for (Operation &op : body->without_terminator()) {
    bool device =
        op.walk([&](Operation *nested) {
            bool depends =
                llvm::any_of(nested->getOperands(), [&](Value operand) {
                  Operation *def = operand.getDefiningOp();
                  return def && deviceOps.contains(def);
                });
            // Freeing a buffer does not depend on what is in it.
            if (isa<memref::DeallocOp>(nested))
              return WalkResult::advance();
            return depends || touchesElements(nested) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
          }).wasInterrupted();
    if (device)
      deviceOps.insert(&op);
  }
}

bool DeviceAnalysis::isKnownOnHost(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == body;
  Operation *def = value.getDefiningOp();
  return def->getBlock() == body && !deviceOps.contains(def);
}

bool DeviceAnalysis::isCrossedByScalar(Operation *op) const {
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    if (!isDevice(before))
      continue;
    for (Value result : before->getResults())
      for (Operation *user : result.getUsers()) {
        Operation *ancestor = body->findAncestorOpInBlock(*user);
        if (ancestor && !ancestor->isBeforeInBlock(op))
          return true;
      }
  }
  return false;
}

LogicalResult DeviceAnalysis::checkLaunch(Operation *op) const {
  if (op->getBlock() != body || !body->getParent()->hasOneBlock())
    return op->emitOpError("is not at the top level of its function, from "
                           "which kernels are launched");
  if (isCrossedByScalar(op))
    return op->emitOpError("stands between a scalar that the device reads "
                           "and its use");
  return success();
}

//===- DenseForm.cpp - Structured ops without their index -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DenseForm.h"

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

linalg::GenericOp mlir::pit::createDenseForm(
    RewriterBase &rewriter, GenericOp op, ValueRange inputs, ValueRange outputs,
    ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators,
    IRMapping captured) {
  auto dense =
      linalg::GenericOp::create(rewriter, op.getLoc(), outputs.getTypes(),
                                inputs, outputs, maps, iterators);
  op.getRegion().cloneInto(&dense.getRegion(), captured);
  Operation *yield = dense.getRegion().front().getTerminator();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<linalg::YieldOp>(yield, yield->getOperands());
  return dense;
}

bool mlir::pit::dividesByElements(GenericOp op) {
  Block &body = op.getRegion().front();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  return body
      .walk([&](Operation *nested) {
        if (!isa<arith::DivFOp, arith::RemFOp>(nested))
          return WalkResult::advance();
        auto divisor = dyn_cast<BlockArgument>(nested->getOperand(1));
        bool isKnown =
            matchPattern(nested->getOperand(1), m_Constant()) ||
            (divisor && divisor.getOwner() == &body &&
             mapAxesToDims(maps[divisor.getArgNumber()], op.getIndexAxes())
                 .empty());
        return isKnown ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

//===- DenseForm.cpp - Structured ops without their index -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DenseForm.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;

linalg::GenericOp mlir::pit::createDenseForm(
    RewriterBase &rewriter, GenericOp op, ValueRange inputs, ValueRange outputs,
    ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators) {
  auto dense =
      linalg::GenericOp::create(rewriter, op.getLoc(), outputs.getTypes(),
                                inputs, outputs, maps, iterators);
  IRMapping mapping;
  op.getRegion().cloneInto(&dense.getRegion(), mapping);
  Operation *yield = dense.getRegion().front().getTerminator();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<linalg::YieldOp>(yield, yield->getOperands());
  return dense;
}

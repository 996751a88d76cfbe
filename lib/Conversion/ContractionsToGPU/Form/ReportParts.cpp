//===- ReportParts.cpp - Which ops became part of a contract op -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportParts.h"

#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::pit;

void mlir::pit::reportParts(ArrayRef<Operation *> ops, Operation *product) {
  if (!remarks::areCollected(product))
    return;
  std::string place = remarks::spell(product->getLoc());
  auto report = [&](linalg::LinalgOp op) {
    if (op == product)
      return;
    bool isFill = op.getNumDpsInputs() == 0 || isa<linalg::FillOp>(op);
    if (op.getNumReductionLoops() > 0) {
      // In a tiled op, one of them is what the op was made from.
      if (remarks::getFileLocation(op.getLoc()) ==
          remarks::getFileLocation(product->getLoc()))
        return;
      remarks::passed(op, remarks::kFusion, "second-product")
          << ("computed with the product at " + place);
      return;
    }
    remarks::passed(op, remarks::kFusion, isFill ? "start" : "epilogue")
        << ((isFill ? "sums start there in the kernel of the product at "
                    : "in the epilogue of the product at ") +
            place);
  };
  for (Operation *op : ops)
    op->walk(report);
}

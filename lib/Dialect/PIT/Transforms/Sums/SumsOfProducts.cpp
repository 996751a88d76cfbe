//===- SumsOfProducts.cpp - Ops that add up products ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumsOfProducts.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

bool mlir::pit::addsUpProducts(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      op->hasAttr(PITDialect::DenseAttrHelper::getNameStr()))
    return false;
  auto isPair = [](Operation *first, Operation *second) {
    return (isa<arith::MulFOp>(first) && isa<arith::AddFOp>(second)) ||
           (isa<arith::MulIOp>(first) && isa<arith::AddIOp>(second));
  };
  // That looks through whatever has one operand, in front of the sum and behind
  // it; this does not.
  SmallVector<Operation *> combiners;
  return linalg::detail::isContractionBody(*op.getBody(), isPair) &&
         matchReduction(op.getRegionOutputArgs(), 0, combiners) &&
         combiners.size() == 1 &&
         isa<arith::AddFOp, arith::AddIOp>(combiners[0]);
}

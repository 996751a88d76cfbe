//===- SelectBlocks.cpp - One micro-tile for forward and gradients --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelectBlocks.h"

#include "PIT/Dialect/PIT/Analysis/ListedRows.h"
#include "PIT/Dialect/PIT/Analysis/SkippedBlocks.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether a block is made of whole micro-tiles along both axes of the matrix,
/// and the matrix of whole blocks.
static bool hasWholeBlocks(SparseOp mark) {
  auto type = cast<RankedTensorType>(mark.getType());
  PatternAttr pattern = mark.getPattern();
  if (type.getRank() != 2 || pattern.getRank() != 2 || !type.hasStaticShape())
    return false;
  // It may be what is asked for.
  if (pattern.getTileExtent(0) == kSkippedBlock &&
      pattern.getTileExtent(1) == kSkippedBlock)
    return false;
  for (unsigned i = 0; i < 2; ++i)
    if (type.getDimSize(i) == 0 || type.getDimSize(i) % kSkippedBlock != 0 ||
        kSkippedBlock % pattern.getTileExtent(i) != 0)
      return false;
  return true;
}

bool pit::suitsBlocks(SparseOp mark) {
  auto func = mark->getParentOfType<func::FuncOp>();
  if (!func || !hasWholeBlocks(mark))
    return false;
  SparsityPropagation propagation(func, PropagationOptions());
  unsigned id = propagation.getPattern(mark), products = 0;
  bool skipAll = true;
  auto note = [&](linalg::LinalgOp op, const Restriction &restriction) {
    const SparsePattern &pattern =
        propagation.getPatterns()[restriction.pattern];
    if (propagation.getRoot(restriction.pattern) != id || !isProduct(op))
      return;
    // What is only wanted where values live may be computed as a whole.
    if (restriction.reason == Restriction::Demand)
      return;
    ++products;
    skipAll &= !pattern.getBase() && skipsBlocks(op, restriction.axes);
  };
  func.walk([&](linalg::LinalgOp op) {
    if (const Restriction *restriction = propagation.getRestriction(op))
      note(op, *restriction);
    for (const Restriction &restriction :
         propagation.getFurtherRestrictions(op))
      note(op, restriction);
  });
  return products > 1 && skipAll;
}

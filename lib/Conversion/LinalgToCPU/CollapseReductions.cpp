//===- CollapseReductions.cpp - Several loops of a sum become one ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollapseReductions.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace mlir::pit;

linalg::LinalgOp mlir::pit::collapseReductions(linalg::LinalgOp op,
                                               RewriterBase &rewriter) {
  auto isPlain = [](AffineMap map) { return map.isProjectedPermutation(); };
  // To tell positions apart again would take a division per step.
  if (!isa<linalg::GenericOp>(op) || op.getNumReductionLoops() < 2 ||
      op.hasIndexSemantics() || !op.hasPureBufferSemantics() ||
      !llvm::all_of(op.getIndexingMapsArray(), isPlain))
    return op;
  SmallVector<ReassociationIndices> runs;
  auto endRun = [&] {
    if (!runs.empty() && runs.back().size() < 2)
      runs.pop_back();
  };
  unsigned before = op.getNumLoops();
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (kind != utils::IteratorType::reduction)
      continue;
    if (before + 1 != loop) {
      endRun();
      runs.emplace_back();
    }
    runs.back().push_back(loop);
    before = loop;
  }
  endRun();
  llvm::erase_if(runs, [&](const ReassociationIndices &run) {
    return !linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), run);
  });
  if (runs.empty())
    return op;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::CollapseResult> result =
      linalg::collapseOpIterationDims(op, runs, rewriter);
  if (failed(result))
    return op;
  rewriter.eraseOp(op);
  return result->collapsedOp;
}

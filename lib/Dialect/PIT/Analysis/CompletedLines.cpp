//===- CompletedLines.cpp - Lines of patterns without a live point --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReducedDims.h"

#include "PIT/Dialect/PIT/Analysis/LiveCounts.h"
#include "PIT/Dialect/PIT/Analysis/Lookups.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether the program shows that each line along a dimension of a pattern has
/// a live point.
static bool hasLivePoints(const SparsePattern &pattern, int64_t dim) {
  if (pattern.projected || pattern.attr.getKind() == PatternKind::Lengths)
    return false;
  int64_t sourceDim = pattern.by ? dim : pattern.attr.getAxes()[dim];
  return hasLiveInEachLine(pattern.getSource(), sourceDim);
}

/// Has lines along `dims` listed as a whole where they have no live point, if
/// the pattern has room for that. Of a projection, that are lines of what is
/// projected: where one of them has no live point, others may have some, whose
/// places are listed, and not its own.
bool SparsityPropagation::complete(unsigned pattern, ArrayRef<int64_t> dims) {
  SparsePattern *info = &patterns[pattern];
  SmallVector<int64_t> lines(dims);
  if (info->attr.hasBound())
    return false;
  if (info->projected) {
    for (int64_t &dim : lines)
      dim = info->kept[dim];
    info = &patterns[*info->projected];
  }
  if (info->attr.hasBound())
    return false;
  for (int64_t dim : lines)
    if (!llvm::is_contained(info->completed, dim))
      info->completed.push_back(dim);
  return true;
}

/// Where dead points were found to hold a constant although a reduction of live
/// points enters there, lines without any live point have to be computed as
/// they are written, if there are any. Fails where their pattern has no room
/// for that, and where the reduction reads low numbers as they are written.
bool SparsityPropagation::completeLines(linalg::LinalgOp op, unsigned pattern) {
  std::optional<unsigned> base = patterns[pattern].projected;
  for (Value tensor : getReadTensors(op))
    for (const ReducedLines &lines : reducedLines.lookup(tensor)) {
      // Where a projection is dead, whole lines of its pattern are.
      if (lines.pattern != pattern && lines.pattern != base)
        continue;
      SparsePattern &info = patterns[lines.pattern];
      if (lines.dims.size() == 1 && hasLivePoints(info, lines.dims.front()))
        continue;
      if (!lines.ofLive)
        info.endsAt = op.getLoc();
      if (!lines.ofLive || !complete(lines.pattern, lines.dims))
        return false;
    }
  return true;
}

/// Notes that `op` reduces lines of a pattern with the low numbers that are at
/// dead points: where it may not leave them out, or nobody can.
void SparsityPropagation::noteWholeLines(linalg::LinalgOp op, unsigned pattern,
                                         ArrayRef<int64_t> axes) {
  SmallVector<int64_t> reduced = getReducedDims(op, axes);
  if (reduced.empty() ||
      llvm::any_of(candidates.lookup(op), [&](const Restriction &restriction) {
        return restriction.pattern == pattern &&
               ArrayRef(restriction.axes) == axes;
      }))
    return;
  auto isLow = [&](Value tensor, ArrayRef<int64_t> dims) {
    const SparseFact *fact =
        dims.empty() ? nullptr : findFact(tensor, pattern, dims);
    return fact && fact->dead.kind == DeadValue::Constant &&
           !fact->dead.isExact;
  };
  bool readsLow = llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return isLow(operand.get(),
                 mapAxesToDims(op.getMatchingIndexingMap(&operand), axes));
  });
  for (Lookup lookup : getLookups(op))
    readsLow |= isLow(lookup.getTensor(), lookup.mapAxesToDims(axes));
  if (readsLow)
    for (Value result : op->getResults())
      reducedLines[result].push_back({pattern, reduced, /*ofLive=*/false});
}

/// The same of the lines that an op reduces itself, where dead points change
/// something only if there is no other one.
bool SparsityPropagation::completeReduced(linalg::LinalgOp op, unsigned pattern,
                                          ArrayRef<int64_t> axes) {
  SparsePattern &info = patterns[pattern];
  SmallVector<int64_t> reduced = getReducedDims(op, axes);
  if (reduced.size() == 1 && hasLivePoints(info, reduced.front()))
    return true;
  return complete(pattern, reduced);
}

//===- LimitedPatterns.cpp - Patterns within others -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op is restricted by one pattern. A router chooses experts for all rows,
// also for those of padding, so experts would compute rows that nobody reads.
// Where all ops that may skip by the experts of a row may skip dead rows as
// well, one list says both: which experts a row has, if it is live.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::pit;

using Tuple = std::pair<unsigned, SmallVector<int64_t>>;

/// Whether an op that visits points of `own` may leave out those that are dead
/// by `other`: what the result holds there is what it holds where `own` is
/// dead, or nobody reads it.
static bool mayLeaveOut(Operation *op, const Restriction &own,
                        const Restriction &other,
                        const SparsityPropagation &propagation) {
  if (other.dividesZero)
    return false;
  if (other.reason == Restriction::Demand || other.leavesOutputs)
    return true;
  auto structured = cast<linalg::LinalgOp>(op);
  return llvm::all_of(op->getResults(), [&](OpResult result) {
    AffineMap map = structured.getIndexingMapMatchingResult(result);
    auto findConstant = [&](const Restriction &restriction) -> TypedAttr {
      SmallVector<int64_t> dims = mapAxesToDims(map, restriction.axes);
      const SparseFact *fact =
          dims.empty()
              ? nullptr
              : propagation.findFact(result, restriction.pattern, dims);
      bool isKnown =
          fact && fact->dead.kind == DeadValue::Constant && fact->dead.isExact;
      return isKnown ? fact->dead.constant : TypedAttr();
    };
    TypedAttr constant = findConstant(own);
    return constant && constant == findConstant(other);
  });
}

/// The patterns outside of which nobody reads what a mark gives, or it is zero
/// as where the mark's own is dead, with the dimensions of the latter along
/// which they lie.
SmallVector<Tuple> SparsityPropagation::findUnread(SparseOp mark) const {
  SmallVector<Tuple> found = getDemand(mark.getResult());
  PatternAttr attr = mark.getPattern();
  auto type = cast<RankedTensorType>(mark.getType());
  for (const SparseFact &fact : getFacts(mark.getResult()))
    if (attr.getAbsent() != Absent::Undef &&
        fact.dead.kind == DeadValue::Constant && fact.dead.isExact &&
        fact.dead.constant ==
            getAbsentConstant(attr.getAbsent(), type.getElementType()))
      found.push_back({fact.pattern, fact.dims});
  ArrayRef<int64_t> axes = attr.getAxes().asArrayRef();
  llvm::erase_if(found, [&](const Tuple &tuple) {
    return !llvm::all_of(tuple.second, [&](int64_t dim) {
      return llvm::is_contained(axes, dim);
    });
  });
  for (Tuple &tuple : found)
    for (int64_t &dim : tuple.second)
      dim = llvm::find(axes, dim) - axes.begin();
  return found;
}

void SparsityPropagation::limitToRead(unsigned id) {
  SparsePattern &pattern = patterns[id];
  PatternKind kind = pattern.attr.getKind();
  if (!pattern.attr.hasBound() || pattern.extents.size() < 2 ||
      (kind != PatternKind::Mask && kind != PatternKind::Values) ||
      !pattern.hasUnitTile() || !pattern.completed.empty())
    return;
  // One that is read at memory speed, and whose bits are there in front of
  // this one's index.
  auto isCheap = [&](unsigned other) {
    const SparsePattern &root = patterns[getRoot(other)];
    return (root.attr.getKind() == PatternKind::Mask ||
            root.attr.getKind() == PatternKind::Lengths) &&
           !root.attr.hasBound() && root.hasUnitTile() && !root.onlyCompletes &&
           root.home == pattern.home && !dependsOn(other, pattern.first);
  };
  std::optional<SmallVector<Tuple>> common;
  auto intersect = [&](SmallVector<Tuple> here) {
    if (!common)
      common = std::move(here);
    else
      llvm::erase_if(*common, [&](const Tuple &tuple) {
        return !llvm::is_contained(here, tuple);
      });
  };
  // Ops that are restricted by the pattern, or by some of its dimensions: the
  // latter list what has a point in the others.
  for (auto &[op, options] : candidates)
    for (const Restriction &own : options) {
      if (getRoot(own.pattern) != id)
        continue;
      SmallVector<Tuple> here;
      for (const Restriction &other : options) {
        SmallVector<int64_t> dims;
        for (int64_t axis : other.axes)
          if (const auto *place = llvm::find(own.axes, axis);
              place != own.axes.end()) {
            int64_t dim = place - own.axes.begin();
            dims.push_back(own.pattern == id ? dim
                                             : patterns[own.pattern].kept[dim]);
          }
        if (dims.size() == other.axes.size() && isCheap(other.pattern) &&
            mayLeaveOut(op, own, other, *this))
          here.push_back({other.pattern, dims});
      }
      intersect(std::move(here));
    }
  if (!common)
    return;
  // Others may read what is marked, as those who return it do: all of it is
  // computed then.
  for (auto &[op, marked] : markPattern)
    if (marked == id)
      intersect(findUnread(cast<SparseOp>(op)));
  if (common->empty())
    return;
  // The order of ops in the table is none.
  const Tuple &chosen = *llvm::min_element(*common);
  pattern.within = chosen.first;
  pattern.withinDims = chosen.second;
}

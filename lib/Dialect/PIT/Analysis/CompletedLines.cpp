//===- CompletedLines.cpp - Lines of patterns without a live point --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FiniteNumbers.h"
#include "LowNumbers.h"
#include "ReducedDims.h"

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/Analysis/LiveCounts.h"
#include "PIT/Dialect/PIT/Analysis/Lookups.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether the program shows that each line along a dimension of a pattern has
/// a live point.
static bool hasLivePoints(const SparsePattern &pattern, int64_t dim) {
  if (pattern.getBase() || pattern.attr.getKind() == PatternKind::Lengths)
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
  } else if (info->reshaped) {
    // The one line of a pattern of one dimension is all that it is made of.
    if (info->extents.size() != 1)
      return false;
    info = &patterns[*info->reshaped];
    lines = llvm::to_vector(llvm::seq<int64_t>(0, info->extents.size()));
  }
  // Whole lines would have points that what is padded has no place for.
  if (info->attr.hasBound() || info->padded)
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
  SmallVector<unsigned> roots = getRoots(pattern);
  for (Value tensor : getReadTensors(op))
    for (const ReducedLines &lines : reducedLines.lookup(tensor)) {
      // Where a projection is dead, whole lines of its pattern are. What is
      // reshaped or padded is dead with what it is made of, and the other way
      // round; what is united with all of that.
      if (lines.pattern != pattern &&
          (!llvm::is_contained(roots, getRoot(lines.pattern)) ||
           patterns[lines.pattern].projected))
        continue;
      if (lines.emptyIsFinite && keepsFinite(op))
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
  if (reduced.empty() || patterns[pattern].onlyCompletes ||
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
      reducedLines[result].push_back(
          {pattern, reduced, /*ofLive=*/false, /*emptyIsFinite=*/false});
}

/// The same of the lines that an op reduces itself, where low numbers at dead
/// points change something only if there is no other number. Where another mask
/// makes live points low, too, a pattern of both has to say which lines those
/// are.
bool SparsityPropagation::completeReduced(linalg::LinalgOp op, unsigned pattern,
                                          ArrayRef<int64_t> axes) {
  if (lowNumbers->mayRead(op, pattern, axes) &&
      !completeByNarrower(op, pattern, axes))
    return false;
  SparsePattern &info = patterns[pattern];
  SmallVector<int64_t> reduced = getReducedDims(op, axes);
  if (reduced.size() == 1 && hasLivePoints(info, reduced.front()))
    return true;
  return complete(pattern, reduced);
}

/// Finds a pattern that is dead wherever masks write low numbers, and has the
/// lines listed that it leaves empty.
bool SparsityPropagation::completeByNarrower(linalg::LinalgOp op,
                                             unsigned pattern,
                                             ArrayRef<int64_t> axes) {
  const SparsePattern &info = patterns[pattern];
  if (info.getBase() || info.attr.hasBound() ||
      info.attr.getKind() == PatternKind::Blocks)
    return false;
  for (OpOperand *input : op.getDpsInputOperands())
    for (const SparseFact &fact : getFacts(input->get())) {
      const SparsePattern &narrower = patterns[fact.pattern];
      if (fact.pattern == pattern || narrower.getBase() ||
          narrower.attr.getKind() != PatternKind::Mask ||
          narrower.home != info.home)
        continue;
      SmallVector<int64_t> all =
          mapDimsToAxes(op.getMatchingIndexingMap(input), fact.dims);
      EmptyLines lines{fact.pattern, nullptr, {}, getReducedDims(op, axes)};
      for (int64_t axis : axes)
        if (auto *place = llvm::find(all, axis); place != all.end())
          lines.dims.push_back(place - all.begin());
      if (lines.dims.size() != axes.size() ||
          lowNumbers->mayRead(op, fact.pattern, all))
        continue;
      noteEmptyLines(op, pattern, std::move(lines), all);
      return true;
    }
  return false;
}

void SparsityPropagation::noteEmptyLines(Operation *op, unsigned pattern,
                                         EmptyLines lines,
                                         ArrayRef<int64_t> axes) {
  if (!llvm::is_contained(patterns[pattern].completedBy, lines))
    patterns[pattern].completedBy.push_back(lines);
  emptied.push_back({op, pattern, std::move(lines), llvm::to_vector(axes)});
}

/// The map of a result, by the axes of the op that reduces.
static AffineMap getResultMap(OpResult result) {
  if (auto attention = dyn_cast<AttendOp>(result.getOwner()))
    return attention.getInitMap();
  auto op = cast<linalg::LinalgOp>(result.getOwner());
  return op.getIndexingMapMatchingResult(result);
}

/// Whether all that is computed of `value`, and holds known numbers at dead
/// points of `pattern`, is read only where `reader` says, and so is what reads
/// that: a softmax of low numbers alone is a constant that is no zero, so that
/// a product with it reads all rows, although nobody read its maximum.
bool SparsityPropagation::isReadOnlyAt(
    const Demand &reader, Value value, unsigned pattern,
    llvm::SmallDenseSet<Value> &visited) const {
  if (!visited.insert(value).second)
    return true;
  if (!llvm::is_contained(getDemand(value), reader))
    return false;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (readsNoElements(user))
      continue;
    if (isDataMovement(user)) {
      auto dims = mapDimsToResult(use, reader.second);
      if (!dims || !isReadOnlyAt({reader.first, *dims}, user->getResult(0),
                                 pattern, visited))
        return false;
      continue;
    }
    auto op = dyn_cast<linalg::LinalgOp>(user);
    if (!op || !op.hasPureTensorSemantics() || op.isDpsInit(&use))
      return false;
    SmallVector<int64_t> axes =
        mapDimsToAxes(op.getMatchingIndexingMap(&use), reader.second);
    for (OpResult result : op->getResults()) {
      Demand demand(reader.first, mapAxesToDims(getResultMap(result), axes));
      bool isKnown =
          llvm::any_of(getFacts(result), [&](const SparseFact &fact) {
            return fact.pattern == pattern &&
                   ArrayRef(fact.dims) != ArrayRef(demand.second);
          });
      if (demand.second.size() != axes.size() ||
          !llvm::is_contained(getDemand(result), demand) ||
          (isKnown && !isReadOnlyAt(demand, result, pattern, visited)))
        return false;
    }
  }
  return true;
}

/// An empty line matters only where its reduction is read. Rows of padding are
/// not, mostly, and with the padding in front they are the ones without a key.
/// That is said by the pattern itself, of which no index is needed for it.
void SparsityPropagation::limitEmptyLines() {
  for (SparsePattern &pattern : patterns)
    pattern.completedBy.clear();
  for (Emptied &entry : emptied) {
    SparsePattern &info = patterns[entry.pattern];
    for (const auto &demand : getDemand(entry.op->getResult(0))) {
      const SparsePattern &reader = patterns[demand.first];
      SmallVector<int64_t> places;
      AffineMap map = getResultMap(entry.op->getResult(0));
      for (int64_t axis : mapDimsToAxes(map, demand.second))
        if (auto *place = llvm::find(entry.axes, axis);
            place != entry.axes.end())
          places.push_back(place - entry.axes.begin());
      bool isReadByAll =
          llvm::all_of(entry.op->getResults().drop_front(), [&](Value result) {
            return llvm::is_contained(getDemand(result), demand);
          });
      if (reader.getBase() || reader.getSource() != info.getSource() ||
          !reader.hasUnitTile() || places.size() != demand.second.size() ||
          !isReadByAll)
        continue;
      // What follows a result is asked for; that of attention is not followed.
      llvm::SmallDenseSet<Value> visited;
      if (isa<linalg::LinalgOp>(entry.op) &&
          !llvm::all_of(entry.op->getResults(), [&](Value result) {
            return isReadOnlyAt(demand, result, entry.pattern, visited);
          }))
        continue;
      entry.lines.read = demand.first;
      entry.lines.readDims = places;
      break;
    }
    if (!llvm::is_contained(info.completedBy, entry.lines))
      info.completedBy.push_back(entry.lines);
  }
}

bool EmptyLines::operator==(const EmptyLines &other) const {
  auto areAlike = [](AttendOp one, AttendOp two) {
    return one == two ||
           (one && two && llvm::equal(one.getModifiers(), two.getModifiers()) &&
            llvm::all_of(llvm::seq<unsigned>(one.getModifiers().size()),
                         [&](unsigned i) {
                           return one.getModifierMap(i) ==
                                  two.getModifierMap(i);
                         }) &&
            OperationEquivalence::isRegionEquivalentTo(
                &one.getRegion(), &two.getRegion(),
                OperationEquivalence::IgnoreLocations));
  };
  return narrower == other.narrower && areAlike(attention, other.attention) &&
         dims == other.dims && lines == other.lines && read == other.read &&
         readDims == other.readDims;
}

SmallVector<int64_t> pit::getLogitAxes(AttendOp op) {
  SmallVector<int64_t> axes;
  for (int64_t axis = 0, e = op.getNumAxes(); axis < e; ++axis) {
    bool varies =
        axis == op.getQueryAxis() || axis == op.getKeyAxis() ||
        (axis < op.getQueryAxis() && !op.getPosition(axis).use_empty());
    for (unsigned i = 0, n = op.getModifiers().size(); i < n; ++i)
      varies |= op.getModifierMap(i).isFunctionOfDim(axis);
    if (varies)
      axes.push_back(axis);
  }
  return axes;
}

//===- BackwardPropagation.cpp - Points that nobody reads -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "PIT/Analysis/RegionAnalysis.h"
#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/Analysis/Lookups.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::pit;

using Tuple = std::pair<unsigned, SmallVector<int64_t>>;

/// Where a structured op reads a tensor; `mapToDims` says along which of its
/// dimensions iteration axes lie.
SmallVector<Tuple> SparsityPropagation::getDemandOf(
    Operation *op,
    function_ref<SmallVector<int64_t>(ArrayRef<int64_t>)> mapToDims) const {
  SmallVector<Tuple> demand;
  auto add = [&](const Restriction &restriction) {
    SmallVector<int64_t> dims = mapToDims(restriction.axes);
    Tuple tuple(restriction.pattern, dims);
    if (!dims.empty() && !llvm::is_contained(demand, tuple))
      demand.push_back(std::move(tuple));
  };
  if (const Restriction *restriction = getRestriction(op))
    add(*restriction);
  // What another pattern says stays true where it is not the chosen one.
  for (const Restriction &restriction : candidates.lookup(op))
    if (!restriction.dividesZero &&
        !mayMakeNonFinite(cast<linalg::LinalgOp>(op), restriction.axes))
      add(restriction);
  return demand;
}

/// Where a mark reads its source, or what its pattern is read from.
SmallVector<Tuple> SparsityPropagation::getDemandOfMark(SparseOp mark,
                                                        OpOperand &use) const {
  auto it = markPattern.find(mark);
  if (it == markPattern.end())
    return {};
  PatternAttr attr = mark.getPattern();
  SmallVector<int64_t> axes = llvm::to_vector(attr.getAxes().asArrayRef());
  bool isSource = use.getOperandNumber() == 0;
  if (isSource && attr.getKind() != PatternKind::Values) {
    // Dead elements are replaced, so nobody reads what stood there.
    SmallVector<Tuple> demand = getDemand(mark.getResult());
    demand.push_back({it->second, axes});
    return demand;
  }
  // The pattern is not asked for where it lists nothing in any case.
  const SparsePattern &pattern = patterns[it->second];
  if (!pattern.within)
    return {};
  SmallVector<int64_t> dims(pattern.withinDims);
  if (isSource)
    for (int64_t &dim : dims)
      dim = axes[dim];
  return {{*pattern.within, dims}};
}

SmallVector<Tuple> SparsityPropagation::getDemand(Value value) const {
  std::optional<SmallVector<Tuple>> demand;
  for (OpOperand &use : value.getUses()) {
    SmallVector<Tuple> here;
    Operation *user = use.getOwner();
    if (readsNoElements(user))
      continue;
    if (auto mark = dyn_cast<SparseOp>(user)) {
      here = getDemandOfMark(mark, use);
    } else if (isDataMovement(user)) {
      for (const Tuple &tuple : movedDemand.lookup(user))
        if (auto dims = mapDimsToOperand(use, tuple.second))
          here.push_back({tuple.first, *dims});
      llvm::append_range(here, reshapedDemand.lookup(user));
    } else if (auto attention = dyn_cast<AttendOp>(user)) {
      here = getDemandOfAttention(attention, use);
    } else if (auto op = dyn_cast<linalg::LinalgOp>(user);
               op && op.hasPureTensorSemantics() && !op.isDpsInit(&use)) {
      AffineMap map = op.getMatchingIndexingMap(&use);
      here = getDemandOf(user, [&](ArrayRef<int64_t> axes) {
        return mapAxesToDims(map, axes);
      });
      llvm::append_range(here, unread.lookup({user, use.getOperandNumber()}));
    } else if (auto extract = dyn_cast<tensor::ExtractOp>(user)) {
      if (std::optional<Lookup> lookup = getLookup(extract);
          lookup && use.getOperandNumber() == 0)
        here = getDemandOf(extract->getParentOp(), [&](ArrayRef<int64_t> axes) {
          return lookup->mapAxesToDims(axes);
        });
    }
    if (!demand) {
      demand = here;
      continue;
    }
    // What is read within one pattern is read within all that include it.
    auto isWithin = [&](const Tuple &tuple, ArrayRef<Tuple> all) {
      return llvm::any_of(all, [&](const Tuple &other) {
        return other.second == tuple.second &&
               includes(tuple.first, other.first);
      });
    };
    SmallVector<Tuple> before = *demand;
    llvm::erase_if(*demand,
                   [&](const Tuple &tuple) { return !isWithin(tuple, here); });
    for (const Tuple &tuple : here)
      if (!llvm::is_contained(*demand, tuple) && isWithin(tuple, before))
        demand->push_back(tuple);
  }
  return demand.value_or(SmallVector<Tuple>());
}

/// Whether one of the tensors that the pattern's index is made of is computed
/// from a result of `op`.
bool SparsityPropagation::dependsOn(unsigned pattern, Operation *op) const {
  SmallVector<Value> worklist;
  for (unsigned root : getRoots(pattern)) {
    worklist.push_back(patterns[root].getSource());
    for (const EmptyLines &lines : patterns[root].completedBy)
      if (AttendOp attention = lines.attention)
        llvm::append_range(worklist, attention.getModifiers());
      else
        worklist.push_back(patterns[lines.narrower].getSource());
  }
  llvm::SmallPtrSet<Operation *, 16> visited;
  if (std::optional<unsigned> other = patterns[pattern].within)
    worklist.push_back(patterns[*other].getSource());
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *def = value.getDefiningOp();
    // What a region gets comes from the op around, or from another region.
    if (!def)
      def = value.getParentBlock()->getParentOp();
    if (!visited.insert(def).second || isa<FunctionOpInterface>(def))
      continue;
    if (def == op)
      return true;
    // Regions read values of the block around, too.
    def->walk([&](Operation *nested) {
      llvm::append_range(worklist, nested->getOperands());
    });
  }
  return false;
}

void SparsityPropagation::visitBackward(Operation &operation) {
  if (auto mark = dyn_cast<SparseOp>(operation)) {
    // All that follows the pattern is behind its first mark.
    if (unsigned id = getPattern(mark); patterns[id].first == mark)
      limitToRead(id);
    return;
  }
  // Nobody reads of what is moved what nobody reads of the result.
  if (isDataMovement(&operation) ||
      (isa<AttendOp>(operation) && operation.getNumResults() == 1)) {
    SmallVector<Tuple> demand = getDemand(operation.getResult(0));
    if (isDataMovement(&operation))
      for (const Tuple &tuple : demand)
        if (!mapDimsToOperand(operation.getOpOperand(0), tuple.second))
          if (auto moved = moveAlong(&operation, tuple.first, tuple.second,
                                     /*toOperand=*/true))
            reshapedDemand[&operation].push_back(*moved);
    movedDemand[&operation] = std::move(demand);
    return;
  }
  auto op = dyn_cast<linalg::LinalgOp>(operation);
  if (!op || !op.hasPureTensorSemantics() || isa<linalg::FillOp>(operation) ||
      operation.hasAttr(PITDialect::DenseAttrHelper::getNameStr()))
    return;
  // An op without results is there for what its body does.
  if (op->getNumResults() == 0)
    return;
  SmallVector<Restriction> options = candidates.lookup(op);
  // An op that computes what an index is made of cannot wait for it.
  llvm::erase_if(options, [&](const Restriction &candidate) {
    return llvm::any_of(getRoots(candidate.pattern),
                        [&](unsigned root) {
                          return !patterns[root].completedBy.empty();
                        }) &&
           dependsOn(candidate.pattern, op);
  });
  candidates[op] = options;

  // All results must be unread at the dead points.
  if (FailureOr<SmallVector<AxisInfo>> axisInfo =
          inferPITAxes(op, AxisOptions{this->options.strict});
      succeeded(axisInfo)) {
    SmallVector<OpResult> read =
        llvm::filter_to_vector(op->getResults(), [](OpResult result) {
          return !llvm::all_of(result.getUsers(), readsNoElements);
        });
    for (const Tuple &tuple :
         read.empty() ? SmallVector<Tuple>() : getDemand(read.front())) {
      AffineMap map = op.getIndexingMapMatchingResult(read.front());
      SmallVector<int64_t> axes = mapDimsToAxes(map, tuple.second);
      if (axes.empty() || patterns[tuple.first].onlyCompletes ||
          llvm::any_of(axes, [&](int64_t axis) {
            return (*axisInfo)[axis].kind != AxisKind::Parallel;
          }))
        continue;
      bool everywhere = true;
      for (OpResult result : ArrayRef(read).drop_front()) {
        SmallVector<int64_t> dims =
            mapAxesToDims(op.getIndexingMapMatchingResult(result), axes);
        everywhere &=
            !dims.empty() &&
            llvm::is_contained(getDemand(result), Tuple{tuple.first, dims});
      }
      // Neither is a pattern that has all points of a known one.
      bool known = llvm::any_of(options, [&](const Restriction &candidate) {
        return candidate.axes == axes &&
               (candidate.pattern == tuple.first ||
                (candidate.reason != Restriction::Annihilated &&
                 includes(tuple.first, candidate.pattern)));
      });
      if (everywhere && !known && isVisible(tuple.first, op) &&
          !dependsOn(tuple.first, op))
        options.push_back({tuple.first, axes, Restriction::Demand});
    }
  }
  if (options.empty())
    return;
  candidates[op] = options;
  choose(op);
}

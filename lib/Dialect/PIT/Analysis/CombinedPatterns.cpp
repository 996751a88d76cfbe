//===- CombinedPatterns.cpp - Points of one of several patterns, or of all ===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum is zero where all of its terms are. The gradient of attention has rows
// of queries that somebody reads, and rows of keys that are no padding: behind
// the sum of both, only points that one of the patterns has are live. And what
// is zero where either of two patterns is dead, as the loss of a label that
// counts at a position that counts, is live where both are.
//
// What is dead in a pattern is dead in all that it includes, so all that is
// known of those is known of it.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::pit;

/// More masks than this say little of what is left.
static constexpr unsigned kMostParts = 4;

bool SparsityPropagation::includes(unsigned pattern, unsigned other) const {
  if (pattern == other)
    return true;
  const SparsePattern &info = patterns[pattern], &inner = patterns[other];
  auto isIn = [&](unsigned part) { return includes(pattern, part); };
  auto has = [&](unsigned part) { return includes(part, other); };
  if (inner.combination == Combination::AnyOf)
    return llvm::all_of(inner.parts, isIn);
  if (info.combination == Combination::AllOf)
    return llvm::all_of(info.parts, has);
  if ((inner.combination == Combination::AllOf &&
       llvm::any_of(inner.parts, isIn)) ||
      (info.combination == Combination::AnyOf && llvm::any_of(info.parts, has)))
    return true;
  if (info.extents != inner.extents)
    return false;
  // Both stand behind the same movement.
  if (info.reshaped && inner.reshaped)
    return patterns[*info.reshaped].extents ==
               patterns[*inner.reshaped].extents &&
           includes(*info.reshaped, *inner.reshaped);
  return info.padded && inner.padded && info.before == inner.before &&
         patterns[*info.padded].extents == patterns[*inner.padded].extents &&
         includes(*info.padded, *inner.padded);
}

const SparseFact *
SparsityPropagation::findImplied(Value value, unsigned pattern,
                                 ArrayRef<int64_t> dims) const {
  if (const SparseFact *own = findFact(value, pattern, dims))
    return own;
  for (const SparseFact &fact : getFacts(value))
    if (ArrayRef<int64_t>(fact.dims) == dims && includes(pattern, fact.pattern))
      return &fact;
  return nullptr;
}

/// Whether points of a pattern are those of a mask, which is there before what
/// it restricts, and not of numbers that are compared: blocks without any live
/// one are rare there, and more so of several.
bool SparsityPropagation::canCombine(unsigned pattern) const {
  const SparsePattern &info = patterns[pattern];
  PatternKind kind = info.attr.getKind();
  return (kind == PatternKind::Mask || kind == PatternKind::Lengths) &&
         info.hasUnitTile() && !info.attr.hasBound() && !info.projected &&
         !patterns[getRoot(pattern)].onlyCompletes && !comparesNumbers(pattern);
}

std::optional<unsigned>
SparsityPropagation::combine(Combination combination,
                             ArrayRef<unsigned> combined) {
  SmallVector<unsigned> parts;
  for (unsigned pattern : combined) {
    const SparsePattern &info = patterns[pattern];
    if (info.combination == combination)
      llvm::append_range(parts, info.parts);
    else
      parts.push_back(pattern);
  }
  llvm::sort(parts);
  parts.erase(llvm::unique(parts), parts.end());
  // What another part has, or lacks, in any case.
  auto isImplied = [&](unsigned part) {
    return llvm::any_of(parts, [&](unsigned other) {
      bool isAnyOf = combination == Combination::AnyOf;
      unsigned wide = isAnyOf ? other : part, narrow = isAnyOf ? part : other;
      return other != part && includes(wide, narrow) &&
             (other < part || !includes(narrow, wide));
    });
  };
  SmallVector<unsigned> needed;
  llvm::copy_if(parts, std::back_inserter(needed),
                [&](unsigned part) { return !isImplied(part); });
  parts = std::move(needed);
  if (parts.size() == 1)
    return parts.front();
  const SparsePattern &first = patterns[parts.front()];
  if (parts.size() > kMostParts || !llvm::all_of(parts, [&](unsigned part) {
        return canCombine(part) && patterns[part].home == first.home &&
               patterns[part].extents == first.extents;
      }))
    return std::nullopt;
  for (auto [id, other] : llvm::enumerate(patterns))
    if (other.combination == combination &&
        ArrayRef<unsigned>(other.parts) == ArrayRef<unsigned>(parts))
      return unsigned(id);
  // Behind the same movement, they are the moved one of what is combined there.
  auto isReshaped = [&](unsigned part) {
    const SparsePattern &info = patterns[part];
    return info.reshaped && first.reshaped &&
           patterns[*info.reshaped].extents ==
               patterns[*first.reshaped].extents;
  };
  auto isPadded = [&](unsigned part) {
    const SparsePattern &info = patterns[part];
    return info.padded && first.padded && info.before == first.before &&
           patterns[*info.padded].extents == patterns[*first.padded].extents;
  };
  if (llvm::all_of(parts, isReshaped) || llvm::all_of(parts, isPadded)) {
    const SparsePattern like = first;
    std::optional<unsigned> base =
        combine(combination, llvm::map_to_vector(parts, [&](unsigned part) {
                  return *patterns[part].getBase();
                }));
    if (!base)
      return std::nullopt;
    if (like.reshaped)
      return internReshaped(*base, like.extents);
    return internPadded(*base, like.extents, like.before);
  }
  SparsePattern made = first;
  made.attr = PatternAttr::get(
      first.attr.getContext(), PatternKind::Mask,
      DenseI64ArrayAttr::get(
          first.attr.getContext(),
          llvm::to_vector(llvm::seq<int64_t>(0, first.extents.size()))),
      first.attr.getAbsent(), first.attr.getPad(), DenseI64ArrayAttr(),
      /*atMost=*/0);
  made.forgetUses();
  made.reshaped = made.padded = std::nullopt;
  made.before.clear();
  made.combination = combination;
  made.parts.assign(parts.begin(), parts.end());
  patterns.push_back(std::move(made));
  return unsigned(patterns.size() - 1);
}

/// Of patterns in which one value is dead, one that includes no other.
unsigned SparsityPropagation::getNarrowest(ArrayRef<unsigned> known) const {
  unsigned narrowest = known.front();
  for (unsigned other : known.drop_front())
    if (includes(narrowest, other))
      narrowest = other;
  return narrowest;
}

/// Whether anything was noted of a pattern where an op was visited.
bool SparsityPropagation::isNoted(unsigned pattern, linalg::LinalgOp op) const {
  auto isOf = [&](const auto &noted) { return noted.pattern == pattern; };
  return llvm::any_of(op->getResults(),
                      [&](OpResult result) {
                        return llvm::any_of(getFacts(result), isOf);
                      }) ||
         llvm::any_of(candidates.lookup(op), isOf) ||
         llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           return llvm::any_of(
               unread.lookup({op, input->getOperandNumber()}),
               [&](const Demand &demand) { return demand.first == pattern; });
         });
}

void SparsityPropagation::forwardUnited(linalg::LinalgOp op,
                                        ArrayRef<AxisInfo> axisInfo) {
  if (op.getNumReductionLoops() != 0 || op.getNumDpsInputs() < 2)
    return;
  // What is known of each input, by the axes along which it lies.
  llvm::MapVector<ArrayAttr, SmallVector<SmallVector<unsigned>>> found;
  Builder builder(op.getContext());
  for (OpOperand *input : op.getDpsInputOperands()) {
    llvm::MapVector<ArrayAttr, SmallVector<unsigned>> here;
    for (const SparseFact &fact : getFacts(input->get())) {
      SmallVector<int64_t> axes =
          mapDimsToAxes(op.getMatchingIndexingMap(input), fact.dims);
      if (!axes.empty() && fact.dead.kind == DeadValue::Constant &&
          canCombine(fact.pattern))
        here[builder.getI64ArrayAttr(axes)].push_back(fact.pattern);
    }
    for (auto &[axes, ids] : here)
      found[axes].push_back(std::move(ids));
  }
  for (auto &[axesAttr, inputs] : found) {
    if (inputs.size() < 2)
      continue;
    auto axes = llvm::map_to_vector(axesAttr, [](Attribute axis) {
      return cast<IntegerAttr>(axis).getInt();
    });
    if (!llvm::all_of(axes,
                      [&](int64_t axis) { return axisInfo[axis].isPITAxis(); }))
      continue;
    auto isKnown = [&](OpResult result) {
      SmallVector<int64_t> dims =
          mapAxesToDims(op.getIndexingMapMatchingResult(result), axes);
      return dims.empty() ||
             llvm::any_of(getFacts(result), [&](const SparseFact &fact) {
               return ArrayRef<int64_t>(fact.dims) == ArrayRef<int64_t>(dims);
             });
    };
    if (llvm::all_of(op->getResults(), isKnown))
      continue;
    SmallVector<unsigned> parts;
    for (ArrayRef<unsigned> ids : inputs)
      if (llvm::none_of(ids, [&](unsigned id) {
            return llvm::any_of(
                parts, [&](unsigned part) { return includes(part, id); });
          }))
        parts.push_back(getNarrowest(ids));
    if (parts.size() < 2)
      continue;
    size_t numBefore = patterns.size();
    std::optional<unsigned> united = combine(Combination::AnyOf, parts);
    if (!united)
      continue;
    forwardTuple(op, *united, axes);
    // One that says nothing of a sum is not looked for.
    if (*united >= numBefore && !isNoted(*united, op))
      patterns.truncate(numBefore);
  }
}

void SparsityPropagation::forwardIntersected(linalg::LinalgOp op) {
  // A mask is a pattern of its own.
  if (llvm::any_of(op->getResultTypes(), [](Type type) {
        return getElementTypeOrSelf(type).isInteger(1);
      }))
    return;
  // By the axes along which they lie: patterns outside of which all results
  // are one constant each, as the program writes it.
  llvm::MapVector<ArrayAttr, SmallVector<unsigned>> found;
  Builder builder(op.getContext());
  for (const Restriction &option : candidates.lookup(op)) {
    auto isConstant = [&](OpResult result) {
      SmallVector<int64_t> dims =
          mapAxesToDims(op.getIndexingMapMatchingResult(result), option.axes);
      const SparseFact *fact =
          dims.empty() ? nullptr : findFact(result, option.pattern, dims);
      return fact && fact->dead.kind == DeadValue::Constant &&
             fact->dead.isExact;
    };
    if (option.reason == Restriction::DeadResult && !option.dividesZero &&
        canCombine(option.pattern) &&
        llvm::all_of(op->getResults(), isConstant))
      found[builder.getI64ArrayAttr(option.axes)].push_back(option.pattern);
  }
  for (auto &[axesAttr, ids] : found) {
    auto axes = llvm::map_to_vector(axesAttr, [](Attribute axis) {
      return cast<IntegerAttr>(axis).getInt();
    });
    SmallVector<unsigned> parts;
    for (unsigned id : ids)
      if (llvm::none_of(ids, [&](unsigned other) {
            return other != id && includes(id, other);
          }))
        parts.push_back(id);
    auto findDead = [&](OpResult result, unsigned id) {
      return findFact(
                 result, id,
                 mapAxesToDims(op.getIndexingMapMatchingResult(result), axes))
          ->dead;
    };
    bool areSame = llvm::all_of(op->getResults(), [&](OpResult result) {
      return llvm::all_of(parts, [&](unsigned part) {
        return findDead(result, part) == findDead(result, parts.front());
      });
    });
    if (parts.size() < 2 || !areSame)
      continue;
    std::optional<unsigned> both = combine(Combination::AllOf, parts);
    if (!both)
      continue;
    bool leavesOutputs = true;
    for (const Restriction &option : candidates[op])
      if (llvm::is_contained(parts, option.pattern) && option.axes == axes)
        leavesOutputs &= option.leavesOutputs;
    for (OpResult result : op->getResults())
      addFact(result,
              {*both,
               mapAxesToDims(op.getIndexingMapMatchingResult(result), axes),
               findDead(result, parts.front())});
    candidates[op].push_back(
        {*both, axes, Restriction::DeadResult, leavesOutputs, false});
  }
}

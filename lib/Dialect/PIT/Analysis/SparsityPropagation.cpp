//===- SparsityPropagation.cpp - Two-way propagation of sparsity patterns -===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowNumbers.h"

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "PIT/Analysis/RegionAnalysis.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pit;

StringRef pit::stringifyReason(Restriction::Reason reason) {
  switch (reason) {
  case Restriction::Annihilated:
    return "annihilated";
  case Restriction::DeadResult:
    return "dead-result";
  case Restriction::Demand:
    return "demand";
  }
  return "";
}

bool SparsePattern::hasUnitTile() const {
  for (unsigned i = 0, e = attr.getRank(); i < e; ++i)
    if (attr.getTileExtent(i) != 1)
      return false;
  return true;
}

bool SparsePattern::isTransparent() const {
  PatternKind kind = attr.getKind();
  // A dead element of a values pattern holds the absent value already. What the
  // others' is, is up to each mark: the pattern's is that of its first one.
  if (kind == PatternKind::Values)
    return true;
  return completed.empty() && !getBase() &&
         (kind == PatternKind::Blocks || hasUnitTile());
}

SmallVector<int64_t> pit::mapAxesToDims(AffineMap map, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> dims;
  for (int64_t axis : axes) {
    auto it =
        llvm::find(map.getResults(), getAffineDimExpr(axis, map.getContext()));
    if (it == map.getResults().end())
      return {};
    dims.push_back(it - map.getResults().begin());
  }
  return dims;
}

SmallVector<int64_t> pit::mapDimsToAxes(AffineMap map, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> axes;
  for (int64_t dim : dims) {
    auto expr = dyn_cast<AffineDimExpr>(map.getResult(dim));
    if (!expr || llvm::is_contained(axes, expr.getPosition()))
      return {};
    axes.push_back(expr.getPosition());
  }
  return axes;
}

TypedAttr pit::getAbsentConstant(Absent absent, Type element) {
  if (absent == Absent::Zero)
    return cast<TypedAttr>(Builder(element.getContext()).getZeroAttr(element));
  auto type = cast<FloatType>(element);
  return FloatAttr::get(
      type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true));
}

SparsityPropagation::SparsityPropagation(FunctionOpInterface func,
                                         const PropagationOptions &options)
    : options(options) {
  if (func.isExternal())
    return;
  Block &block = func.getFunctionBody().front();
  LowNumbers numbers(*this);
  lowNumbers = &numbers;
  visitForward(block);
  lowNumbers = nullptr;
  visitBackward(block);
  alignChosen();
  limitEmptyLines();
}

SmallVector<Block *> SparsityPropagation::getNestedBlocks(Operation *op) const {
  // Iterations of parallel loops share what they write to.
  if (!options.regions || !isa<RegionBranchOpInterface>(op) ||
      op->hasTrait<OpTrait::HasParallelRegion>())
    return {};
  SmallVector<Block *> blocks;
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    if (!region.hasOneBlock())
      return {};
    blocks.push_back(&region.front());
  }
  return blocks;
}

void SparsityPropagation::visitForward(Block &block) {
  for (Operation &op : block) {
    visitForward(op);
    for (Block *nested : getNestedBlocks(&op))
      visitForward(*nested);
  }
}

void SparsityPropagation::visitBackward(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    for (Block *nested : llvm::reverse(getNestedBlocks(&op)))
      visitBackward(*nested);
    visitBackward(op);
  }
}

SmallVector<unsigned> SparsityPropagation::getRoots(unsigned pattern) const {
  SmallVector<unsigned> roots, worklist{pattern};
  while (!worklist.empty()) {
    unsigned id = worklist.pop_back_val();
    const SparsePattern &info = patterns[id];
    if (!info.parts.empty())
      llvm::append_range(worklist, info.parts);
    else if (std::optional<unsigned> base = info.getBase())
      worklist.push_back(*base);
    else if (!llvm::is_contained(roots, id))
      roots.push_back(id);
  }
  return roots;
}

bool SparsityPropagation::isVisible(unsigned pattern, Operation *op) const {
  return patterns[pattern].home->findAncestorOpInBlock(*op) != nullptr;
}

ArrayRef<SparseFact> SparsityPropagation::getFacts(Value value) const {
  auto it = facts.find(value);
  return it == facts.end() ? ArrayRef<SparseFact>()
                           : ArrayRef<SparseFact>(it->second);
}

const SparseFact *SparsityPropagation::findFact(Value value, unsigned pattern,
                                                ArrayRef<int64_t> dims) const {
  for (const SparseFact &fact : getFacts(value))
    if (fact.pattern == pattern && ArrayRef<int64_t>(fact.dims) == dims)
      return &fact;
  return nullptr;
}

const Restriction *SparsityPropagation::getRestriction(Operation *op) const {
  auto it = chosen.find(op);
  return it == chosen.end() ? nullptr : &it->second;
}

ArrayRef<Restriction>
SparsityPropagation::getFurtherRestrictions(Operation *op) const {
  auto it = further.find(op);
  return it == further.end() ? ArrayRef<Restriction>()
                             : ArrayRef<Restriction>(it->second);
}

void SparsityPropagation::addFact(Value value, SparseFact fact) {
  if (!findFact(value, fact.pattern, fact.dims))
    facts[value].push_back(std::move(fact));
}

unsigned SparsityPropagation::internPattern(SparseOp op) {
  PatternAttr attr = op.getPattern();
  auto type = cast<RankedTensorType>(op.getSource().getType());
  SmallVector<int64_t> extents;
  for (int64_t axis : attr.getAxes().asArrayRef())
    extents.push_back(type.getDimSize(axis));
  for (auto [i, pattern] : llvm::enumerate(patterns)) {
    // Two marks share a pattern when it is read from the same tensor in the
    // same way; where it sits in the marked tensor and what it stands for there
    // may differ.
    if (op.getBy() && !pattern.getBase() && pattern.by == op.getBy() &&
        isVisible(i, op) && pattern.attr.getKind() == attr.getKind() &&
        pattern.attr.getPad() == attr.getPad() &&
        pattern.attr.getTile() == attr.getTile() &&
        pattern.attr.getAtMost() == attr.getAtMost() &&
        pattern.extents == extents)
      return i;
  }
  patterns.push_back({attr,
                      op.getBy(),
                      op.getSource(),
                      extents,
                      op.getLoc(),
                      std::nullopt,
                      {},
                      std::nullopt,
                      {},
                      op->getBlock()});
  patterns.back().first = op;
  return patterns.size() - 1;
}

/// The pattern of the points below live points of `id`. Values patterns are
/// detected along any dimensions of their tensor; others become masks. Blocks
/// have no bit per point to project.
std::optional<unsigned>
SparsityPropagation::internProjection(unsigned id, ArrayRef<int64_t> kept) {
  const SparsePattern &base = patterns[id];
  PatternAttr attr = base.attr;
  if (attr.getKind() == PatternKind::Blocks || base.getBase())
    return std::nullopt;
  bool isValues = attr.getKind() == PatternKind::Values;
  for (auto [i, pattern] : llvm::enumerate(patterns))
    if (pattern.projected == id && ArrayRef<int64_t>(pattern.kept) == kept)
      return i;
  SmallVector<int64_t> axes, tile, extents;
  for (int64_t dim : kept) {
    axes.push_back(attr.getAxes()[dim]);
    tile.push_back(attr.getTileExtent(dim));
    extents.push_back(base.extents[dim]);
  }
  Builder builder(attr.getContext());
  // A bound counts points per row of the first dimension.
  int64_t bound = kept.front() == 0 ? attr.getAtMost() : 0;
  auto projection = PatternAttr::get(
      attr.getContext(), isValues ? PatternKind::Values : PatternKind::Mask,
      builder.getDenseI64ArrayAttr(axes), attr.getAbsent(), attr.getPad(),
      builder.getDenseI64ArrayAttr(tile), bound);
  patterns.push_back({projection,
                      base.by,
                      base.carrier,
                      extents,
                      base.loc,
                      id,
                      llvm::to_vector(kept),
                      std::nullopt,
                      {},
                      base.home});
  return patterns.size() - 1;
}

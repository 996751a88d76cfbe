//===- SparsityPropagation.cpp - Two-way propagation of sparsity patterns -===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "PIT/Analysis/RegionAnalysis.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
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
  // A dead element of a values pattern holds the absent value already.
  if (kind == PatternKind::Values || attr.getAbsent() == Absent::Undef)
    return true;
  return completed.empty() && !projected && (kind == PatternKind::Blocks || hasUnitTile());
}

SmallVector<int64_t> pit::mapAxesToDims(AffineMap map, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> dims;
  for (int64_t axis : axes) {
    auto it = llvm::find(map.getResults(), getAffineDimExpr(axis, map.getContext()));
    if (it == map.getResults().end())
      return {};
    dims.push_back(it - map.getResults().begin());
  }
  return dims;
}

/// The iteration axes behind dimensions of an operand, or empty when one of them is not a plain axis.
static SmallVector<int64_t> mapDimsToAxes(AffineMap map, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> axes;
  for (int64_t dim : dims) {
    auto expr = dyn_cast<AffineDimExpr>(map.getResult(dim));
    if (!expr || llvm::is_contained(axes, expr.getPosition()))
      return {};
    axes.push_back(expr.getPosition());
  }
  return axes;
}

static bool usesAnyAxis(AffineMap map, ArrayRef<int64_t> axes) {
  return llvm::any_of(axes, [&](int64_t axis) { return map.isFunctionOfDim(axis); });
}

/// The constant that every element of a destination holds, if it is known.
static TypedAttr getFillConstant(Value value) {
  TypedAttr constant;
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    matchPattern(fill.getInputs()[0], m_Constant(&constant));
  DenseElementsAttr dense;
  if (!constant && matchPattern(value, m_Constant(&dense)) && dense.isSplat())
    constant = dyn_cast<TypedAttr>(dense.getSplatValue<Attribute>());
  return constant;
}

TypedAttr pit::getAbsentConstant(Absent absent, Type element) {
  if (absent == Absent::Zero)
    return cast<TypedAttr>(Builder(element.getContext()).getZeroAttr(element));
  auto type = cast<FloatType>(element);
  return FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true));
}

SparsityPropagation::SparsityPropagation(FunctionOpInterface func, const PropagationOptions &options)
    : options(options) {
  if (func.isExternal())
    return;
  Block &block = func.getFunctionBody().front();
  for (Operation &op : block)
    visitForward(op);
  for (Operation &op : llvm::reverse(block))
    visitBackward(op);
}

ArrayRef<SparseFact> SparsityPropagation::getFacts(Value value) const {
  auto it = facts.find(value);
  return it == facts.end() ? ArrayRef<SparseFact>() : ArrayRef<SparseFact>(it->second);
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

ArrayRef<Restriction> SparsityPropagation::getFurtherRestrictions(Operation *op) const {
  auto it = further.find(op);
  return it == further.end() ? ArrayRef<Restriction>() : ArrayRef<Restriction>(it->second);
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
    // Two marks share a pattern when it is read from the same tensor in the same way; where it sits in the
    // marked tensor and what it stands for there may differ.
    if (op.getBy() && !pattern.projected && pattern.by == op.getBy() && pattern.attr.getKind() == attr.getKind() &&
        pattern.attr.getPad() == attr.getPad() && pattern.attr.getTile() == attr.getTile() &&
        pattern.attr.getAtMost() == attr.getAtMost() && pattern.extents == extents)
      return i;
  }
  patterns.push_back({attr, op.getBy(), op.getSource(), extents, op.getLoc(), std::nullopt, {}, {}});
  return patterns.size() - 1;
}

/// The pattern of the points below live points of `id`. Values patterns are detected along any dimensions of their
/// tensor; others become masks. Blocks have no bit per point to project.
std::optional<unsigned> SparsityPropagation::internProjection(unsigned id, ArrayRef<int64_t> kept) {
  const SparsePattern &base = patterns[id];
  PatternAttr attr = base.attr;
  if (attr.getKind() == PatternKind::Blocks || base.projected)
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
  auto projection = PatternAttr::get(attr.getContext(), isValues ? PatternKind::Values : PatternKind::Mask,
                                     builder.getDenseI64ArrayAttr(axes), attr.getAbsent(), attr.getPad(),
                                     builder.getDenseI64ArrayAttr(tile), bound);
  patterns.push_back({projection, base.by, base.carrier, extents, base.loc, id, llvm::to_vector(kept), {}});
  return patterns.size() - 1;
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

void SparsityPropagation::visitForward(Operation &op) {
  if (auto mark = dyn_cast<SparseOp>(op)) {
    unsigned id = internPattern(mark);
    markPattern[mark] = id;
    PatternAttr attr = mark.getPattern();
    DeadValue dead{DeadValue::Undef, {}};
    if (attr.getAbsent() != Absent::Undef) {
      Type element = cast<RankedTensorType>(mark.getType()).getElementType();
      dead = {DeadValue::Constant, getAbsentConstant(attr.getAbsent(), element)};
    }
    addFact(mark.getResult(), {id, llvm::to_vector(attr.getAxes().asArrayRef()), dead});
    // What the source holds elsewhere stays true unless the mark writes something else there.
    for (const SparseFact &fact : SmallVector<SparseFact>(getFacts(mark.getSource())))
      if (fact.dead == dead || fact.dead.kind == DeadValue::Undef)
        addFact(mark.getResult(), fact);
    return;
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    for (const SparseFact &fact : SmallVector<SparseFact>(getFacts(cast.getSource())))
      if (fact.dead.kind != DeadValue::Invariant)
        addFact(cast.getResult(), fact);
    return;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    // What is padded along other dimensions belongs to a dead slice, too, when it is the same constant.
    TypedAttr value;
    Value padding = pad.getConstantPaddingValue();
    if (!padding || !matchPattern(padding, m_Constant(&value)))
      return;
    for (const SparseFact &fact : SmallVector<SparseFact>(getFacts(pad.getSource()))) {
      bool keepsPlace = llvm::all_of(fact.dims, [&](int64_t dim) {
        return isConstantIntValue(pad.getMixedLowPad()[dim], 0) && isConstantIntValue(pad.getMixedHighPad()[dim], 0);
      });
      if (keepsPlace && fact.dead.kind == DeadValue::Constant && fact.dead.constant == value)
        addFact(pad.getResult(), fact);
    }
    projectPaddedFacts(pad, value);
    return;
  }
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    auto groups = isa<tensor::ExpandShapeOp>(op)
                      ? cast<tensor::ExpandShapeOp>(op).getReassociationIndices()
                      : cast<tensor::CollapseShapeOp>(op).getReassociationIndices();
    bool expands = isa<tensor::ExpandShapeOp>(op);
    for (SparseFact fact : SmallVector<SparseFact>(getFacts(op.getOperand(0)))) {
      bool intact = fact.dead.kind != DeadValue::Invariant;
      for (int64_t &dim : fact.dims) {
        bool found = false;
        for (auto [i, group] : llvm::enumerate(groups)) {
          int64_t from = expands ? static_cast<int64_t>(i) : group.front();
          int64_t to = expands ? group.front() : static_cast<int64_t>(i);
          if (group.size() == 1 && from == dim) {
            dim = to;
            found = true;
            break;
          }
        }
        intact &= found;
      }
      if (intact)
        addFact(op.getResult(0), std::move(fact));
    }
    return;
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    if (structured.hasPureTensorSemantics() && !isa<linalg::FillOp>(op) &&
        !op.hasAttr(PITDialect::kOptOutAttrName))
      forwardStructured(structured);
}

/// Where some dimensions of a pattern meet axes that may not be permuted, the points of the others still may be: adds
/// to the operands what they hold where whole slices are dead.
void SparsityPropagation::projectFacts(linalg::LinalgOp op, ArrayRef<AxisInfo> axisInfo) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    for (const SparseFact &fact : SmallVector<SparseFact>(getFacts(input->get()))) {
      SmallVector<int64_t> kept, dims;
      for (auto [i, dim] : llvm::enumerate(fact.dims)) {
        auto expr = dyn_cast<AffineDimExpr>(map.getResult(dim));
        if (!expr || !axisInfo[expr.getPosition()].isPITAxis())
          continue;
        kept.push_back(i);
        dims.push_back(dim);
      }
      if (kept.empty() || kept.size() == fact.dims.size() || mapDimsToAxes(map, dims).empty())
        continue;
      if (std::optional<unsigned> projection = internProjection(fact.pattern, kept))
        addFact(input->get(), {*projection, dims, fact.dead});
    }
  }
}

/// Along padded dimensions positions move; the dimensions that are not padded keep the pattern's projection.
void SparsityPropagation::projectPaddedFacts(tensor::PadOp pad, TypedAttr value) {
  for (const SparseFact &fact : SmallVector<SparseFact>(getFacts(pad.getSource()))) {
    if (fact.dead.kind != DeadValue::Constant || fact.dead.constant != value)
      continue;
    SmallVector<int64_t> kept, dims;
    for (auto [i, dim] : llvm::enumerate(fact.dims))
      if (isConstantIntValue(pad.getMixedLowPad()[dim], 0) && isConstantIntValue(pad.getMixedHighPad()[dim], 0)) {
        kept.push_back(i);
        dims.push_back(dim);
      }
    if (kept.empty() || kept.size() == fact.dims.size())
      continue;
    if (std::optional<unsigned> projection = internProjection(fact.pattern, kept))
      addFact(pad.getResult(), {*projection, dims, fact.dead});
  }
}

/// Where dead points were found to hold a constant although a reduction of live points enters there, lines without any
/// live point have to be computed as they are written. Fails where their pattern has no room for that.
bool SparsityPropagation::completeLines(linalg::LinalgOp op, unsigned pattern) {
  SparsePattern &info = patterns[pattern];
  for (OpOperand &operand : op->getOpOperands())
    for (const auto &[source, dims] : partials.lookup(operand.get())) {
      if (source != pattern)
        continue;
      if (info.attr.hasBound())
        return false;
      for (int64_t dim : dims)
        if (!llvm::is_contained(info.completed, dim))
          info.completed.push_back(dim);
    }
  return true;
}

void SparsityPropagation::forwardStructured(linalg::LinalgOp op) {
  for (Value operand : op->getOperands())
    for (const auto &partial : SmallVector<std::pair<unsigned, SmallVector<int64_t>>>(partials.lookup(operand)))
      for (Value result : op->getResults())
        if (!llvm::is_contained(partials[result], partial))
          partials[result].push_back(partial);

  FailureOr<SmallVector<AxisInfo>> axisInfo = inferPITAxes(op, AxisOptions{options.strict});
  if (failed(axisInfo))
    return;
  projectFacts(op, *axisInfo);

  // Every way in which some operand's fact lies in the iteration space.
  llvm::SmallSetVector<std::pair<unsigned, ArrayAttr>, 4> tuples;
  Builder builder(op.getContext());
  for (OpOperand *input : op.getDpsInputOperands())
    for (const SparseFact &fact : getFacts(input->get())) {
      SmallVector<int64_t> axes = mapDimsToAxes(op.getMatchingIndexingMap(input), fact.dims);
      if (!axes.empty())
        tuples.insert({fact.pattern, builder.getI64ArrayAttr(axes)});
    }

  for (auto [pattern, axesAttr] : tuples) {
    SmallVector<int64_t> axes;
    for (Attribute axis : axesAttr)
      axes.push_back(cast<IntegerAttr>(axis).getInt());
    if (llvm::all_of(axes, [&](int64_t axis) { return (*axisInfo)[axis].isPITAxis(); }))
      forwardTuple(op, pattern, axes);
  }
}

/// What an op's results hold at the dead points of one pattern that lies along `axes`, and whether it may skip them.
void SparsityPropagation::forwardTuple(linalg::LinalgOp op, unsigned pattern, ArrayRef<int64_t> axes) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  unsigned numInputs = op.getNumDpsInputs();
  Block &body = *op.getBlock();

  SmallVector<std::optional<AbstractScalar>> values(numInputs);
  llvm::SmallBitVector varies(op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    AffineMap map = maps[number];
    varies[number] = usesAnyAxis(map, axes);
    SmallVector<int64_t> dims = mapAxesToDims(map, axes);
    const SparseFact *fact = dims.empty() ? nullptr : findFact(operand.get(), pattern, dims);
    if (!fact || number >= numInputs)
      continue;
    if (fact->dead.kind == DeadValue::Undef)
      values[number] = AbstractScalar::getUndef();
    else if (fact->dead.kind == DeadValue::Constant)
      values[number] = AbstractScalar::getConstant(fact->dead.constant);
    else
      varies[number] = false;
  }
  SmallVector<AbstractScalar> yields =
      interpretBody(body, numInputs, values, options.finite, /*maskConstants=*/true);

  bool parallel = llvm::all_of(axes, [&](int64_t axis) {
    return iterators[axis] == utils::IteratorType::parallel;
  });
  bool reduces = llvm::any_of(iterators, [](utils::IteratorType type) {
    return type == utils::IteratorType::reduction;
  });
  bool annihilated = true, deadResult = parallel, hasConstant = false;
  SmallVector<std::pair<Value, SparseFact>> resultFacts;
  for (auto [k, yield] : llvm::enumerate(yields)) {
    OpOperand *init = op.getDpsInitOperand(k);
    SmallVector<int64_t> dims = mapAxesToDims(op.getMatchingIndexingMap(init), axes);
    bool unchanged = yield.isAccumulator() && yield.accumulator == k;
    annihilated &= unchanged;
    if (!parallel || dims.empty()) {
      deadResult = false;
      continue;
    }
    std::optional<DeadValue> dead;
    if (unchanged) {
      if (TypedAttr fill = getFillConstant(init->get()))
        dead = DeadValue{DeadValue::Constant, fill};
      else if (init->get().getDefiningOp<tensor::EmptyOp>())
        dead = DeadValue{DeadValue::Undef, {}};
      else if (const SparseFact *fact = findFact(init->get(), pattern, dims))
        dead = fact->dead;
    } else if (yield.isUndef()) {
      dead = DeadValue{DeadValue::Undef, {}};
    } else if (yield.isConstant() && !reduces) {
      dead = DeadValue{DeadValue::Constant, yield.constant};
    } else if (yield.isDepends()) {
      bool invariant = !llvm::any_of(axes, [&](int64_t axis) {
        return static_cast<size_t>(axis) < yield.axes.size() && yield.axes.test(axis);
      });
      for (unsigned operand : yield.operands.set_bits()) {
        bool isConstantInit = operand >= numInputs &&
                              (getFillConstant(op->getOperand(operand)) ||
                               op->getOperand(operand).getDefiningOp<tensor::EmptyOp>());
        invariant &= !varies[operand] || isConstantInit;
      }
      if (invariant)
        dead = DeadValue{DeadValue::Invariant, {}};
    }
    if (!dead) {
      deadResult = false;
      continue;
    }
    hasConstant |= dead->kind == DeadValue::Constant;
    resultFacts.push_back({op->getResult(k), {pattern, dims, *dead}});
  }
  if ((hasConstant || annihilated) && !completeLines(op, pattern))
    return;
  for (auto &[result, fact] : resultFacts)
    addFact(result, std::move(fact));
  if (deadResult) {
    candidates[op].push_back({pattern, llvm::to_vector(axes), Restriction::DeadResult, annihilated});
  } else if (annihilated) {
    candidates[op].push_back({pattern, llvm::to_vector(axes), Restriction::Annihilated, annihilated});
    SmallVector<int64_t> reduced;
    for (auto [i, axis] : llvm::enumerate(axes))
      if (iterators[axis] == utils::IteratorType::reduction)
        reduced.push_back(i);
    if (!reduced.empty())
      for (Value result : op->getResults())
        partials[result].push_back({pattern, reduced});
  }
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

using Tuple = std::pair<unsigned, SmallVector<int64_t>>;

SmallVector<Tuple> SparsityPropagation::getDemand(Value value) const {
  std::optional<SmallVector<Tuple>> demand;
  for (OpOperand &use : value.getUses()) {
    SmallVector<Tuple> here;
    Operation *user = use.getOwner();
    if (auto mark = dyn_cast<SparseOp>(user)) {
      // Dead elements are replaced, so nobody reads what stood there. A values pattern has to read them to know.
      if (use.get() == mark.getSource() && mark.getPattern().getKind() != PatternKind::Values)
        here.push_back({markPattern.lookup(mark), llvm::to_vector(mark.getPattern().getAxes().asArrayRef())});
    } else if (const Restriction *restriction = getRestriction(user)) {
      auto op = cast<linalg::LinalgOp>(user);
      SmallVector<int64_t> dims = mapAxesToDims(op.getMatchingIndexingMap(&use), restriction->axes);
      if (!dims.empty() && !op.isDpsInit(&use))
        here.push_back({restriction->pattern, dims});
    }
    if (!demand) {
      demand = here;
      continue;
    }
    llvm::erase_if(*demand, [&](const Tuple &tuple) { return !llvm::is_contained(here, tuple); });
  }
  return demand.value_or(SmallVector<Tuple>());
}

/// Whether the tensor that the pattern is read from is computed from a result of `op`.
bool SparsityPropagation::dependsOn(unsigned pattern, Operation *op) const {
  SmallVector<Value> worklist{patterns[pattern].getSource()};
  llvm::SmallPtrSet<Operation *, 16> visited;
  while (!worklist.empty()) {
    Operation *def = worklist.pop_back_val().getDefiningOp();
    if (!def || !visited.insert(def).second)
      continue;
    if (def == op)
      return true;
    llvm::append_range(worklist, def->getOperands());
  }
  return false;
}

void SparsityPropagation::visitBackward(Operation &operation) {
  auto op = dyn_cast<linalg::LinalgOp>(operation);
  if (!op || !op.hasPureTensorSemantics() || isa<linalg::FillOp>(operation) ||
      operation.hasAttr(PITDialect::kOptOutAttrName))
    return;
  SmallVector<Restriction> options = candidates.lookup(op);

  // All results must be unread at the dead points.
  if (FailureOr<SmallVector<AxisInfo>> axisInfo = inferPITAxes(op, AxisOptions{this->options.strict});
      succeeded(axisInfo)) {
    for (const Tuple &tuple : getDemand(op->getResult(0))) {
      AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
      SmallVector<int64_t> axes = mapDimsToAxes(map, tuple.second);
      if (axes.empty() || llvm::any_of(axes, [&](int64_t axis) {
            return (*axisInfo)[axis].kind != AxisKind::Parallel;
          }))
        continue;
      bool everywhere = true;
      for (unsigned k = 1, e = op->getNumResults(); k < e; ++k) {
        SmallVector<int64_t> dims =
            mapAxesToDims(op.getMatchingIndexingMap(op.getDpsInitOperand(k)), axes);
        everywhere &= !dims.empty() &&
                      llvm::is_contained(getDemand(op->getResult(k)), Tuple{tuple.first, dims});
      }
      bool known = llvm::any_of(options, [&](const Restriction &candidate) {
        return candidate.pattern == tuple.first && candidate.axes == axes;
      });
      if (everywhere && !known && !dependsOn(tuple.first, op))
        options.push_back({tuple.first, axes, Restriction::Demand});
    }
  }
  if (options.empty())
    return;

  // Results that keep the pattern stay packed, which is worth more than skipping inside one op; then the
  // pattern with more dimensions is the narrower one.
  auto score = [&](const Restriction &candidate) {
    bool staysPacked = candidate.reason != Restriction::Annihilated;
    return (staysPacked ? 16 : 0) + static_cast<int>(candidate.axes.size());
  };
  const Restriction *best = &options.front();
  for (const Restriction &candidate : options)
    if (score(candidate) > score(*best))
      best = &candidate;
  chosen.try_emplace(op, *best);

  llvm::SmallDenseSet<int64_t> taken(best->axes.begin(), best->axes.end());
  for (const Restriction &candidate : options)
    if (candidate.leavesOutputs && llvm::none_of(candidate.axes, [&](int64_t axis) { return taken.contains(axis); })) {
      taken.insert(candidate.axes.begin(), candidate.axes.end());
      further[op].push_back(candidate);
    }
}

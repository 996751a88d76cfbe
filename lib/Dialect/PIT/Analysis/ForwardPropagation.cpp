//===- ForwardPropagation.cpp - What values hold at dead points -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FiniteNumbers.h"
#include "LowNumbers.h"
#include "ReducedDims.h"

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "PIT/Analysis/RegionAnalysis.h"
#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/Analysis/LiveCounts.h"
#include "PIT/Dialect/PIT/Analysis/Lookups.h"
#include "PIT/Dialect/PIT/IR/Marks.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pit;

static bool usesAnyAxis(AffineMap map, ArrayRef<int64_t> axes) {
  return llvm::any_of(axes,
                      [&](int64_t axis) { return map.isFunctionOfDim(axis); });
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

/// Whether an op with reductions may have elements in its results although
/// there is nothing to reduce: these elements then hold what the destinations
/// do, whatever is known of the inputs. An extent that a parallel loop has,
/// too, is not 0 where results have elements.
static bool mayReduceNothing(linalg::LinalgOp op) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto getLoopExtent =
      [&](unsigned loop) -> std::optional<ValueBoundsConstraintSet::Variable> {
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<unsigned> dim =
          op.getMatchingIndexingMap(&operand).getResultPosition(
              getAffineDimExpr(loop, op.getContext()));
      if (dim)
        return ValueBoundsConstraintSet::Variable(operand.get(), *dim);
    }
    return std::nullopt;
  };
  for (unsigned loop = 0, e = iterators.size(); loop < e; ++loop) {
    if (iterators[loop] != utils::IteratorType::reduction || extents[loop] > 0)
      continue;
    auto extent = getLoopExtent(loop);
    if (extents[loop] == 0 || !extent)
      return true;
    bool isPositive = false;
    for (unsigned other = 0; other < e && !isPositive; ++other) {
      if (iterators[other] != utils::IteratorType::parallel)
        continue;
      auto bound = getLoopExtent(other);
      if (!bound)
        continue;
      FailureOr<bool> equal =
          ValueBoundsConstraintSet::areEqual(*extent, *bound);
      isPositive = succeeded(equal) && *equal;
    }
    if (!isPositive)
      return true;
  }
  return false;
}

void SparsityPropagation::visitForward(Operation &op) {
  if (auto mark = dyn_cast<SparseOp>(op)) {
    unsigned id = internPattern(mark);
    markPattern[mark] = id;
    patterns[id].onlyCompletes |= mark->hasAttr(kCompletes);
    PatternAttr attr = mark.getPattern();
    DeadValue dead{DeadValue::Undef, {}};
    if (attr.getAbsent() != Absent::Undef) {
      Type element = cast<RankedTensorType>(mark.getType()).getElementType();
      dead = {DeadValue::Constant,
              getAbsentConstant(attr.getAbsent(), element)};
    }
    addFact(mark.getResult(),
            {id, llvm::to_vector(attr.getAxes().asArrayRef()), dead});
    // What the source holds elsewhere stays true unless the mark writes
    // something else there. That is promised, even in the place of undef.
    for (const SparseFact &fact :
         SmallVector<SparseFact>(getFacts(mark.getSource())))
      if (fact.dead.kind == dead.kind && fact.dead.constant == dead.constant)
        addFact(mark.getResult(), fact);
    return;
  }
  if (isDataMovement(&op)) {
    forwardMovement(op);
    return;
  }
  if (auto attention = dyn_cast<AttendOp>(op))
    return forwardAttention(attention);
  if (auto backward = dyn_cast<AttendBackwardOp>(op))
    return forwardAttentionBackward(backward);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    if (structured.hasPureTensorSemantics() && !isa<linalg::FillOp>(op) &&
        !op.hasAttr(PITDialect::DenseAttrHelper::getNameStr()))
      forwardStructured(structured);
}

/// What the elements of all of `values` hold, if that is one thing. Undef is
/// anything, and so the same as whatever another one holds.
static std::optional<DeadValue> joinDead(ArrayRef<DeadValue> values) {
  DeadValue joined{DeadValue::Undef, {}};
  for (const DeadValue &value : values) {
    if (value.kind == DeadValue::Undef || value == joined)
      continue;
    // Slices that do not vary beside a constant do not vary together, either.
    bool isFirst = joined.kind == DeadValue::Undef;
    joined = isFirst ? value : DeadValue{DeadValue::Invariant, {}};
  }
  return joined;
}

/// What is around a slice, or a tensor that is padded: nothing where there is
/// none, and what varies where it is not known.
static DeadValue getDeadAround(Operation &op, TypedAttr padding) {
  if (padding)
    return {DeadValue::Constant, padding};
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  if (!insert || insert.getDest().getDefiningOp<tensor::EmptyOp>())
    return {DeadValue::Undef, {}};
  if (TypedAttr fill = getFillConstant(insert.getDest()))
    return {DeadValue::Constant, fill};
  return {DeadValue::Invariant, {}};
}

/// Along dimensions that a movement leaves as they are, dead points are dead
/// in its result if they are in all that it is made of.
void SparsityPropagation::forwardMovement(Operation &op) {
  SmallVector<OpOperand *> moved = getMovedOperands(&op);
  TypedAttr padding;
  Value paddingValue = getPaddingValue(&op);
  if (paddingValue)
    matchPattern(paddingValue, m_Constant(&padding));
  if (isa<tensor::PadOp>(op) && !padding)
    return;
  for (OpOperand *operand : moved)
    for (const SparseFact &fact :
         SmallVector<SparseFact>(getFacts(operand->get()))) {
      std::optional<SmallVector<int64_t>> dims =
          mapDimsToResult(*operand, fact.dims);
      if (!dims) {
        // A slice that does not vary has no place for the new dimensions.
        std::optional<DeadValue> around =
            joinDead({fact.dead, getDeadAround(op, padding)});
        if (operand->getOperandNumber() == 0 &&
            around->kind != DeadValue::Invariant)
          if (auto moved = moveAlong(&op, fact.pattern, fact.dims,
                                     /*toOperand=*/false))
            addFact(op.getResult(0), {moved->first, moved->second, *around});
        continue;
      }
      SmallVector<DeadValue> parts;
      if (padding)
        parts.push_back({DeadValue::Constant, padding});
      for (OpOperand *other : moved) {
        std::optional<SmallVector<int64_t>> otherDims =
            mapDimsToOperand(*other, *dims);
        const SparseFact *found =
            otherDims ? findImplied(other->get(), fact.pattern, *otherDims)
                      : nullptr;
        if (found)
          parts.push_back(found->dead);
        else if (other->get().getDefiningOp<tensor::EmptyOp>())
          parts.push_back({DeadValue::Undef, {}});
        else if (TypedAttr fill = getFillConstant(other->get()))
          parts.push_back({DeadValue::Constant, fill});
      }
      if (parts.size() == moved.size() + (padding ? 1 : 0))
        addFact(op.getResult(0), {fact.pattern, *dims, *joinDead(parts)});
    }
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    projectPaddedFacts(pad, padding);
}

void SparsityPropagation::forwardStructured(linalg::LinalgOp op) {
  for (Value operand : getReadTensors(op))
    for (ReducedLines lines :
         SmallVector<ReducedLines>(reducedLines.lookup(operand))) {
      lines.emptyIsFinite = lines.emptyIsFinite && keepsFinite(op);
      for (Value result : op->getResults())
        if (!llvm::is_contained(reducedLines[result], lines))
          reducedLines[result].push_back(lines);
    }

  FailureOr<SmallVector<AxisInfo>> axisInfo =
      inferPITAxes(op, AxisOptions{options.strict});
  if (failed(axisInfo))
    return;
  projectFacts(op, *axisInfo);

  // Every way in which some operand's fact lies in the iteration space.
  llvm::SmallSetVector<std::pair<unsigned, ArrayAttr>, 4> tuples;
  Builder builder(op.getContext());
  for (OpOperand *input : op.getDpsInputOperands())
    for (const SparseFact &fact : getFacts(input->get())) {
      SmallVector<int64_t> axes =
          mapDimsToAxes(op.getMatchingIndexingMap(input), fact.dims);
      if (!axes.empty())
        tuples.insert({fact.pattern, builder.getI64ArrayAttr(axes)});
    }
  for (Lookup lookup : getLookups(op))
    for (const SparseFact &fact : getFacts(lookup.getTensor())) {
      SmallVector<int64_t> axes = lookup.mapDimsToAxes(fact.dims);
      if (!axes.empty())
        tuples.insert({fact.pattern, builder.getI64ArrayAttr(axes)});
    }

  for (auto [pattern, axesAttr] : tuples) {
    SmallVector<int64_t> axes;
    for (Attribute axis : axesAttr)
      axes.push_back(cast<IntegerAttr>(axis).getInt());
    if (llvm::all_of(
            axes, [&](int64_t axis) { return (*axisInfo)[axis].isPITAxis(); }))
      forwardTuple(op, pattern, axes);
    noteWholeLines(op, pattern, axes);
  }
  forwardUnited(op, *axisInfo);
  forwardIntersected(op);
}

/// What a result holds that is a constant where low numbers are read as -inf;
/// `exact` is what follows from the numbers that the program writes.
static std::optional<DeadValue> getConstantDead(const AbstractScalar &read,
                                                const AbstractScalar &exact) {
  if (exact.isConstant() && !read.isNegInf())
    return DeadValue{DeadValue::Constant, exact.constant};
  auto number = dyn_cast<FloatAttr>(read.constant);
  // Of two low numbers, say, whose difference is something else.
  if (!exact.isConstant() && number && number.getValue().isNaN())
    return std::nullopt;
  DeadValue dead{DeadValue::Constant, read.constant};
  if (!read.isNegInf())
    return dead;
  dead.isExact = exact.isConstant() && exact.constant == read.constant;
  if (!dead.isExact && exact.isConstant())
    dead.written = exact.constant;
  return dead;
}

/// What accumulator `number` holds in the end where it starts with `start` and
/// each step gets `inputs`; null where that depends on how many steps there
/// are.
static TypedAttr getReduced(linalg::LinalgOp op,
                            ArrayRef<std::optional<AbstractScalar>> inputs,
                            unsigned number, TypedAttr start) {
  bool reduces = op.getNumReductionLoops() != 0;
  if (reduces && mayReduceNothing(op))
    return {};
  SmallVector<std::optional<AbstractScalar>> values(inputs);
  values.resize(op->getNumOperands());
  TypedAttr reached = start;
  for (int step = 0; step < (reduces ? 2 : 1); ++step) {
    values[inputs.size() + number] = AbstractScalar::getConstant(reached);
    AbstractScalar next = interpretBody(*op.getBlock(), unsigned(inputs.size()),
                                        values, /*finite=*/false)[number];
    if (!next.isConstant() || (step > 0 && next.constant != reached))
      return {};
    reached = next.constant;
  }
  return reached;
}

/// Whether a number in a body is computed of places on some axes, or of
/// operands that vary along them.
static bool variesAlong(Value number, Block &body, ArrayRef<int64_t> axes,
                        const llvm::SmallBitVector &varies) {
  llvm::SmallSetVector<Value, 8> sources;
  sources.insert(number);
  for (unsigned i = 0; i < sources.size(); ++i) {
    Value source = sources[i];
    if (source.getParentBlock() != &body)
      continue;
    auto argument = dyn_cast<BlockArgument>(source);
    if (argument && varies[argument.getArgNumber()])
      return true;
    if (argument)
      continue;
    Operation *def = source.getDefiningOp();
    auto index = dyn_cast<linalg::IndexOp>(def);
    if (def->getNumRegions() != 0 ||
        (index && llvm::is_contained(axes, int64_t(index.getDim()))))
      return true;
    sources.insert_range(def->getOperands());
  }
  return false;
}

/// What an op's results hold at the dead points of one pattern that lies along
/// `axes`, and whether it may skip them.
void SparsityPropagation::forwardTuple(linalg::LinalgOp op, unsigned pattern,
                                       ArrayRef<int64_t> axes) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  unsigned numInputs = op.getNumDpsInputs();
  Block &body = *op.getBlock();

  SmallVector<std::optional<AbstractScalar>> values(numInputs);
  SmallVector<std::optional<AbstractScalar>> written(numInputs);
  bool readsUnwritten = false, readsNegInf = false;
  llvm::SmallBitVector varies(op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    AffineMap map = maps[number];
    varies[number] = usesAnyAxis(map, axes);
    SmallVector<int64_t> dims = mapAxesToDims(map, axes);
    const SparseFact *fact =
        dims.empty() ? nullptr : findImplied(operand.get(), pattern, dims);
    if (!fact || number >= numInputs)
      continue;
    if (fact->dead.kind == DeadValue::Undef)
      values[number] = AbstractScalar::getUndef();
    else if (fact->dead.kind == DeadValue::Constant)
      values[number] = AbstractScalar::getConstant(fact->dead.constant);
    else
      varies[number] = false;
    written[number] = values[number];
    readsUnwritten |= fact->dead.isUnwritten();
    readsNegInf |= values[number] && values[number]->isNegInf();
    if (fact->dead.isUnwritten())
      written[number].reset();
    else if (fact->dead.kind == DeadValue::Constant)
      written[number] = AbstractScalar::getConstant(fact->dead.getWritten());
  }
  // What is looked up at dead points. All of them are read at once where their
  // slice is computed, which then has no place to look something up at.
  llvm::DenseMap<Value, AbstractScalar> lookedUp, lookedUpWritten;
  bool hasPlaces = false;
  for (Lookup lookup : getLookups(op)) {
    hasPlaces |= llvm::any_of(lookup.op.getIndices(), [&](Value index) {
      return variesAlong(index, body, axes, varies);
    });
    SmallVector<int64_t> dims = lookup.mapAxesToDims(axes);
    const SparseFact *fact =
        dims.empty() ? nullptr : findImplied(lookup.getTensor(), pattern, dims);
    if (!fact || fact->dead.kind == DeadValue::Invariant)
      continue;
    Value element = lookup.op.getResult();
    bool isUndef = fact->dead.kind == DeadValue::Undef;
    lookedUp[element] = isUndef
                            ? AbstractScalar::getUndef()
                            : AbstractScalar::getConstant(fact->dead.constant);
    readsUnwritten |= fact->dead.isUnwritten();
    if (isUndef)
      lookedUpWritten[element] = AbstractScalar::getUndef();
    else if (!fact->dead.isUnwritten())
      lookedUpWritten[element] =
          AbstractScalar::getConstant(fact->dead.getWritten());
  }
  SmallVector<AbstractScalar> yields =
      interpretBody(body, numInputs, values, options.finite,
                    /*maskConstants=*/true, lookedUp);
  SmallVector<AbstractScalar> exact =
      interpretBody(body, numInputs, written, options.finite,
                    /*maskConstants=*/false, lookedUpWritten);

  bool parallel = llvm::all_of(axes, [&](int64_t axis) {
    return iterators[axis] == utils::IteratorType::parallel;
  });
  bool reduces = llvm::any_of(iterators, [](utils::IteratorType type) {
    return type == utils::IteratorType::reduction;
  });
  bool anyUndef = llvm::any_of(
      yields, [](const AbstractScalar &yield) { return yield.isUndef(); });
  bool dividesZero = llvm::any_of(yields, [](const AbstractScalar &yield) {
    return yield.assumedNonZero.any();
  });
  bool undefOrInit = parallel && reduces && anyUndef && mayReduceNothing(op);
  bool annihilated = true, deadResult = parallel, hasConstant = false;
  // Also with what the program writes where low numbers are read as -inf.
  bool isExact = true;
  SmallVector<std::pair<Value, SparseFact>> resultFacts;
  for (auto [k, yield] : llvm::enumerate(yields)) {
    OpOperand *init = op.getDpsInitOperand(k);
    SmallVector<int64_t> dims =
        mapAxesToDims(op.getMatchingIndexingMap(init), axes);
    bool unchanged = yield.isAccumulator() && yield.accumulator == k;
    auto isConstantInit = [&](OpOperand &init) {
      return getFillConstant(init.get()) ||
             init.get().getDefiningOp<tensor::EmptyOp>();
    };
    // Undef where something is reduced, and what the destination holds where
    // nothing is: the latter is right for both.
    bool holdsInit = undefOrInit && yield.isUndef();
    annihilated &= unchanged || holdsInit;
    bool staysAsWritten =
        !unchanged || (exact[k].isAccumulator() && exact[k].accumulator == k);
    isExact &= staysAsWritten;
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
      else if (const SparseFact *fact = findImplied(init->get(), pattern, dims))
        dead = fact->dead;
      if (dead && dead->kind == DeadValue::Constant && !staysAsWritten) {
        TypedAttr start = dead->getWritten();
        dead->isExact = false;
        dead->written =
            start ? getReduced(op, written, unsigned(k), start) : TypedAttr();
      }
    } else if (holdsInit) {
      const SparseFact *fact = findImplied(init->get(), pattern, dims);
      bool isUndef = init->get().getDefiningOp<tensor::EmptyOp>() ||
                     (fact && fact->dead.kind == DeadValue::Undef);
      if (isUndef || fact || getFillConstant(init->get()))
        dead = DeadValue{isUndef ? DeadValue::Undef : DeadValue::Invariant, {}};
    } else if (yield.isUndef()) {
      dead = DeadValue{DeadValue::Undef, {}};
    } else if (yield.isConstant() && !reduces) {
      dead = getConstantDead(yield, exact[k]);
    } else if (yield.isDepends()) {
      bool invariant = !readsUnwritten &&
                       !llvm::any_of(axes, [&yield = yield](int64_t axis) {
                         return static_cast<size_t>(axis) < yield.axes.size() &&
                                yield.axes.test(axis);
                       });
      for (unsigned operand : yield.operands.set_bits())
        invariant &=
            !varies[operand] ||
            (operand >= numInputs && isConstantInit(op->getOpOperand(operand)));
      if (invariant)
        dead = DeadValue{DeadValue::Invariant, {}};
    }
    if (!dead || (hasPlaces && dead->kind == DeadValue::Invariant)) {
      deadResult = false;
      continue;
    }
    hasConstant |= dead->kind == DeadValue::Constant;
    resultFacts.push_back({op->getResult(k), {pattern, dims, *dead}});
  }
  noteUnread(op, pattern, axes, written);
  // Nobody skips by a pattern that only completes others.
  bool isFollowed = !patterns[getRoot(pattern)].onlyCompletes;
  if (isFollowed && (hasConstant || annihilated) && !completeLines(op, pattern))
    return;
  for (auto &[result, fact] : resultFacts)
    addFact(result, std::move(fact));
  if (!isFollowed)
    return;
  if (deadResult) {
    candidates[op].push_back({pattern, llvm::to_vector(axes),
                              Restriction::DeadResult, annihilated && isExact,
                              dividesZero});
  } else if (annihilated) {
    if (!isExact && !completeReduced(op, pattern, axes))
      return;
    // Of -inf alone nothing is left out, but what follows from it is NaN.
    bool ofLive = !isExact || !readsNegInf ||
                  !lowNumbers->mayRead(op, pattern, axes) ||
                  completeByNarrower(op, pattern, axes);
    candidates[op].push_back({pattern, llvm::to_vector(axes),
                              Restriction::Annihilated, annihilated,
                              dividesZero});
    SmallVector<int64_t> reduced = getReducedDims(op, axes);
    if (!reduced.empty())
      for (Value result : op->getResults())
        reducedLines[result].push_back(
            {pattern, reduced, ofLive,
             isExact && !readsNegInf && startsFinite(op) && keepsFinite(op)});
  }
}

//===- AttentionPropagation.cpp - Patterns and attention as one op --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of the result follows from one row of the query: where nobody reads the
// one, nobody reads the other. A key whose logits are -inf for all queries has
// no weight: neither its row nor that of its value matters, as long as both are
// finite, which what stands for rows that are not computed is.
//
// In backward, a query whose result has no gradient has none, and neither has a
// key without weight.
//
// A program writes finfo.min for -inf. A sequence without a live key then has
// the weights that follow from all its keys, so these are listed there.
//
//===----------------------------------------------------------------------===//

#include "LowNumbers.h"

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "PIT/Analysis/RegionAnalysis.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

using Tuple = std::pair<unsigned, SmallVector<int64_t>>;

/// Whether all logits are -inf where a modifier is `constant`.
static bool killsLogits(AttendOp op, unsigned modifier, TypedAttr constant,
                        bool finite) {
  Block &body = op.getRegion().front();
  SmallVector<std::optional<AbstractScalar>> values(body.getNumArguments());
  values[1 + modifier] = AbstractScalar::getConstant(constant);
  SmallVector<AbstractScalar> logits = interpretBody(
      body, body.getNumArguments(), values, finite, /*maskConstants=*/true);
  return logits.front().isConstant() && logits.front().isNegInf();
}

/// Has keys listed where masks leave a query without one, and low numbers in
/// the place of -inf: all keys count there. Fails where that is not possible.
bool SparsityPropagation::completeLogits(AttendOp op, unsigned modifier,
                                         const SparseFact &fact,
                                         ArrayRef<int64_t> axes,
                                         int64_t position) {
  Block &body = op.getRegion().front();
  SmallVector<std::optional<AbstractScalar>> values(body.getNumArguments());
  if (TypedAttr constant = fact.dead.getWritten())
    values[1 + modifier] = AbstractScalar::getConstant(constant);
  if (interpretBody(body, body.getNumArguments(), values, options.finite)[0]
          .isNegInf() ||
      !lowNumbers->mayRead(op, fact.pattern, axes))
    return true;
  const SparsePattern &info = patterns[fact.pattern];
  if (info.getBase() || info.attr.getKind() == PatternKind::Blocks ||
      info.home != op->getBlock())
    return false;
  SmallVector<int64_t> all = getLogitAxes(op);
  EmptyLines lines{0, op, {}, {position}};
  for (int64_t axis : axes)
    lines.dims.push_back(llvm::find(all, axis) - all.begin());
  noteEmptyLines(op, fact.pattern, std::move(lines), all);
  return true;
}

void SparsityPropagation::forwardAttention(AttendOp op) {
  if (op.isOnBuffers())
    return;
  // Nobody can rely on a row of the result that is computed of undef.
  for (const SparseFact &fact :
       SmallVector<SparseFact>(getFacts(op.getQuery()))) {
    if (fact.dead.kind != DeadValue::Undef)
      continue;
    SmallVector<int64_t> axes = mapDimsToAxes(op.getMap(0), fact.dims);
    SmallVector<int64_t> dims = mapAxesToDims(op.getInitMap(), axes);
    if (!axes.empty() && !dims.empty() &&
        !llvm::is_contained(axes, op.getScoreAxis()))
      addFact(op.getResult(), {fact.pattern, dims, fact.dead});
  }
  for (unsigned i = 0, e = op.getModifiers().size(); i < e; ++i)
    for (const SparseFact &fact :
         SmallVector<SparseFact>(getFacts(op.getModifiers()[i]))) {
      SparsePattern &pattern = patterns[fact.pattern];
      if (fact.dead.kind != DeadValue::Constant || pattern.attr.hasBound() ||
          pattern.onlyCompletes ||
          !killsLogits(op, i, fact.dead.constant, options.finite))
        continue;
      SmallVector<int64_t> axes =
          mapDimsToAxes(op.getModifierMap(i), fact.dims);
      auto *key = llvm::find(axes, op.getKeyAxis());
      if (key == axes.end() || llvm::is_contained(axes, op.getQueryAxis()))
        continue;
      int64_t position = key - axes.begin();
      if (!completeLogits(op, i, fact, axes, position))
        continue;
      bool serves = false;
      for (unsigned operand : {1, 2}) {
        SmallVector<int64_t> dims = mapAxesToDims(op.getMap(operand), axes);
        if (dims.empty())
          continue;
        deadKeys[{op, operand}].push_back({fact.pattern, dims});
        serves = true;
      }
      if (serves && !llvm::is_contained(pattern.completed, position))
        pattern.completed.push_back(position);
    }
}

void SparsityPropagation::forwardAttentionBackward(AttendBackwardOp op) {
  if (op.isOnBuffers() || !options.finite)
    return;
  auto addZeros = [&](unsigned number, unsigned pattern,
                      ArrayRef<int64_t> axes) {
    Value result = op.getResult(number);
    SmallVector<int64_t> dims =
        mapAxesToDims(op.getMap(op.getFirstInit() + number), axes);
    if (!dims.empty())
      addFact(result, {pattern,
                       dims,
                       {DeadValue::Constant,
                        getAbsentConstant(Absent::Zero,
                                          getElementTypeOrSelf(result))}});
  };
  auto isZero = [](const SparseFact *fact) {
    return fact && fact->dead.kind == DeadValue::Constant &&
           fact->dead.isExact &&
           matchPattern(fact->dead.constant, m_AnyZeroFloat());
  };
  // Rows of queries whose results have no gradient.
  constexpr unsigned kOfResult = AttendBackwardOp::kGradient,
                     kDelta = AttendBackwardOp::kDelta;
  for (const SparseFact &fact :
       SmallVector<SparseFact>(getFacts(op.getGradient()))) {
    SmallVector<int64_t> axes = mapDimsToAxes(op.getMap(kOfResult), fact.dims);
    SmallVector<int64_t> dims = mapAxesToDims(op.getMap(kDelta), axes);
    if (!axes.empty() && !dims.empty() && isZero(&fact) &&
        isZero(findImplied(op.getDelta(), fact.pattern, dims)))
      addZeros(/*dquery=*/0, fact.pattern, axes);
  }
  // Keys without weight, unless low numbers stand for -inf: those have some
  // where a query has no key.
  Block &body = op.getRegion().front();
  for (unsigned i = 0, e = op.getModifiers().size(); i < e; ++i)
    for (const SparseFact &fact :
         SmallVector<SparseFact>(getFacts(op.getModifiers()[i]))) {
      TypedAttr written = fact.dead.getWritten();
      if (fact.dead.kind != DeadValue::Constant || !written ||
          patterns[getRoot(fact.pattern)].onlyCompletes)
        continue;
      SmallVector<std::optional<AbstractScalar>> values(body.getNumArguments());
      values[1 + i] = AbstractScalar::getConstant(written);
      SmallVector<int64_t> axes = mapDimsToAxes(
          op.getMap(AttendBackwardOp::kFirstModifier + i), fact.dims);
      if (axes.empty() || llvm::is_contained(axes, op.getQueryAxis()) ||
          !interpretBody(body, body.getNumArguments(), values,
                         options.finite)[0]
               .isNegInf())
        continue;
      addZeros(/*dkey=*/1, fact.pattern, axes);
      addZeros(/*dvalue=*/2, fact.pattern, axes);
    }
}

SmallVector<Tuple>
SparsityPropagation::getDemandOfAttention(AttendOp op, OpOperand &use) const {
  unsigned number = use.getOperandNumber();
  if (number == 1 || number == 2)
    return deadKeys.lookup({op, number});
  SmallVector<Tuple> demand;
  if (number != 0)
    return demand;
  for (const Tuple &tuple : movedDemand.lookup(op)) {
    SmallVector<int64_t> axes = mapDimsToAxes(op.getInitMap(), tuple.second);
    SmallVector<int64_t> dims = mapAxesToDims(op.getMap(0), axes);
    if (!axes.empty() && !dims.empty())
      demand.push_back({tuple.first, dims});
  }
  return demand;
}

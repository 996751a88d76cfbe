//===- LiveCounts.cpp - How much of a line is live at most ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A router compares the numbers of experts with a choice per token: one of them
// is equal at most. Choices that are joined add up, what is chosen by one of
// them is no more than it. So the bound of a gate follows from the program,
// however the gate is normalised afterwards.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/LiveCounts.h"

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// Counts along one loop of a structured op.
class RowCounter {
public:
  RowCounter(linalg::LinalgOp op, unsigned loop, unsigned depth)
      : op(op), loop(loop), depth(depth) {}

  /// At how many places along the loop a value of the body is not zero.
  std::optional<int64_t> count(Value value);
  /// Whether a value of the body is the same everywhere along the loop.
  bool isSame(Value value);
  /// Whether a value of the body is another one at each place along the loop.
  bool isDistinct(Value value);

private:
  std::optional<int64_t> countOfOperand(OpOperand &operand);
  OpOperand *getOperandOf(Value value);

  linalg::LinalgOp op;
  unsigned loop, depth;
};

} // namespace

/// A model has few steps from its choice to its gate.
static constexpr unsigned kMostSteps = 24;

static std::optional<int64_t> countLive(Value value, int64_t dim,
                                        unsigned depth);

OpOperand *RowCounter::getOperandOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBlock())
    return nullptr;
  return &op->getOpOperand(argument.getArgNumber());
}

std::optional<int64_t> RowCounter::countOfOperand(OpOperand &operand) {
  std::optional<unsigned> dim =
      op.getMatchingIndexingMap(&operand).getResultPosition(
          getAffineDimExpr(loop, op.getContext()));
  if (!dim || !op.isDpsInput(&operand))
    return std::nullopt;
  return countLive(operand.get(), *dim, depth);
}

bool RowCounter::isSame(Value value) {
  if (OpOperand *operand = getOperandOf(value))
    return op.isDpsInput(operand) &&
           !op.getMatchingIndexingMap(operand).isFunctionOfDim(loop);
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != op.getBlock())
    return true;
  if (auto index = dyn_cast<linalg::IndexOp>(def))
    return index.getDim() != loop;
  return isPure(def) && llvm::all_of(def->getOperands(), [&](Value operand) {
           return isSame(operand);
         });
}

/// Whether the elements of a tensor are all distinct along a dimension: the
/// numbers 0, 1, 2, ..., perhaps shifted.
static bool countsUp(Value value, int64_t dim, unsigned depth) {
  if (depth > kMostSteps)
    return false;
  Operation *def = value.getDefiningOp();
  if (!def)
    return false;
  if (isDataMovement(def)) {
    for (OpOperand *operand : getMovedOperands(def)) {
      auto dims = mapDimsToOperand(*operand, dim);
      if (getMovedOperands(def).size() != 1 || !dims ||
          !countsUp(operand->get(), dims->front(), depth + 1))
        return false;
    }
    return true;
  }
  auto op = dyn_cast<linalg::LinalgOp>(def);
  if (!op || op.getNumReductionLoops() != 0)
    return false;
  auto result = cast<OpResult>(value);
  auto loop = dyn_cast<AffineDimExpr>(
      op.getIndexingMapMatchingResult(result).getResult(dim));
  if (!loop)
    return false;
  RowCounter counter(op, loop.getPosition(), depth + 1);
  return counter.isDistinct(
      op.getBlock()->getTerminator()->getOperand(result.getResultNumber()));
}

bool RowCounter::isDistinct(Value value) {
  if (OpOperand *operand = getOperandOf(value)) {
    std::optional<unsigned> dim =
        op.getMatchingIndexingMap(operand).getResultPosition(
            getAffineDimExpr(loop, op.getContext()));
    return dim && op.isDpsInput(operand) &&
           countsUp(operand->get(), *dim, depth);
  }
  Operation *def = value.getDefiningOp();
  if (auto index = dyn_cast_if_present<linalg::IndexOp>(def))
    return index.getDim() == loop;
  // Numbers of experts fit into 32 bits; others of smaller types may wrap.
  if (isa_and_present<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
                      arith::ExtUIOp, arith::TruncIOp>(def))
    return (value.getType().isIndex() ||
            value.getType().getIntOrFloatBitWidth() >= 32) &&
           isDistinct(def->getOperand(0));
  if (isa_and_present<arith::AddIOp, arith::SubIOp>(def))
    return (isDistinct(def->getOperand(0)) && isSame(def->getOperand(1))) ||
           (isDistinct(def->getOperand(1)) && isSame(def->getOperand(0)));
  return false;
}

static std::optional<int64_t> least(std::optional<int64_t> a,
                                    std::optional<int64_t> b) {
  if (!a || !b)
    return a ? a : b;
  return std::min(*a, *b);
}

static std::optional<int64_t> sum(std::optional<int64_t> a,
                                  std::optional<int64_t> b) {
  constexpr int64_t kMost = 1 << 20;
  if (!a || !b || *a + *b > kMost)
    return std::nullopt;
  return *a + *b;
}

std::optional<int64_t> RowCounter::count(Value value) {
  if (OpOperand *operand = getOperandOf(value))
    return countOfOperand(*operand);
  if (matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat()))
    return 0;
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != op.getBlock())
    return std::nullopt;
  auto countAt = [&](unsigned operand) {
    return count(def->getOperand(operand));
  };
  if (auto compare = dyn_cast<arith::CmpIOp>(def)) {
    if (compare.getPredicate() == arith::CmpIPredicate::eq &&
        ((isDistinct(compare.getLhs()) && isSame(compare.getRhs())) ||
         (isDistinct(compare.getRhs()) && isSame(compare.getLhs()))))
      return 1;
    if (compare.getPredicate() == arith::CmpIPredicate::ne &&
        matchPattern(compare.getRhs(), m_Zero()))
      return countAt(0);
    return std::nullopt;
  }
  if (isa<arith::AndIOp, arith::MulIOp, arith::MulFOp>(def))
    return least(countAt(0), countAt(1));
  if (isa<arith::OrIOp, arith::XOrIOp, arith::AddIOp, arith::AddFOp,
          arith::SubIOp, arith::SubFOp, arith::MaximumFOp, arith::MinimumFOp,
          arith::MaxSIOp, arith::MaxUIOp>(def))
    return sum(countAt(0), countAt(1));
  // A NaN of 0 / 0 is live; the weights of a token with none are its own.
  if (isa<arith::ExtUIOp, arith::ExtSIOp, arith::TruncFOp, arith::ExtFOp,
          arith::UIToFPOp, arith::SIToFPOp, arith::NegFOp>(def))
    return countAt(0);
  if (auto select = dyn_cast<arith::SelectOp>(def)) {
    // Where the condition does not hold, the other arm counts.
    std::optional<int64_t> chosen =
        least(count(select.getCondition()), count(select.getTrueValue()));
    return sum(chosen, count(select.getFalseValue()));
  }
  return std::nullopt;
}

/// A sum, or a union, of a few rows has no more live elements than all of them
/// together.
static std::optional<int64_t> countReduced(linalg::LinalgOp op, OpResult result,
                                           RowCounter &counter, Value yielded) {
  OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
  auto fill = init->get().getDefiningOp<linalg::FillOp>();
  Operation *combiner = yielded.getDefiningOp();
  if (!fill ||
      !isa_and_present<arith::AddFOp, arith::AddIOp, arith::OrIOp>(combiner) ||
      !(matchPattern(fill.getInputs()[0], m_Zero()) ||
        matchPattern(fill.getInputs()[0], m_AnyZeroFloat())))
    return std::nullopt;
  Value accumulator = op.getMatchingBlockArgument(init);
  bool isFirst = combiner->getOperand(0) == accumulator;
  if (!isFirst && combiner->getOperand(1) != accumulator)
    return std::nullopt;
  std::optional<int64_t> rows = counter.count(combiner->getOperand(isFirst));
  constexpr int64_t kMostRows = 1024;
  for (auto [kind, extent] :
       llvm::zip(op.getIteratorTypesArray(), op.getStaticLoopRanges())) {
    if (kind != utils::IteratorType::reduction || !rows)
      continue;
    if (ShapedType::isDynamic(extent) || extent > kMostRows ||
        *rows > kMostRows)
      return std::nullopt;
    *rows *= extent;
  }
  return rows;
}

static std::optional<int64_t> countLive(Value value, int64_t dim,
                                        unsigned depth) {
  if (depth > kMostSteps)
    return std::nullopt;
  Operation *def = value.getDefiningOp();
  if (!def)
    return std::nullopt;
  if (auto mark = dyn_cast<SparseOp>(def))
    return countLive(mark.getSource(), dim, depth + 1);
  if (isDataMovement(def)) {
    SmallVector<OpOperand *> moved = getMovedOperands(def);
    auto dims = mapDimsToOperand(*moved.front(), dim);
    if (moved.size() != 1 || !dims || isa<tensor::PadOp>(def))
      return std::nullopt;
    return countLive(moved.front()->get(), dims->front(), depth + 1);
  }
  auto op = dyn_cast<linalg::LinalgOp>(def);
  if (!op)
    return std::nullopt;
  auto result = cast<OpResult>(value);
  auto loop = dyn_cast<AffineDimExpr>(
      op.getIndexingMapMatchingResult(result).getResult(dim));
  if (!loop)
    return std::nullopt;
  RowCounter counter(op, loop.getPosition(), depth + 1);
  Value yielded =
      op.getBlock()->getTerminator()->getOperand(result.getResultNumber());
  if (op.getNumReductionLoops() == 0)
    return counter.count(yielded);
  return countReduced(op, result, counter, yielded);
}

std::optional<int64_t> pit::countLiveAtMost(Value value, int64_t dim) {
  return countLive(value, dim, 0);
}

//===- LiveLines.cpp - Lines of which something is live -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gate that is divided by its sum is 0 / 0 for a token without an expert. A
// router gives each token one at least: it compares the numbers of experts with
// the place of the largest weight, which is one of these numbers.
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

/// A model has few steps from its choice to its gate.
static constexpr unsigned kMostSteps = 24;

static bool isInRange(Value tensor, int64_t extent, unsigned depth);
static bool isNumbering(Value tensor, int64_t dim, unsigned depth);
static bool hasLive(Value tensor, int64_t dim, unsigned depth);
static bool isNotNegative(Value tensor, unsigned depth);

/// The operand behind an argument of a structured op's body, or null.
static OpOperand *getOperandOf(linalg::LinalgOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBlock())
    return nullptr;
  return &op->getOpOperand(argument.getArgNumber());
}

/// The operation that yields a result of an elementwise or reducing op.
static Value getYielded(linalg::LinalgOp op, Value result) {
  return op.getBlock()->getTerminator()->getOperand(
      cast<OpResult>(result).getResultNumber());
}

/// What a cast between integers of 32 bits or more, or of indexes, is made of:
/// numbers of experts fit into 32 bits.
static Value skipCasts(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    Type type = value.getType();
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp>(def) ||
        !(type.isIndex() || type.getIntOrFloatBitWidth() >= 32))
      break;
    value = def->getOperand(0);
  }
  return value;
}

/// The loop that a result's dimension is, if it is a plain one.
static std::optional<unsigned> getLoopOf(linalg::LinalgOp op, Value result,
                                         int64_t dim) {
  auto loop = dyn_cast<AffineDimExpr>(
      op.getIndexingMapMatchingResult(cast<OpResult>(result)).getResult(dim));
  return loop ? std::optional<unsigned>(loop.getPosition()) : std::nullopt;
}

/// The dimension of an operand that a loop runs along, if it is a plain one.
static std::optional<unsigned> getDimOf(linalg::LinalgOp op, OpOperand &operand,
                                        unsigned loop) {
  return op.getMatchingIndexingMap(&operand).getResultPosition(
      getAffineDimExpr(loop, op.getContext()));
}

/// Whether a value of the body is the number of the iteration along `loop`,
/// from 0 on.
static bool isNumber(linalg::LinalgOp op, unsigned loop, Value value,
                     unsigned depth) {
  value = skipCasts(value);
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    return index.getDim() == loop;
  OpOperand *operand = getOperandOf(op, value);
  if (!operand || !op.isDpsInput(operand))
    return false;
  std::optional<unsigned> dim = getDimOf(op, *operand, loop);
  return dim && isNumbering(operand->get(), *dim, depth + 1);
}

/// Whether a tensor's elements are their places along a dimension.
static bool isNumbering(Value tensor, int64_t dim, unsigned depth) {
  Operation *def = tensor.getDefiningOp();
  if (!def || depth > kMostSteps)
    return false;
  // Slices and paddings would shift the numbers.
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
          def)) {
    auto dims = mapDimsToOperand(def->getOpOperand(0), dim);
    return dims && isNumbering(def->getOperand(0), dims->front(), depth + 1);
  }
  auto op = dyn_cast<linalg::LinalgOp>(def);
  if (!op || op.getNumReductionLoops() != 0)
    return false;
  std::optional<unsigned> loop = getLoopOf(op, tensor, dim);
  return loop && isNumber(op, *loop, getYielded(op, tensor), depth);
}

/// Whether a value of the body is the same along `loop`, and one of the
/// `extent` numbers from 0 on.
static bool isOneOf(linalg::LinalgOp op, unsigned loop, int64_t extent,
                    Value value, unsigned depth) {
  OpOperand *operand = getOperandOf(op, skipCasts(value));
  return operand && op.isDpsInput(operand) &&
         !op.getMatchingIndexingMap(operand).isFunctionOfDim(loop) &&
         isInRange(operand->get(), extent, depth + 1);
}

/// Whether a reduction keeps its destination, which is in range, or the number
/// of the iteration along a loop of `extent` iterations.
static bool isArgument(linalg::LinalgOp op, Value result, int64_t extent,
                       unsigned depth) {
  OpOperand *init =
      op.getDpsInitOperand(cast<OpResult>(result).getResultNumber());
  auto select = getYielded(op, result).getDefiningOp<arith::SelectOp>();
  if (!select || !isInRange(init->get(), extent, depth + 1))
    return false;
  Value accumulator = op.getMatchingBlockArgument(init);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  return llvm::all_of(ValueRange{select.getTrueValue(), select.getFalseValue()},
                      [&](Value arm) {
                        if (arm == accumulator)
                          return true;
                        auto number =
                            skipCasts(arm).getDefiningOp<linalg::IndexOp>();
                        return number && extents[number.getDim()] == extent;
                      });
}

/// Whether all elements of a tensor are numbers from 0 to below `extent`.
static bool isInRange(Value tensor, int64_t extent, unsigned depth) {
  IntegerAttr constant;
  auto isConstantInRange = [&](Value value) {
    return matchPattern(value, m_Constant(&constant)) &&
           !constant.getValue().isNegative() && constant.getValue().ult(extent);
  };
  Operation *def = tensor.getDefiningOp();
  if (!def || depth > kMostSteps)
    return false;
  if (auto fill = dyn_cast<linalg::FillOp>(def))
    return isConstantInRange(fill.getInputs()[0]);
  if (isDataMovement(def)) {
    Value padding = getPaddingValue(def);
    return (!padding || isConstantInRange(padding)) &&
           llvm::all_of(getMovedOperands(def), [&](OpOperand *operand) {
             return isInRange(operand->get(), extent, depth + 1);
           });
  }
  auto op = dyn_cast<linalg::LinalgOp>(def);
  if (!op)
    return false;
  if (op.getNumReductionLoops() != 0)
    return isArgument(op, tensor, extent, depth);
  // Conversions of such numbers.
  OpOperand *operand = getOperandOf(op, skipCasts(getYielded(op, tensor)));
  return operand && op.isDpsInput(operand) &&
         isInRange(operand->get(), extent, depth + 1);
}

/// Whether a value of the body is not 0 somewhere along `loop`.
static bool hasLiveAlong(linalg::LinalgOp op, unsigned loop, Value value,
                         unsigned depth) {
  if (OpOperand *operand = getOperandOf(op, value)) {
    std::optional<unsigned> dim = getDimOf(op, *operand, loop);
    return dim && op.isDpsInput(operand) &&
           hasLive(operand->get(), *dim, depth + 1);
  }
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != op.getBlock())
    return false;
  if (auto compare = dyn_cast<arith::CmpIOp>(def)) {
    Value lhs = compare.getLhs(), rhs = compare.getRhs();
    int64_t extent = op.getStaticLoopRanges()[loop];
    if (compare.getPredicate() == arith::CmpIPredicate::ne)
      return matchPattern(rhs, m_Zero()) && hasLiveAlong(op, loop, lhs, depth);
    if (compare.getPredicate() != arith::CmpIPredicate::eq ||
        ShapedType::isDynamic(extent))
      return false;
    return (isNumber(op, loop, lhs, depth) &&
            isOneOf(op, loop, extent, rhs, depth)) ||
           (isNumber(op, loop, rhs, depth) &&
            isOneOf(op, loop, extent, lhs, depth));
  }
  if (isa<arith::ExtUIOp, arith::ExtSIOp, arith::UIToFPOp, arith::SIToFPOp>(
          def))
    return hasLiveAlong(op, loop, def->getOperand(0), depth);
  if (isa<arith::OrIOp>(def))
    return hasLiveAlong(op, loop, def->getOperand(0), depth) ||
           hasLiveAlong(op, loop, def->getOperand(1), depth);
  return false;
}

/// Whether a value of the body is 0 or more: an extended truth value or a sum
/// of few of them.
static bool isNotNegative(linalg::LinalgOp op, Value value, unsigned depth) {
  if (value.getType().isInteger(1))
    return true;
  if (OpOperand *operand = getOperandOf(op, value))
    return op.isDpsInput(operand) && isNotNegative(operand->get(), depth + 1);
  Operation *def = value.getDefiningOp();
  if (isa_and_present<arith::ExtUIOp>(def))
    return def->getOperand(0).getType().isInteger(1);
  return isa_and_present<arith::UIToFPOp>(def);
}

static bool isNotNegative(Value tensor, unsigned depth) {
  if (getElementTypeOrSelf(tensor.getType()).isInteger(1))
    return true;
  Operation *def = tensor.getDefiningOp();
  if (!def || depth > kMostSteps)
    return false;
  if (auto mark = dyn_cast<SparseOp>(def))
    return isNotNegative(mark.getSource(), depth + 1);
  if (isDataMovement(def) && !getPaddingValue(def))
    return llvm::all_of(getMovedOperands(def), [&](OpOperand *operand) {
      return isNotNegative(operand->get(), depth + 1);
    });
  auto op = dyn_cast<linalg::LinalgOp>(def);
  return op && op.getNumReductionLoops() == 0 &&
         isNotNegative(op, getYielded(op, tensor), depth);
}

/// Whether a sum, or a union, of rows has a live element where one of the rows
/// does: nothing cancels, and there is a row.
static bool hasLiveInSum(linalg::LinalgOp op, Value result, unsigned loop,
                         unsigned depth) {
  OpOperand *init =
      op.getDpsInitOperand(cast<OpResult>(result).getResultNumber());
  Operation *combiner = getYielded(op, result).getDefiningOp();
  auto fill = init->get().getDefiningOp<linalg::FillOp>();
  if (!fill || !isa_and_present<arith::AddIOp, arith::OrIOp>(combiner) ||
      !matchPattern(fill.getInputs()[0], m_Zero()))
    return false;
  constexpr int64_t kMostRows = 1024;
  for (auto [kind, extent] :
       llvm::zip(op.getIteratorTypesArray(), op.getStaticLoopRanges()))
    if (kind == utils::IteratorType::reduction &&
        (ShapedType::isDynamic(extent) || extent < 1 || extent > kMostRows))
      return false;
  Value accumulator = op.getMatchingBlockArgument(init);
  bool isFirst = combiner->getOperand(0) == accumulator;
  if (!isFirst && combiner->getOperand(1) != accumulator)
    return false;
  Value term = combiner->getOperand(isFirst);
  // Truth values that are added wrap around.
  bool cancels = isa<arith::AddIOp>(combiner) &&
                 (term.getType().getIntOrFloatBitWidth() < 32 ||
                  !isNotNegative(op, term, depth));
  return !cancels && hasLiveAlong(op, loop, term, depth);
}

static bool hasLive(Value tensor, int64_t dim, unsigned depth) {
  Operation *def = tensor.getDefiningOp();
  if (!def || depth > kMostSteps)
    return false;
  if (auto mark = dyn_cast<SparseOp>(def)) {
    // What the mark leaves out of a mask may be what is live.
    bool isWhole = mark.getPattern().getKind() == PatternKind::Values ||
                   mark.getBy() == mark.getSource();
    return isWhole && hasLive(mark.getSource(), dim, depth + 1);
  }
  if (isDataMovement(def)) {
    SmallVector<OpOperand *> moved = getMovedOperands(def);
    if (moved.size() != 1 || isa<tensor::ExtractSliceOp>(def))
      return false;
    auto dims = mapDimsToOperand(*moved.front(), dim);
    return dims && !getPaddingValue(def) &&
           hasLive(moved.front()->get(), dims->front(), depth + 1);
  }
  auto op = dyn_cast<linalg::LinalgOp>(def);
  if (!op)
    return false;
  std::optional<unsigned> loop = getLoopOf(op, tensor, dim);
  if (!loop)
    return false;
  if (op.getNumReductionLoops() != 0)
    return hasLiveInSum(op, tensor, *loop, depth);
  return hasLiveAlong(op, *loop, getYielded(op, tensor), depth);
}

bool pit::hasLiveInEachLine(Value value, int64_t dim) {
  return hasLive(value, dim, 0);
}

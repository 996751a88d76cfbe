//===- Scan.cpp - Prefix sums that are written as reductions --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Utils/Scan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A sum of the numbers of the two loops, with factors, and a constant.
struct Position {
  int64_t over = 0, along = 0, constant = 0;

  Position operator+(const Position &other) const {
    return {over + other.over, along + other.along, constant + other.constant};
  }
  Position operator-(const Position &other) const {
    return {over - other.over, along - other.along, constant - other.constant};
  }
  /// Whether it is never negative, so that its sign does not matter.
  bool isPositive() const { return over >= 0 && along >= 0 && constant >= 0; }
};

/// Which elements the condition takes: those in front of a result, or behind.
struct Triangle {
  bool isExclusive, isReversed;
};

} // namespace

static std::optional<Position> getPosition(AffineExpr expr,
                                           affine::AffineApplyOp apply,
                                           unsigned over, unsigned along);

/// The number as such a sum; none if it is computed of anything else, or may
/// overflow.
static std::optional<Position> getPosition(Value number, unsigned over,
                                           unsigned along) {
  // Numbers of loops are extents of tensors, which have as many bits at most.
  constexpr unsigned kFewestBits = 48;
  constexpr int64_t kMostConstant = int64_t(1) << 32;
  Type type = number.getType();
  if (!type.isIndex() && type.getIntOrFloatBitWidth() < kFewestBits)
    return std::nullopt;
  APInt constant;
  if (matchPattern(number, m_ConstantInt(&constant)))
    return constant.abs().ule(kMostConstant)
               ? std::optional(Position{0, 0, constant.getSExtValue()})
               : std::nullopt;
  Operation *def = number.getDefiningOp();
  if (auto index = dyn_cast_or_null<linalg::IndexOp>(def)) {
    if (index.getDim() == over)
      return Position{1, 0, 0};
    return index.getDim() == along ? std::optional(Position{0, 1, 0})
                                   : std::nullopt;
  }
  if (isa_and_present<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
                      arith::ExtUIOp>(def))
    return getPosition(def->getOperand(0), over, along);
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(def))
    return getPosition(apply.getAffineMap().getResult(0), apply, over, along);
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(def))
    return std::nullopt;
  std::optional<Position> left = getPosition(def->getOperand(0), over, along),
                          right = getPosition(def->getOperand(1), over, along);
  if (!left || !right)
    return std::nullopt;
  return isa<arith::SubIOp>(def) ? *left - *right : *left + *right;
}

static std::optional<Position> getPosition(AffineExpr expr,
                                           affine::AffineApplyOp apply,
                                           unsigned over, unsigned along) {
  ValueRange operands = apply.getMapOperands();
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Position{0, 0, constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return getPosition(operands[dim.getPosition()], over, along);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return getPosition(
        operands[apply.getAffineMap().getNumDims() + symbol.getPosition()],
        over, along);
  auto sum = cast<AffineBinaryOpExpr>(expr);
  if (sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  std::optional<Position> left = getPosition(sum.getLHS(), apply, over, along),
                          right = getPosition(sum.getRHS(), apply, over, along);
  return left && right ? std::optional(*left + *right) : std::nullopt;
}

static std::optional<Triangle> matchTriangle(arith::CmpIOp compare,
                                             bool isInverted, unsigned over,
                                             unsigned along) {
  std::optional<Position> left = getPosition(compare.getLhs(), over, along),
                          right = getPosition(compare.getRhs(), over, along);
  if (!left || !right)
    return std::nullopt;
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (isInverted)
    predicate = arith::invertPredicate(predicate);
  using Predicate = arith::CmpIPredicate;
  auto isOneOf = [&](auto... predicates) {
    return llvm::is_contained({predicates...}, predicate);
  };
  bool isLess = isOneOf(Predicate::slt, Predicate::sle, Predicate::ult,
                        Predicate::ule),
       isGreater = isOneOf(Predicate::sgt, Predicate::sge, Predicate::ugt,
                           Predicate::uge),
       isSigned = isOneOf(Predicate::slt, Predicate::sle, Predicate::sgt,
                          Predicate::sge),
       hasEqual = isOneOf(Predicate::sle, Predicate::sge, Predicate::ule,
                          Predicate::uge);
  if ((!isLess && !isGreater) ||
      (!isSigned && (!left->isPositive() || !right->isPositive())))
    return std::nullopt;
  // As `k - q + constant`, compared with 0.
  Position difference = *left - *right;
  bool isReversed = isGreater;
  if (difference.over == -1) {
    difference = Position{} - difference;
    isReversed = isLess;
  }
  if (difference.over != 1 || difference.along != -1)
    return std::nullopt;
  // Elements end at q + end, or begin there.
  int64_t end = -difference.constant;
  if (!hasEqual)
    end += isReversed ? 1 : -1;
  if (end == 0)
    return Triangle{false, isReversed};
  if (end == (isReversed ? 1 : -1))
    return Triangle{true, isReversed};
  return std::nullopt;
}

/// Whether what is combined where the condition does not hold changes nothing.
/// Of zeros, the sign does not matter: sums that are 0 have either.
static bool isNeutral(Value value, TypedAttr neutral) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return false;
  auto number = dyn_cast<FloatAttr>(constant),
       zero = dyn_cast<FloatAttr>(neutral);
  if (number && zero && zero.getValue().isZero())
    return number.getValue().isZero();
  return constant == neutral;
}

/// Whether the value follows from the loop's number, or from an input that has
/// the loop.
static bool dependsOnLoop(Value value, linalg::LinalgOp op, unsigned loop) {
  Block *body = op.getBlock();
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == body &&
           op.getIndexingMapsArray()[argument.getArgNumber()].isFunctionOfDim(
               loop);
  Operation *def = value.getDefiningOp();
  if (def->getBlock() != body)
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(def))
    return index.getDim() == loop;
  return def->getNumRegions() != 0 ||
         llvm::any_of(def->getOperands(), [&](Value operand) {
           return dependsOnLoop(operand, op, loop);
         });
}

std::optional<Scan> Scan::match(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 1 ||
      op.getNumParallelLoops() + 1 != op.getNumLoops() ||
      op.getNumDpsInputs() == 0)
    return std::nullopt;
  std::optional<Combiner> combiner = Combiner::match(op, {});
  if (!combiner || combiner->isArgument())
    return std::nullopt;
  Block *body = op.getBlock();
  Operation *combine = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!combine || combine->getNumOperands() != 2)
    return std::nullopt;
  Value before = body->getArguments().back();
  Value masked = combine->getOperand(combine->getOperand(0) == before ? 1 : 0);
  auto select = masked.getDefiningOp<arith::SelectOp>();
  auto compare =
      select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  if (!compare)
    return std::nullopt;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  unsigned over = reductions[0];
  TypedAttr neutral = combiner->getNeutral(0);
  bool isInverted = isNeutral(select.getTrueValue(), neutral);
  if (!isInverted && !isNeutral(select.getFalseValue(), neutral))
    return std::nullopt;
  AffineMap ofResult = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  Value element = isInverted ? select.getFalseValue() : select.getTrueValue();
  if (dependsOnLoop(element, op, over) && ofResult.isProjectedPermutation())
    for (unsigned along = 0; along < op.getNumLoops(); ++along) {
      if (along == over || !ofResult.isFunctionOfDim(along) ||
          extents[along] != extents[over] || dependsOnLoop(element, op, along))
        continue;
      if (std::optional<Triangle> triangle =
              matchTriangle(compare, isInverted, over, along))
        return Scan{
            over,    along,    triangle->isExclusive, triangle->isReversed,
            element, *combiner};
    }
  return std::nullopt;
}

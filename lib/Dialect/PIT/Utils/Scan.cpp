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
#include "llvm/Support/MathExtras.h"

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
  Position operator*(int64_t factor) const {
    return {over * factor, along * factor, constant * factor};
  }
  /// Whether it is never negative, so that its sign does not matter.
  bool isPositive() const { return over >= 0 && along >= 0 && constant >= 0; }
};

/// Follows numbers to the two loops.
class Positions {
public:
  /// `extent` is that of both loops.
  Positions(unsigned over, unsigned along, int64_t extent)
      : over(over), along(along), extent(extent) {}

  /// The number as such a sum; none if it is computed of anything else, or may
  /// overflow.
  std::optional<Position> get(Value number) const;

private:
  std::optional<Position> get(AffineExpr expr,
                              affine::AffineApplyOp apply) const;
  std::optional<Position> compute(Value number) const;
  bool fits(const Position &position, Type type) const;

  unsigned over, along;
  int64_t extent;
};

/// Which elements the condition takes: those in front of a result, or behind.
struct Triangle {
  bool isExclusive, isReversed;
};

} // namespace

/// Whether the number cannot overflow. Factors are few, so that four bits are
/// enough for the sum of both.
bool Positions::fits(const Position &position, Type type) const {
  constexpr int64_t kMostFactor = 4;
  // Extents that are not known are those of tensors, which have as many bits at
  // most.
  constexpr unsigned kBitsOfExtent = 44;
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth(),
           ofExtent = ShapedType::isDynamic(extent)
                          ? kBitsOfExtent
                          : llvm::Log2_64_Ceil(std::max<int64_t>(extent, 2));
  return bits >= ofExtent + 5 && std::abs(position.over) <= kMostFactor &&
         std::abs(position.along) <= kMostFactor &&
         std::abs(position.constant) <= int64_t(1) << std::min(bits - 3, 40u);
}

std::optional<Position> Positions::get(Value number) const {
  if (!number.getType().isIntOrIndex())
    return std::nullopt;
  std::optional<Position> found = compute(number);
  return found && fits(*found, number.getType()) ? found : std::nullopt;
}

std::optional<Position> Positions::compute(Value number) const {
  APInt constant;
  if (matchPattern(number, m_ConstantInt(&constant)))
    return constant.isSignedIntN(48)
               ? std::optional(Position{0, 0, constant.getSExtValue()})
               : std::nullopt;
  Operation *def = number.getDefiningOp();
  if (auto index = dyn_cast_or_null<linalg::IndexOp>(def)) {
    if (index.getDim() == over)
      return Position{1, 0, 0};
    return index.getDim() == along ? std::optional(Position{0, 1, 0})
                                   : std::nullopt;
  }
  if (isa_and_present<arith::IndexCastOp, arith::ExtSIOp>(def))
    return get(def->getOperand(0));
  if (isa_and_present<arith::IndexCastUIOp, arith::ExtUIOp>(def)) {
    std::optional<Position> found = get(def->getOperand(0));
    return found && found->isPositive() ? found : std::nullopt;
  }
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(def))
    return get(apply.getAffineMap().getResult(0), apply);
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(def))
    return std::nullopt;
  std::optional<Position> left = get(def->getOperand(0)),
                          right = get(def->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  return isa<arith::SubIOp>(def) ? *left - *right : *left + *right;
}

std::optional<Position> Positions::get(AffineExpr expr,
                                       affine::AffineApplyOp apply) const {
  ValueRange operands = apply.getMapOperands();
  std::optional<Position> found;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    found = Position{0, 0, constant.getValue()};
  } else if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    found = get(operands[dim.getPosition()]);
  } else if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    found =
        get(operands[apply.getAffineMap().getNumDims() + symbol.getPosition()]);
  } else {
    auto both = cast<AffineBinaryOpExpr>(expr);
    std::optional<Position> left = get(both.getLHS(), apply),
                            right = get(both.getRHS(), apply);
    if (!left || !right)
      return std::nullopt;
    // A difference is a sum with -1 times what is subtracted.
    auto factor = dyn_cast<AffineConstantExpr>(both.getRHS());
    if (both.getKind() == AffineExprKind::Add)
      found = *left + *right;
    else if (both.getKind() == AffineExprKind::Mul && factor &&
             factor.getValue() == -1)
      found = *left * -1;
  }
  return found && fits(*found, apply.getType()) ? found : std::nullopt;
}

static std::optional<Triangle> matchTriangle(arith::CmpIOp compare,
                                             bool isInverted,
                                             const Positions &positions) {
  std::optional<Position> left = positions.get(compare.getLhs()),
                          right = positions.get(compare.getRhs());
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
      if (std::optional<Triangle> triangle = matchTriangle(
              compare, isInverted, Positions(over, along, extents[over])))
        return Scan{
            over,    along,    triangle->isExclusive, triangle->isReversed,
            element, *combiner};
    }
  return std::nullopt;
}

//===- FiniteNumbers.cpp - What stays finite ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Norms divide by a root of a variance and a small constant. That is not zero,
// as a variance is a sum of squares; so numbers are followed back to squares.
//
//===----------------------------------------------------------------------===//

#include "FiniteNumbers.h"

#include "PIT/Analysis/RegionAnalysis.h"
#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pit;

/// Ops on the way back to squares.
static constexpr unsigned kMostSteps = 16;
/// Masks write numbers beyond that, and products of them are infinite.
static constexpr double kLarge = 1e30;

static bool isFinite(Attribute constant) {
  auto number = dyn_cast_if_present<FloatAttr>(constant);
  return !number || (number.getValue().isFinite() &&
                     std::abs(number.getValue().convertToDouble()) < kLarge);
}

/// The number that an element always is; null for others.
static FloatAttr getConstant(Value element, linalg::LinalgOp op) {
  FloatAttr constant;
  if (matchPattern(element, m_Constant(&constant)))
    return constant;
  auto argument = dyn_cast<BlockArgument>(element);
  if (!argument || argument.getOwner() != op.getBlock())
    return FloatAttr();
  Value operand = op->getOperand(argument.getArgNumber());
  DenseFPElementsAttr elements;
  if (matchPattern(operand, m_Constant(&constant)))
    return constant;
  if (auto fill = operand.getDefiningOp<linalg::FillOp>())
    matchPattern(fill.getInputs()[0], m_Constant(&constant));
  else if (matchPattern(operand, m_Constant(&elements)) && elements.isSplat())
    constant = elements.getSplatValue<FloatAttr>();
  return constant;
}

static bool isNonNegative(Value element, linalg::LinalgOp op, unsigned depth);

/// Whether no element of a tensor is negative.
static bool isNonNegative(Value tensor, unsigned depth) {
  Operation *def = tensor.getDefiningOp();
  if (!def || depth > kMostSteps)
    return false;
  if (isDataMovement(def))
    return def->getNumOperands() == 1 &&
           isNonNegative(def->getOperand(0), depth + 1);
  auto op = dyn_cast<linalg::LinalgOp>(def);
  return op && op.hasPureTensorSemantics() &&
         isNonNegative(op.getBlock()->getTerminator()->getOperand(
                           cast<OpResult>(tensor).getResultNumber()),
                       op, depth + 1);
}

/// Whether an element of a body is not negative.
static bool isNonNegative(Value element, linalg::LinalgOp op, unsigned depth) {
  if (FloatAttr constant = getConstant(element, op))
    return !constant.getValue().isNegative();
  if (depth > kMostSteps)
    return false;
  auto follow = [&](Value operand) {
    return isNonNegative(operand, op, depth + 1);
  };
  if (auto argument = dyn_cast<BlockArgument>(element)) {
    if (argument.getOwner() != op.getBlock())
      return false;
    // What a sum starts from, and is by induction.
    return isNonNegative(op->getOperand(argument.getArgNumber()), depth + 1);
  }
  return TypeSwitch<Operation *, bool>(element.getDefiningOp())
      .Case([&](arith::MulFOp product) {
        return product.getLhs() == product.getRhs() ||
               (follow(product.getLhs()) && follow(product.getRhs()));
      })
      .Case([&](arith::MaximumFOp most) {
        return follow(most.getLhs()) || follow(most.getRhs());
      })
      .Case<arith::AddFOp, arith::DivFOp>([&](Operation *both) {
        return follow(both->getOperand(0)) && follow(both->getOperand(1));
      })
      .Case<arith::ExtFOp, arith::TruncFOp, math::SqrtOp>(
          [&](Operation *kept) { return follow(kept->getOperand(0)); })
      .Case([&](math::PowFOp power) {
        FloatAttr exponent = getConstant(power.getRhs(), op);
        return exponent && exponent.getValueAsDouble() == 2;
      })
      .Case<math::ExpOp, math::AbsFOp>([](Operation *) { return true; })
      .Default(false);
}

/// As isPositive; the op of a body that computes an operand may say it.
static bool isPositive(Value element, linalg::LinalgOp op, unsigned depth) {
  auto isPositiveConstant = [&](Value part) {
    FloatAttr constant = getConstant(part, op);
    return constant && !constant.getValue().isZero() &&
           !constant.getValue().isNegative();
  };
  if (isPositiveConstant(element))
    return true;
  if (depth > kMostSteps)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(element)) {
    if (argument.getOwner() != op.getBlock() ||
        argument.getArgNumber() >= op.getNumDpsInputs())
      return false;
    Value operand = op->getOperand(argument.getArgNumber());
    while (Operation *moved = operand.getDefiningOp()) {
      if (!isDataMovement(moved) || moved->getNumOperands() != 1)
        break;
      operand = moved->getOperand(0);
    }
    auto def = operand.getDefiningOp<linalg::LinalgOp>();
    return def && def.hasPureTensorSemantics() &&
           isPositive(def.getBlock()->getTerminator()->getOperand(
                          cast<OpResult>(operand).getResultNumber()),
                      def, depth + 1);
  }
  Operation *def = element.getDefiningOp();
  if (isa_and_present<math::SqrtOp, arith::ExtFOp, arith::TruncFOp>(def))
    return isPositive(def->getOperand(0), op, depth + 1);
  auto sum = dyn_cast_if_present<arith::AddFOp>(def);
  if (!sum)
    return false;
  return (isPositiveConstant(sum.getLhs()) &&
          isNonNegative(sum.getRhs(), op, depth + 1)) ||
         (isPositiveConstant(sum.getRhs()) &&
          isNonNegative(sum.getLhs(), op, depth + 1));
}

bool mlir::pit::isPositive(Value element, linalg::LinalgOp op) {
  // What a sum starts from says nothing of what it becomes.
  auto argument = dyn_cast<BlockArgument>(element);
  if (argument && argument.getOwner() == op.getBlock() &&
      argument.getArgNumber() >= op.getNumDpsInputs() &&
      op.getNumReductionLoops() != 0)
    return false;
  return ::isPositive(element, op, /*depth=*/0);
}

/// Whether a scalar op is finite wherever its operands are finite and not
/// large.
static bool keepsFinite(Operation *nested, linalg::LinalgOp op) {
  return TypeSwitch<Operation *, bool>(nested)
      .Case([&](arith::DivFOp division) {
        FloatAttr constant = getConstant(division.getRhs(), op);
        return (constant && !constant.getValue().isZero()) ||
               mlir::pit::isPositive(division.getRhs(), op);
      })
      .Case<math::RsqrtOp, math::LogOp, math::Log2Op, math::Log10Op>(
          [&](Operation *inverse) {
            return mlir::pit::isPositive(inverse->getOperand(0), op);
          })
      .Case([&](math::SqrtOp root) {
        return isNonNegative(root.getOperand(), op, 0);
      })
      .Case([&](math::PowFOp power) {
        FloatAttr exponent = getConstant(power.getRhs(), op);
        double value = exponent ? exponent.getValueAsDouble() : -1;
        return value >= 0 && value == std::floor(value);
      })
      // Infinite for large arguments alone, as sums and products are.
      .Case<math::AbsFOp, math::CeilOp, math::CosOp, math::ErfOp, math::ErfcOp,
            math::Exp2Op, math::ExpM1Op, math::ExpOp, math::FloorOp,
            math::FmaOp, math::RoundEvenOp, math::RoundOp, math::SinOp,
            math::TanhOp, math::TruncOp>([](Operation *) { return true; })
      .Default([](Operation *other) {
        return !isa<math::MathDialect>(other->getDialect()) &&
               !isa<arith::RemFOp, arith::BitcastOp>(other);
      });
}

bool mlir::pit::keepsFinite(linalg::LinalgOp op) {
  // Constants stand outside, too.
  auto readsFinite = [](Operation *nested) {
    return llvm::all_of(nested->getOperands(), [](Value operand) {
      Attribute constant;
      return !matchPattern(operand, m_Constant(&constant)) ||
             isFinite(constant);
    });
  };
  return !op.getBlock()
              ->walk([&](Operation *nested) {
                return ::keepsFinite(nested, op) && readsFinite(nested)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool mlir::pit::mayMakeNonFinite(linalg::LinalgOp op, ArrayRef<int64_t> axes) {
  Block &body = *op.getBlock();
  std::optional<llvm::DenseMap<Value, AbstractScalar>> scalars;
  /// Whether an element may follow from one that stands for another.
  auto isOther = [&](Value element) {
    if (!scalars)
      scalars = interpretValues(body, op.getNumDpsInputs(), {});
    auto found = scalars->find(element);
    if (found == scalars->end())
      return body.getParent()->isAncestor(element.getParentRegion());
    return found->second.isAccumulator() ||
           llvm::any_of(found->second.operands.set_bits(), [&](unsigned i) {
             return !mapAxesToDims(
                         op.getMatchingIndexingMap(&op->getOpOperand(i)), axes)
                         .empty();
           });
  };
  return body
      .walk([&](Operation *nested) {
        if (::keepsFinite(nested, op))
          return WalkResult::advance();
        auto division = dyn_cast<arith::DivFOp>(nested);
        return (division ? isOther(division.getRhs())
                         : llvm::any_of(nested->getOperands(), isOther))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool mlir::pit::startsFinite(linalg::LinalgOp op) {
  return llvm::all_of(op.getDpsInits(), [](Value init) {
    auto fill = init.getDefiningOp<linalg::FillOp>();
    Attribute constant;
    if (fill && matchPattern(fill.getInputs()[0], m_Constant(&constant)))
      return isFinite(constant);
    DenseFPElementsAttr elements;
    if (matchPattern(init, m_Constant(&elements)))
      return elements.isSplat() &&
             isFinite(elements.getSplatValue<Attribute>());
    return true;
  });
}

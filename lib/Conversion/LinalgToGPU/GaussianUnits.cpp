//===- GaussianUnits.cpp - x / 2 (1 + erf(c x)) ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GaussianUnits.h"

#include "ApproximateFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <array>
#include <optional>

using namespace mlir;

namespace {

struct GaussianUnit {
  Value x;
  double scale;
  /// What computes it, the last one first.
  SmallVector<Operation *> ops;
};

} // namespace

/// The two operands of a commutative op, either way round.
static std::array<std::pair<Value, Value>, 2> getBothWays(Operation *op) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  return {std::pair(lhs, rhs), std::pair(rhs, lhs)};
}

static std::optional<double> getConstant(Value value) {
  APFloat constant(0.0f);
  if (!matchPattern(value, m_ConstantFloat(&constant)))
    return std::nullopt;
  return constant.convertToDouble();
}

/// Whether a value is `scale x`, with a scale of which powers are f32.
static bool matchScaled(Value value, GaussianUnit &unit) {
  constexpr double kLeast = 1.0 / 16, kMost = 16;
  auto setScale = [&](Value x, std::optional<double> scale) {
    if (!scale || !(*scale >= kLeast && *scale <= kMost))
      return false;
    unit.x = x;
    unit.scale = *scale;
    unit.ops.push_back(value.getDefiningOp());
    return true;
  };
  if (auto division = value.getDefiningOp<arith::DivFOp>()) {
    std::optional<double> divisor = getConstant(division.getRhs());
    return divisor && setScale(division.getLhs(), 1 / *divisor);
  }
  if (auto product = value.getDefiningOp<arith::MulFOp>())
    for (auto [x, scale] : getBothWays(product))
      if (setScale(x, getConstant(scale)))
        return true;
  return false;
}

/// Whether a value is `1 + erf(scale x)`.
static bool matchSum(Value value, GaussianUnit &unit) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum)
    return false;
  for (auto [one, other] : getBothWays(sum)) {
    auto erf = other.getDefiningOp<math::ErfOp>();
    if (!erf || getConstant(one) != 1 ||
        !bitEnumContainsAll(erf.getFastmath(), arith::FastMathFlags::afn))
      continue;
    unit.ops.append({sum, erf});
    return matchScaled(erf.getOperand(), unit);
  }
  return false;
}

/// The unit that a product is the last op of: in whatever order x, 1/2 and the
/// sum are multiplied.
static std::optional<GaussianUnit> matchUnit(arith::MulFOp product) {
  for (auto [first, other] : getBothWays(product)) {
    auto inner = other.getDefiningOp<arith::MulFOp>();
    if (!inner)
      continue;
    std::array<Value, 3> factors{first, inner.getLhs(), inner.getRhs()};
    for (unsigned i = 0; i < 3; ++i) {
      GaussianUnit unit;
      unit.ops = {product, inner};
      if (!matchSum(factors[i], unit))
        continue;
      Value rest[] = {factors[(i + 1) % 3], factors[(i + 2) % 3]};
      for (auto [x, half] :
           {std::pair(rest[0], rest[1]), std::pair(rest[1], rest[0])})
        if (x == unit.x && getConstant(half) == 0.5)
          return unit;
    }
  }
  return std::nullopt;
}

static constexpr unsigned kBitsOfF32 = 24;

/// How many bits of a value's significand its users do not round away.
static unsigned getSignificantBits(Value value) {
  unsigned bits = 0;
  for (Operation *user : value.getUsers()) {
    auto ofUser =
        llvm::TypeSwitch<Operation *, unsigned>(user)
            .Case([](arith::TruncFOp op) {
              return cast<FloatType>(op.getType()).getFPMantissaWidth();
            })
            .Case([](NVVM::ConvertF32x2ToBF16x2Op) {
              return APFloat::semanticsPrecision(APFloat::BFloat());
            })
            .Case([](NVVM::ConvertF32x2ToF16x2Op) {
              return APFloat::semanticsPrecision(APFloat::IEEEhalf());
            })
            // Without instructions, it gives what it is given.
            .Case([](LLVM::InlineAsmOp op) {
              return op.getAsmString().empty() && op->getNumOperands() == 1 &&
                             op->getNumResults() == 1
                         ? getSignificantBits(op->getResult(0))
                         : kBitsOfF32;
            })
            .Default(kBitsOfF32);
    bits = std::max(bits, ofUser);
  }
  return bits;
}

void mlir::pit::replaceGaussianUnits(Operation *op) {
  SmallVector<arith::MulFOp> products;
  op->walk([&](arith::MulFOp product) {
    if (product.getType().isF32())
      products.push_back(product);
  });
  // Only what comes before a product is erased with it.
  for (arith::MulFOp product : products) {
    std::optional<GaussianUnit> unit = matchUnit(product);
    if (!unit)
      continue;
    Value result = ApproximateFunctions(product).gelu(
        unit->x, unit->scale, getSignificantBits(product));
    product.getResult().replaceAllUsesWith(result);
    // What others use as well is computed for them.
    for (Operation *part : unit->ops)
      if (part->use_empty())
        part->erase();
  }
}

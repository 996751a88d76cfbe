//===- ScalarRules.cpp - Folds of scalar ops under PIT's licences ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::detail;

FloatAttr mlir::pit::detail::getExactFloat(Type type, double value) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return {};
  const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
  if (std::isinf(value) && !APFloat::semanticsHasInf(semantics))
    return {};
  APFloat converted(value);
  bool losesInfo = false;
  converted.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  if (losesInfo)
    return {};
  return FloatAttr::get(type, converted);
}

/// `f(0)` and `f(+-inf)` of elementary functions, where they are 0, +-1 or
/// +-inf: the same in every float type, and exact.
static TypedAttr foldAtSpecialPoint(Operation *op, TypedAttr argument) {
  auto attr = dyn_cast_or_null<FloatAttr>(argument);
  if (!attr || !(attr.getValue().isZero() || attr.getValue().isInfinity()))
    return {};
  using Function = double (*)(double);
  Function function =
      llvm::TypeSwitch<Operation *, Function>(op)
          .Case<math::AbsFOp>([](auto) { return Function(std::fabs); })
          .Case<math::ExpOp>([](auto) { return Function(std::exp); })
          .Case<math::Exp2Op>([](auto) { return Function(std::exp2); })
          .Case<math::ExpM1Op>([](auto) { return Function(std::expm1); })
          .Case<math::LogOp>([](auto) { return Function(std::log); })
          .Case<math::Log2Op>([](auto) { return Function(std::log2); })
          .Case<math::Log10Op>([](auto) { return Function(std::log10); })
          .Case<math::Log1pOp>([](auto) { return Function(std::log1p); })
          .Case<math::TanhOp>([](auto) { return Function(std::tanh); })
          .Case<math::ErfOp>([](auto) { return Function(std::erf); })
          .Case<math::ErfcOp>([](auto) { return Function(std::erfc); })
          .Case<math::SqrtOp>([](auto) { return Function(std::sqrt); })
          .Case<math::CbrtOp>([](auto) { return Function(std::cbrt); })
          .Case<math::RsqrtOp>([](auto) {
            return Function([](double x) { return 1.0 / std::sqrt(x); });
          })
          .Case<math::SinOp>([](auto) { return Function(std::sin); })
          .Case<math::CosOp>([](auto) { return Function(std::cos); })
          .Case<math::TanOp>([](auto) { return Function(std::tan); })
          .Case<math::AsinOp>([](auto) { return Function(std::asin); })
          .Case<math::AtanOp>([](auto) { return Function(std::atan); })
          .Case<math::SinhOp>([](auto) { return Function(std::sinh); })
          .Case<math::CoshOp>([](auto) { return Function(std::cosh); })
          .Case<math::AsinhOp>([](auto) { return Function(std::asinh); })
          .Case<math::FloorOp>([](auto) { return Function(std::floor); })
          .Case<math::CeilOp>([](auto) { return Function(std::ceil); })
          .Case<math::TruncOp>([](auto) { return Function(std::trunc); })
          .Case<math::RoundOp>([](auto) { return Function(std::round); })
          .Case<math::RoundEvenOp>(
              [](auto) { return Function(std::nearbyint); })
          .Default([](Operation *) { return Function(nullptr); });
  if (!function)
    return {};
  double value = function(attr.getValueAsDouble());
  if (value != 0.0 && std::fabs(value) != 1.0 && !std::isinf(value))
    return {};
  return getExactFloat(op->getResult(0).getType(), value);
}

namespace {

/// Rules for one op with the abstract values of its operands.
class ScalarRules {
public:
  ScalarRules(Operation *op, ArrayRef<AbstractScalar> operands, bool finite)
      : op(op), operands(operands), finite(finite) {}

  std::optional<ScalarFold> fold();

private:
  using Result = std::optional<ScalarFold>;

  static Result toOperand(unsigned operand) {
    return ScalarFold{{}, operand, std::nullopt};
  }
  Result toFloat(double value) const {
    if (FloatAttr attr = getExactFloat(op->getResult(0).getType(), value))
      return ScalarFold{attr, std::nullopt, std::nullopt};
    return std::nullopt;
  }
  bool isInf(unsigned i) const {
    return operands[i].isNegInf() || operands[i].isPosInf();
  }

  /// Whether the first two operands multiply to zero. What is known to be
  /// infinite or NaN is not live data, which alone is taken to be finite.
  bool isZeroProduct() const {
    auto isNotFinite = [](const AbstractScalar &value) {
      auto attr = dyn_cast_or_null<FloatAttr>(value.constant);
      return attr && !attr.getValue().isFinite();
    };
    return finite && (operands[0].isZero() || operands[1].isZero()) &&
           !isNotFinite(operands[0]) && !isNotFinite(operands[1]);
  }

  Result foldSum() const;
  Result foldDifference() const;
  Result foldProduct() const;
  Result foldQuotient() const;
  Result foldFma() const;
  Result foldExtremum(bool isMax, bool nanPropagates) const;

  Operation *op;
  ArrayRef<AbstractScalar> operands;
  bool finite;
};

} // namespace

ScalarRules::Result ScalarRules::foldSum() const {
  for (unsigned i : {0u, 1u})
    if (operands[i].isZero())
      return toOperand(1 - i);
  for (unsigned i : {0u, 1u})
    if (finite && isInf(i))
      return toOperand(i);
  return std::nullopt;
}

ScalarRules::Result ScalarRules::foldDifference() const {
  if (operands[1].isZero() || (finite && isInf(0)))
    return toOperand(0);
  if (finite && isInf(1))
    return toFloat(operands[1].isNegInf()
                       ? std::numeric_limits<double>::infinity()
                       : -std::numeric_limits<double>::infinity());
  return std::nullopt;
}

ScalarRules::Result ScalarRules::foldProduct() const {
  if (isZeroProduct())
    return toFloat(0.0);
  return std::nullopt;
}

ScalarRules::Result ScalarRules::foldQuotient() const {
  if (!finite)
    return std::nullopt;
  if (operands[0].isZero()) {
    Result result = toFloat(0.0);
    if (result)
      result->nonZero = 1;
    return result;
  }
  if (isInf(1))
    return toFloat(0.0);
  return std::nullopt;
}

ScalarRules::Result ScalarRules::foldFma() const {
  if (isZeroProduct())
    return toOperand(2);
  return std::nullopt;
}

ScalarRules::Result ScalarRules::foldExtremum(bool isMax,
                                              bool nanPropagates) const {
  for (unsigned i : {0u, 1u}) {
    bool isNeutral = isMax ? operands[i].isNegInf() : operands[i].isPosInf();
    bool isAbsorbing = isMax ? operands[i].isPosInf() : operands[i].isNegInf();
    // With a NaN on the other side, each kind breaks one of the two rules.
    if (isNeutral && (finite || nanPropagates))
      return toOperand(1 - i);
    if (isAbsorbing && (finite || !nanPropagates))
      return toOperand(i);
  }
  return std::nullopt;
}

ScalarRules::Result ScalarRules::fold() {
  if (operands.size() == 1)
    if (TypedAttr attr = foldAtSpecialPoint(op, operands[0].constant))
      return ScalarFold{attr, std::nullopt, std::nullopt};
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddFOp>([&](auto) { return foldSum(); })
      .Case<arith::SubFOp>([&](auto) { return foldDifference(); })
      .Case<arith::MulFOp>([&](auto) { return foldProduct(); })
      .Case<arith::DivFOp>([&](auto) { return foldQuotient(); })
      .Case<math::FmaOp>([&](auto) { return foldFma(); })
      .Case<arith::MaximumFOp>([&](auto) { return foldExtremum(true, true); })
      .Case<arith::MaxNumFOp>([&](auto) { return foldExtremum(true, false); })
      .Case<arith::MinimumFOp>([&](auto) { return foldExtremum(false, true); })
      .Case<arith::MinNumFOp>([&](auto) { return foldExtremum(false, false); })
      // Zero divided, reduced or shifted stays zero: by zero, too, as the
      // pipelines define it, and a shift by too much is undefined.
      .Case<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
            arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
            arith::RemUIOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [&](auto) { return operands[0].isZero() ? toOperand(0) : Result(); })
      .Default([](Operation *) { return Result(); });
}

std::optional<ScalarFold> mlir::pit::detail::foldScalarOp(
    Operation *op, ArrayRef<AbstractScalar> operands, bool finite) {
  return ScalarRules(op, operands, finite).fold();
}

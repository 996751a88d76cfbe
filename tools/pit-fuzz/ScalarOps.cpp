//===- ScalarOps.cpp - Meaning of the ops in regions ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::optional<ScalarInstruction>
mlir::pit::fuzz::decodeScalarOp(Operation *op) {
  using Code = ScalarCode;
  std::optional<Code> code =
      llvm::StringSwitch<std::optional<Code>>(op->getName().getStringRef())
          .Case("arith.addf", Code::AddF)
          .Case("arith.subf", Code::SubF)
          .Case("arith.mulf", Code::MulF)
          .Case("arith.divf", Code::DivF)
          .Case("arith.maximumf", Code::MaximumF)
          .Case("arith.minimumf", Code::MinimumF)
          .Case("arith.maxnumf", Code::MaxNumF)
          .Case("arith.minnumf", Code::MinNumF)
          .Case("arith.negf", Code::NegF)
          .Case("math.absf", Code::AbsF)
          .Case("math.exp", Code::Exp)
          .Case("math.tanh", Code::Tanh)
          .Case("math.erf", Code::Erf)
          .Case("math.log", Code::Log)
          .Case("math.sqrt", Code::Sqrt)
          .Case("math.rsqrt", Code::Rsqrt)
          .Case("math.floor", Code::Floor)
          .Case("math.ceil", Code::Ceil)
          .Case("arith.cmpf", Code::CmpF)
          .Case("arith.cmpi", Code::CmpI)
          .Case("arith.select", Code::Select)
          .Case("arith.extf", Code::ExtF)
          .Case("arith.truncf", Code::TruncF)
          .Case("arith.sitofp", Code::SIToFP)
          .Case("arith.uitofp", Code::UIToFP)
          .Case("arith.addi", Code::AddI)
          .Case("arith.subi", Code::SubI)
          .Case("arith.muli", Code::MulI)
          .Case("arith.divsi", Code::DivSI)
          .Case("arith.floordivsi", Code::FloorDivSI)
          .Case("arith.ceildivsi", Code::CeilDivSI)
          .Case("arith.remsi", Code::RemSI)
          .Case("arith.divui", Code::DivUI)
          .Case("arith.ceildivui", Code::CeilDivUI)
          .Case("arith.remui", Code::RemUI)
          .Case("arith.maxsi", Code::MaxSI)
          .Case("arith.minsi", Code::MinSI)
          .Case("arith.maxui", Code::MaxUI)
          .Case("arith.minui", Code::MinUI)
          .Case("arith.andi", Code::AndI)
          .Case("arith.ori", Code::OrI)
          .Case("arith.xori", Code::XOrI)
          .Case("arith.extsi", Code::ExtSI)
          .Case("arith.extui", Code::ExtUI)
          .Case("arith.trunci", Code::TruncI)
          .Case("arith.index_cast", Code::IndexCast)
          .Case("math.absi", Code::AbsI)
          .Default(std::nullopt);
  if (!code || op->getNumResults() != 1 ||
      !op->getResult(0).getType().isIntOrIndexOrFloat())
    return std::nullopt;
  ScalarInstruction instruction;
  instruction.code = *code;
  instruction.to = Scalar::of(op->getResult(0).getType());
  instruction.from = Scalar::of(op->getOperand(0).getType());
  if (auto cmp = dyn_cast<arith::CmpFOp>(op))
    instruction.predicate = int(cmp.getPredicate());
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    instruction.predicate = int(cmp.getPredicate());
  return instruction;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// `value` rounded, where it is off by `carried` already and may be off by
/// `ulps` units more unless it is exact.
static Number rounded(const Scalar &type, double value, double carried,
                      double ulps = 1, bool isExact = true) {
  double result = type.round(value);
  if (std::isnan(result))
    return Number::makeFloat(result, carried > 0 ? kInfinity : 0);
  // What overflows here need not where rounding differs.
  if (std::isinf(result) && !(std::isinf(value) && carried == 0))
    return Number::makeFloat(result, kInfinity);
  if (std::isinf(result))
    return Number::makeFloat(result);
  if (isExact && result == value && carried == 0)
    return Number::makeFloat(result);
  return Number::makeFloat(
      result, carried + ulps * type.ulp(std::fabs(result) + carried));
}

static Number unpromisedFloat(double value) {
  return Number::makeFloat(value, kInfinity);
}

static bool oneIsInfinite(const Number &a, const Number &b) {
  return std::isinf(a.f) || std::isinf(b.f);
}

static double getMagnitude(const Number &a) {
  return a.magnitude != 0 ? a.magnitude : std::fabs(a.f);
}

/// The largest power of two that the terms are multiples of; infinite of zero.
static double getQuantum(const Number &a) {
  if (a.magnitude != 0)
    return a.quantum;
  if (a.f == 0 || !std::isfinite(a.f))
    return kInfinity;
  int exponent;
  double fraction = std::frexp(a.f, &exponent);
  auto digits = int64_t(std::ldexp(fraction, 53));
  return std::ldexp(1.0, exponent - 53 + llvm::countr_zero(uint64_t(digits)));
}

static Number addFloats(const Scalar &type, const Number &a, Number b,
                        bool negate) {
  if (negate)
    b.f = -b.f;
  double sum = a.f + b.f;
  // `-inf + x` may be left as it is where x is NaN or +inf.
  if (std::isnan(sum) && oneIsInfinite(a, b))
    return unpromisedFloat(sum);
  if (oneIsInfinite(a, b))
    return Number::makeFloat(sum);
  // In f64, the sum is rounded already: what two-sum finds is the error.
  double back = sum - a.f;
  bool isExact = (a.f - (sum - back)) + (b.f - back) == 0;
  double carried = a.bound + b.bound;
  Number result = rounded(type, sum, carried, 1, isExact);
  // The compiler may add in another order.
  result.magnitude = getMagnitude(a) + getMagnitude(b);
  result.quantum = std::min(getQuantum(a), getQuantum(b));
  bool hasManyTerms = a.magnitude != 0 || b.magnitude != 0;
  if (hasManyTerms && std::isfinite(result.f) &&
      !type.isExactUpTo(result.magnitude, result.quantum))
    result.bound =
        std::max(result.bound, carried + type.ulp(result.magnitude + carried));
  return result;
}

static Number multiply(const Scalar &type, const Number &a, const Number &b) {
  double product = a.f * b.f;
  auto mayBeZero = [](const Number &x) { return std::fabs(x.f) <= x.bound; };
  if (!std::isfinite(product) && !std::isnan(product) && !oneIsInfinite(a, b))
    return unpromisedFloat(product);
  // `0 * x` may be taken for 0 where x is infinite or NaN.
  if (!std::isfinite(a.f) || !std::isfinite(b.f)) {
    bool bothNaN = std::isnan(a.f) && std::isnan(b.f);
    if (!bothNaN && ((std::isfinite(a.f) && mayBeZero(a)) ||
                     (std::isfinite(b.f) && mayBeZero(b))))
      return unpromisedFloat(product);
    return Number::makeFloat(product);
  }
  double carried =
      std::fabs(a.f) * b.bound + std::fabs(b.f) * a.bound + a.bound * b.bound;
  return rounded(type, product, carried, 1, std::fma(a.f, b.f, -product) == 0);
}

static Number divide(const Scalar &type, const Number &a, const Number &b) {
  double quotient = a.f / b.f;
  // The sign of a zero is not promised.
  if (b.f == 0 && b.bound == 0)
    return a.bound == 0 && std::isnan(quotient) && !std::isnan(a.f)
               ? Number::makeFloat(quotient)
               : unpromisedFloat(quotient);
  // What is divided by an infinity is taken for finite.
  if (std::isinf(b.f) && !std::isfinite(a.f))
    return unpromisedFloat(quotient);
  // An absent dividend gives an absent quotient of whatever is live.
  if (!std::isfinite(b.f) && a.f == 0)
    return unpromisedFloat(quotient);
  if (std::isinf(a.f) || !std::isfinite(b.f) || std::isnan(a.f))
    return std::isfinite(b.f) && std::fabs(b.f) <= b.bound
               ? unpromisedFloat(quotient)
               : rounded(type, quotient, 0);
  if (std::fabs(b.f) <= b.bound)
    return unpromisedFloat(quotient);
  double carried =
      (a.bound + std::fabs(quotient) * b.bound) / (std::fabs(b.f) - b.bound);
  return rounded(type, quotient, carried, 1,
                 std::fma(quotient, b.f, -a.f) == 0);
}

static Number pick(const Number &a, const Number &b, bool larger,
                   bool ignoresNaN) {
  if (std::isnan(a.f) || std::isnan(b.f)) {
    bool both = std::isnan(a.f) && std::isnan(b.f);
    double bound = std::max(a.bound, b.bound);
    if (ignoresNaN && !both)
      return Number::makeFloat(std::isnan(a.f) ? b.f : a.f, bound);
    return Number::makeFloat(std::numeric_limits<double>::quiet_NaN(), bound);
  }
  const Number &first = (a.f > b.f) == larger ? a : b;
  const Number &second = &first == &a ? b : a;
  // Equal infinities need no distance.
  double distance = first.f == second.f ? 0 : std::fabs(first.f - second.f);
  // Only where it may win does the other one matter.
  double bound = distance > first.bound + second.bound
                     ? first.bound
                     : std::max(first.bound, second.bound);
  return Number::makeFloat(first.f, bound);
}

/// f(x), off by at most `carried`, where libraries err by some units.
static Number function(const Scalar &type, const Number &x, double value,
                       double carried) {
  if (std::isnan(x.f))
    return Number::makeFloat(value);
  constexpr double kUlps = 4;
  double absolute = carried > 0 || std::isfinite(x.f)
                        ? carried + std::ldexp(1.0, type.minExponent)
                        : 0;
  return rounded(type, value, absolute, kUlps, /*isExact=*/false);
}

static Number callFunction(ScalarCode code, const Scalar &type,
                           const Number &x) {
  double a = x.f, b = x.bound;
  switch (code) {
  case ScalarCode::Exp:
    if (std::isinf(a))
      return Number::makeFloat(a < 0 ? 0.0 : a);
    return function(type, x, std::exp(a), std::exp(a) * std::expm1(b));
  case ScalarCode::Tanh:
    return function(type, x, std::tanh(a), b);
  case ScalarCode::Erf:
    return function(type, x, std::erf(a), 1.13 * b);
  case ScalarCode::Log:
    // Of no weights at all.
    if (a == 0 && b == 0)
      return Number::makeFloat(-kInfinity);
    // Near 1 the result is small and its error that of the argument.
    if (a <= b)
      return unpromisedFloat(std::log(a));
    return function(type, x, std::log(a), b / (a - b) + 4 * type.ulp(1.0));
  case ScalarCode::Sqrt:
    if (a < 0 && -a > b)
      return Number::makeFloat(std::sqrt(a));
    if (a <= b)
      return a == 0 && b == 0 ? Number::makeFloat(0)
                              : unpromisedFloat(std::sqrt(std::fabs(a)));
    if (std::isinf(a))
      return Number::makeFloat(a);
    return rounded(type, std::sqrt(a), b / std::sqrt(a - b), 1,
                   std::sqrt(a) * std::sqrt(a) == a);
  case ScalarCode::Rsqrt:
    // Of a zero, the sign is not promised.
    if (a <= b)
      return a < -b ? Number::makeFloat(std::sqrt(a))
                    : unpromisedFloat(1 / std::sqrt(std::fabs(a)));
    if (std::isinf(a))
      return Number::makeFloat(0);
    return function(type, x, 1 / std::sqrt(a), 0.5 * b * std::pow(a - b, -1.5));
  case ScalarCode::Floor:
    return std::floor(a - b) == std::floor(a + b) || b == 0
               ? Number::makeFloat(std::floor(a))
               : unpromisedFloat(std::floor(a));
  default:
    return std::ceil(a - b) == std::ceil(a + b) || b == 0
               ? Number::makeFloat(std::ceil(a))
               : unpromisedFloat(std::ceil(a));
  }
}

static Number compareFloats(int predicate, const Number &a, const Number &b) {
  bool isUnordered = std::isnan(a.f) || std::isnan(b.f);
  bool uncertain = a.bound + b.bound > 0 && !isUnordered && a.f != b.f
                       ? std::fabs(a.f - b.f) <= a.bound + b.bound
                       : a.bound + b.bound > 0;
  bool result = arith::applyCmpPredicate(
      static_cast<arith::CmpFPredicate>(predicate), APFloat(a.f), APFloat(b.f));
  return Number::makeInt(-int64_t(result), !uncertain);
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

/// By zero, the quotient and the remainder are 0; the smallest number by -1
/// stays as it is.
static int64_t divideSigned(ScalarCode code, int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  if (b == -1)
    return code == ScalarCode::RemSI ? 0 : int64_t(-uint64_t(a));
  int64_t quotient = a / b, remainder = a % b;
  bool isBelow = remainder != 0 && (remainder < 0) != (b < 0);
  if (code == ScalarCode::RemSI)
    return remainder;
  if (code == ScalarCode::FloorDivSI)
    return quotient - isBelow;
  return quotient +
         (code == ScalarCode::CeilDivSI && remainder != 0 && !isBelow);
}

static int64_t divideUnsigned(ScalarCode code, uint64_t a, uint64_t b) {
  if (b == 0)
    return 0;
  if (code == ScalarCode::RemUI)
    return int64_t(a % b);
  return int64_t(a / b + (code == ScalarCode::CeilDivUI && a % b != 0));
}

static int64_t computeInteger(const ScalarInstruction &op, const Number &a,
                              const Number &b) {
  uint64_t x = uint64_t(a.i), y = uint64_t(b.i);
  auto isLess = [&] {
    return op.from.zeroExtend(a.i) < op.from.zeroExtend(b.i);
  };
  switch (op.code) {
  case ScalarCode::AddI:
    return int64_t(x + y);
  case ScalarCode::SubI:
    return int64_t(x - y);
  case ScalarCode::MulI:
    return int64_t(x * y);
  case ScalarCode::DivSI:
  case ScalarCode::FloorDivSI:
  case ScalarCode::CeilDivSI:
  case ScalarCode::RemSI:
    return divideSigned(op.code, a.i, b.i);
  case ScalarCode::DivUI:
  case ScalarCode::CeilDivUI:
  case ScalarCode::RemUI:
    return divideUnsigned(op.code, op.from.zeroExtend(a.i),
                          op.from.zeroExtend(b.i));
  case ScalarCode::MaxSI:
    return std::max(a.i, b.i);
  case ScalarCode::MinSI:
    return std::min(a.i, b.i);
  case ScalarCode::MaxUI:
    return isLess() ? b.i : a.i;
  case ScalarCode::MinUI:
    return isLess() ? a.i : b.i;
  case ScalarCode::AndI:
    return a.i & b.i;
  case ScalarCode::OrI:
    return a.i | b.i;
  case ScalarCode::XOrI:
    return a.i ^ b.i;
  case ScalarCode::ExtUI:
    return int64_t(op.from.zeroExtend(a.i));
  case ScalarCode::AbsI:
    return a.i < 0 ? int64_t(-x) : a.i;
  case ScalarCode::CmpI:
    return -int64_t(arith::applyCmpPredicate(
        static_cast<arith::CmpIPredicate>(op.predicate),
        APInt(64, x, /*isSigned=*/true), APInt(64, y, /*isSigned=*/true)));
  default: // Extensions, truncations and casts: only the width changes.
    return a.i;
  }
}

Number mlir::pit::fuzz::execute(const ScalarInstruction &op,
                                const Number *frame) {
  const Number &a = frame[op.operands[0]], &b = frame[op.operands[1]],
               &c = frame[op.operands[2]];
  if (op.code == ScalarCode::Select) {
    Number chosen = a.i ? b : c;
    if (!a.isPromised())
      chosen.bound = kInfinity;
    return chosen;
  }
  bool promised = a.isPromised() && b.isPromised();
  if (!op.to.isFloat() && op.code != ScalarCode::CmpF) {
    return Number::makeInt(op.to.wrap(computeInteger(op, a, b)), promised);
  }
  Number result;
  switch (op.code) {
  case ScalarCode::CmpF:
    result = compareFloats(op.predicate, a, b);
    break;
  case ScalarCode::AddF:
  case ScalarCode::SubF:
    result = addFloats(op.to, a, b, op.code == ScalarCode::SubF);
    break;
  case ScalarCode::MulF:
    result = multiply(op.to, a, b);
    break;
  case ScalarCode::DivF:
    result = divide(op.to, a, b);
    break;
  case ScalarCode::MaximumF:
  case ScalarCode::MinimumF:
    result = pick(a, b, op.code == ScalarCode::MaximumF, false);
    break;
  case ScalarCode::MaxNumF:
  case ScalarCode::MinNumF:
    result = pick(a, b, op.code == ScalarCode::MaxNumF, true);
    break;
  case ScalarCode::NegF:
    result = Number::makeFloat(-a.f, a.bound);
    break;
  case ScalarCode::AbsF:
    result = Number::makeFloat(std::fabs(a.f), a.bound);
    break;
  case ScalarCode::ExtF:
  case ScalarCode::TruncF:
    result = rounded(op.to, a.f, a.bound);
    break;
  case ScalarCode::SIToFP:
    result = rounded(op.to, double(a.i), 0, 1, int64_t(double(a.i)) == a.i);
    break;
  case ScalarCode::UIToFP:
    result = rounded(op.to, double(op.from.zeroExtend(a.i)), 0);
    break;
  default:
    result = callFunction(op.code, op.to, a);
    break;
  }
  if (!promised)
    result.bound = kInfinity;
  return result;
}

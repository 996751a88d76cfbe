//===- ScalarValues.cpp - Bodies on single values -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarValues.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::pit::proofs;

ArrayRef<double> mlir::pit::proofs::getDomain(bool isFloat, bool finite) {
  static const double inf = std::numeric_limits<double>::infinity();
  static const double integers[] = {-4, -3, -2, -1, 0, 1, 2, 3};
  static const double floats[] = {0.0,
                                  1.0,
                                  -2.0,
                                  -0.0,
                                  0.5,
                                  3.0,
                                  -1.0,
                                  inf,
                                  -inf,
                                  std::nan(""),
                                  std::numeric_limits<float>::max(),
                                  std::numeric_limits<float>::denorm_min()};
  if (!isFloat)
    return integers;
  return finite ? ArrayRef<double>(floats).take_front(7)
                : ArrayRef<double>(floats);
}

bool mlir::pit::proofs::isSame(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

double mlir::pit::proofs::toKey(double value) {
  if (std::isnan(value))
    return 1e300;
  return value == 0 ? 0.0 : value;
}

std::optional<double> mlir::pit::proofs::getNumber(TypedAttr attr) {
  if (auto value = dyn_cast_or_null<FloatAttr>(attr))
    return value.getValueAsDouble();
  if (auto value = dyn_cast_or_null<IntegerAttr>(attr))
    return static_cast<double>(value.getValue().getSExtValue());
  return std::nullopt;
}

std::string mlir::pit::proofs::getShape(const Body &body) {
  std::string text;
  for (const Node &node : body.nodes)
    text += (text.empty() ? "" : ", ") + getName(node.op).str();
  return text.empty() ? "none" : text;
}

std::string mlir::pit::proofs::getLastName(const Body &body) {
  return body.nodes.empty() ? "none" : getName(body.nodes.back().op).str();
}

//===----------------------------------------------------------------------===//
// i3
//===----------------------------------------------------------------------===//

static int wrap(int value) { return ((value + 4) & 7) - 4; }

static int applyInteger(ScalarOp op, const double *v, bool &undefined) {
  int a = static_cast<int>(v[0]), b = static_cast<int>(v[1]);
  unsigned ua = a & 7, ub = b & 7;
  auto fail = [&] {
    undefined = true;
    return 0;
  };
  auto isBadQuotient = [&] { return b == 0 || (a == -4 && b == -1); };
  auto floorDivide = [](int x, int y) {
    return static_cast<int>(std::floor(static_cast<double>(x) / y));
  };
  switch (op) {
  case ScalarOp::AddI:
    return wrap(a + b);
  case ScalarOp::SubI:
    return wrap(a - b);
  case ScalarOp::MulI:
    return wrap(a * b);
  case ScalarOp::MaxSI:
    return std::max(a, b);
  case ScalarOp::MaxUI:
    return wrap(std::max(ua, ub));
  case ScalarOp::MinSI:
    return std::min(a, b);
  case ScalarOp::MinUI:
    return wrap(std::min(ua, ub));
  case ScalarOp::AndI:
    return wrap(ua & ub);
  case ScalarOp::OrI:
    return wrap(ua | ub);
  case ScalarOp::XOrI:
    return wrap(ua ^ ub);
  case ScalarOp::DivSI:
    return isBadQuotient() ? fail() : a / b;
  case ScalarOp::DivUI:
    return b == 0 ? fail() : wrap(ua / ub);
  case ScalarOp::CeilDivSI:
    return isBadQuotient() ? fail() : -floorDivide(-a, b);
  case ScalarOp::FloorDivSI:
    return isBadQuotient() ? fail() : floorDivide(a, b);
  case ScalarOp::RemSI:
    return isBadQuotient() ? fail() : a % b;
  case ScalarOp::RemUI:
    return b == 0 ? fail() : wrap(ua % ub);
  case ScalarOp::ShLI:
    return ub >= 3 ? fail() : wrap(ua << ub);
  case ScalarOp::ShRSI:
    return ub >= 3 ? fail() : a >> ub;
  case ScalarOp::ShRUI:
    return ub >= 3 ? fail() : wrap(ua >> ub);
  case ScalarOp::LessSI:
    return static_cast<int>(a < b ? v[2] : v[3]);
  default:
    llvm_unreachable("not an operation on integers");
  }
}

//===----------------------------------------------------------------------===//
// f32
//===----------------------------------------------------------------------===//

static float applyFloat(ScalarOp op, const double *v) {
  float a = static_cast<float>(v[0]), b = static_cast<float>(v[1]);
  float nan = std::numeric_limits<float>::quiet_NaN();
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (op) {
  case ScalarOp::AddF:
    return a + b;
  case ScalarOp::SubF:
    return a - b;
  case ScalarOp::MulF:
    return a * b;
  case ScalarOp::DivF:
    return a / b;
  case ScalarOp::MaximumF:
    return unordered ? nan : std::max(a, b);
  case ScalarOp::MinimumF:
    return unordered ? nan : std::min(a, b);
  case ScalarOp::MaxNumF:
    return std::isnan(a) ? b : std::isnan(b) ? a : std::max(a, b);
  case ScalarOp::MinNumF:
    return std::isnan(a) ? b : std::isnan(b) ? a : std::min(a, b);
  case ScalarOp::NegF:
    return -a;
  case ScalarOp::AbsF:
    return std::fabs(a);
  case ScalarOp::Exp:
    return std::exp(a);
  case ScalarOp::Fma:
    return std::fma(a, b, static_cast<float>(v[2]));
  case ScalarOp::LessF:
    return static_cast<float>(a < b ? v[2] : v[3]);
  default:
    llvm_unreachable("not an operation on floats");
  }
}

static bool isUnlicensed(ScalarOp op, const double *v) {
  auto product = [](double a, double b) {
    return (a == 0 && !std::isfinite(b)) || (b == 0 && !std::isfinite(a));
  };
  auto sum = [](double a, double b) {
    return !std::isfinite(a) && !std::isfinite(b);
  };
  switch (op) {
  case ScalarOp::MulF:
    return product(v[0], v[1]);
  case ScalarOp::AddF:
  case ScalarOp::SubF:
    return sum(v[0], v[1]);
  case ScalarOp::DivF:
    return !std::isfinite(v[0]) && !std::isfinite(v[1]);
  case ScalarOp::Fma:
    return product(v[0], v[1]) || sum(v[0] * v[1], v[2]);
  default:
    return false;
  }
}

Evaluation mlir::pit::proofs::evaluate(const Body &body,
                                       const std::array<double, 4> &values,
                                       bool isFloat) {
  Evaluation evaluation;
  SmallVector<double, 10> known;
  for (const Leaf &leaf : body.leaves)
    known.push_back(leaf.kind == Leaf::Argument ? values[leaf.number]
                    : leaf.kind == Leaf::Index  ? values[3]
                                                : leaf.value);
  for (const Node &node : body.nodes) {
    double operands[4];
    bool isFinite = true;
    for (unsigned i = 0; i < 4; ++i)
      operands[i] = known[node.operands[i]];
    for (unsigned i = 0; i < getArity(node.op); ++i)
      isFinite &= std::isfinite(operands[i]);
    if (!isFloat) {
      known.push_back(applyInteger(node.op, operands, evaluation.undefined));
      continue;
    }
    known.push_back(applyFloat(node.op, operands));
    evaluation.unlicensed |= isUnlicensed(node.op, operands);
    evaluation.overflows |= isFinite && !std::isfinite(known.back());
    evaluation.dividesByZero |= node.op == ScalarOp::DivF && operands[1] == 0;
  }
  evaluation.result = known[body.yields[0]];
  return evaluation;
}

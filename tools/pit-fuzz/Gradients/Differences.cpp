//===- Differences.cpp - Gradients against differences --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"
#include "Random.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::pit::fuzz;
using ::pit::run::Random;

namespace {
/// What the attribute of a function says.
struct Roles {
  ArrayRef<int64_t> outputs, given, parameters, gradients, sums;

  explicit Roles(DictionaryAttr attr)
      : outputs(read(attr, "outputs")), given(read(attr, "given")),
        parameters(read(attr, "parameters")),
        gradients(read(attr, "gradients")), sums(read(attr, "sums")) {}

private:
  static ArrayRef<int64_t> read(DictionaryAttr attr, StringRef name) {
    auto numbers = attr.getAs<DenseI64ArrayAttr>(name);
    return numbers ? numbers.asArrayRef() : ArrayRef<int64_t>();
  }
};

struct Attempt {
  bool isComparable = false;
  double derivative = 0, difference = 0, size = 0;

  bool agrees() const {
    return !isComparable ||
           std::fabs(derivative - difference) <= 1e-5 * (1 + size);
  }
};
} // namespace

/// The sum of products, without places where a factor is not a number: those
/// are dead. Adds magnitudes to `size`.
static double dot(const Tensor &a, const Tensor &b, double &size) {
  double sum = 0;
  for (auto [x, y] : llvm::zip_equal(a.elements, b.elements)) {
    if (std::isnan(x.f) || std::isnan(y.f))
      continue;
    sum += x.f * y.f;
    size += std::fabs(x.f * y.f);
  }
  return sum;
}

static bool isFinite(const Tensor &tensor) {
  return llvm::all_of(tensor.elements,
                      [](const Number &x) { return std::isfinite(x.f); });
}

static Attempt attempt(func::FuncOp function, const Roles &roles,
                       std::vector<Tensor> arguments, int64_t maxPoints,
                       Random &random) {
  Attempt attempt;
  // Away from the places where a ReLU has a corner, which are all integers.
  std::vector<Tensor> direction;
  for (int64_t number : roles.parameters) {
    Tensor &argument = arguments[size_t(number)];
    direction.push_back(argument);
    for (auto [x, d] :
         llvm::zip_equal(argument.elements, direction.back().elements)) {
      x.f += 0.2 * (random.uniform() - 0.5);
      d.f = std::isnan(x.f) ? 0 : random.uniform() - 0.5;
    }
  }
  for (int64_t number : roles.sums)
    for (Number &x : arguments[size_t(number)].elements)
      x.f = 0;
  auto at = interpret(function, arguments, maxPoints);
  if (!at) {
    llvm::consumeError(at.takeError());
    return attempt;
  }
  for (auto [number, d] : llvm::zip_equal(roles.gradients, direction)) {
    const Tensor &gradient = (*at)[size_t(number)];
    if (!isFinite(gradient))
      return attempt;
    attempt.derivative += dot(gradient, d, attempt.size);
  }
  constexpr double kStep = 1e-6;
  for (double sign : {1.0, -1.0}) {
    std::vector<Tensor> moved = arguments;
    for (auto [number, d] : llvm::zip_equal(roles.parameters, direction))
      for (auto [x, e] :
           llvm::zip_equal(moved[size_t(number)].elements, d.elements))
        x.f += sign * kStep * e.f;
    auto there = interpret(function, moved, maxPoints);
    if (!there) {
      llvm::consumeError(there.takeError());
      return attempt;
    }
    for (auto [output, given] : llvm::zip_equal(roles.outputs, roles.given)) {
      const Tensor &value = (*there)[size_t(output)];
      if (!isFinite(value))
        return attempt;
      // Terms that cancel leave errors of their size.
      double size = 0;
      attempt.difference +=
          sign * dot(value, arguments[size_t(given)], size) / (2 * kStep);
      attempt.size += 1e-4 * size;
    }
  }
  attempt.isComparable = true;
  return attempt;
}

bool mlir::pit::fuzz::agreesWithDifferences(
    func::FuncOp function, const std::vector<::pit::npy::Array> &inputs,
    int64_t maxPoints, std::string &message) {
  auto attr = function->getAttrOfType<DictionaryAttr>(kGradientsAttrName);
  if (!attr)
    return true;
  Roles roles(attr);
  Scalar::ScopedDouble inDouble;
  std::vector<Tensor> arguments;
  for (auto [input, type] :
       llvm::zip_equal(inputs, function.getArgumentTypes()))
    arguments.push_back(readArray(input, getElementTypeOrSelf(type)));
  Random random(0);
  // A step over a corner is rare, and not there the next time.
  Attempt last;
  for (int tries = 0; tries < 4; ++tries) {
    last = attempt(function, roles, arguments, maxPoints, random);
    if (last.agrees())
      return true;
  }
  llvm::raw_string_ostream(message)
      << "the derivative is " << llvm::format("%.9g", last.derivative)
      << " by gradients and " << llvm::format("%.9g", last.difference)
      << " by differences";
  return false;
}

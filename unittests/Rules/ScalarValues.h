//===- ScalarValues.h - Bodies on single values -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_RULES_SCALARVALUES_H
#define PIT_UNITTESTS_RULES_SCALARVALUES_H

#include "Scalar.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <array>
#include <optional>

namespace mlir::pit::proofs {

/// The values of i3, or those of f32 at which operations behave in a way of
/// their own, with some ordinary ones.
ArrayRef<double> getDomain(bool isFloat, bool finite);

struct Evaluation {
  double result = 0;
  /// Nothing is promised: a division by zero or an overflow of integers.
  bool undefined = false;
  /// A float division by zero.
  bool dividesByZero = false;
  /// An operation on finite values gave an infinity or NaN.
  bool overflows = false;
  /// A zero multiplied by an infinity or NaN, or an infinity added to what is
  /// not finite, or divided by it: the `finite` licence promises nothing of it.
  bool unlicensed = false;
};

/// `body` in f32, or in i3, which is held sign-extended. `values` are those of
/// three arguments and of the position.
Evaluation evaluate(const Body &body, const std::array<double, 4> &values,
                    bool isFloat);

/// -0.0 and 0.0 are the same, and so are NaNs.
bool isSame(double a, double b);
/// As a key of a map, which needs an order.
double toKey(double value);
std::optional<double> getNumber(TypedAttr attr);
/// The names of the operations, and of the last one.
std::string getShape(const Body &body);
std::string getLastName(const Body &body);

} // namespace mlir::pit::proofs

#endif // PIT_UNITTESTS_RULES_SCALARVALUES_H

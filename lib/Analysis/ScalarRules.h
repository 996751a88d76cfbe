//===- ScalarRules.h - Folds of scalar ops under PIT's licences -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_ANALYSIS_SCALARRULES_H
#define PIT_LIB_ANALYSIS_SCALARRULES_H

#include "PIT/Analysis/RegionAnalysis.h"
#include "mlir/IR/Operation.h"

namespace mlir::pit::detail {

/// What applying a rule to an op yields: a constant or one of the operands.
struct ScalarFold {
  TypedAttr constant;
  std::optional<unsigned> operand;
  /// The operand that must not be zero for this to hold.
  std::optional<unsigned> nonZero;
};

/// Folds of a single-result op that its own folder does not do: because they
/// need the `finite` licence or ignore the sign of zero, or because upstream
/// folds fewer float types.
std::optional<ScalarFold>
foldScalarOp(Operation *op, ArrayRef<AbstractScalar> operands, bool finite);

/// `value` in the float type `type`, or null where it is not representable.
FloatAttr getExactFloat(Type type, double value);

} // namespace mlir::pit::detail

#endif // PIT_LIB_ANALYSIS_SCALARRULES_H

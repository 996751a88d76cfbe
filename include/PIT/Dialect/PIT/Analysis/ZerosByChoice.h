//===- ZerosByChoice.h - Zeros that data decides on -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_ANALYSIS_ZEROSBYCHOICE_H
#define PIT_DIALECT_PIT_ANALYSIS_ZEROSBYCHOICE_H

#include "mlir/IR/Value.h"

namespace mlir::pit {

/// Whether elementwise ops put zeros into a tensor wherever data says so, so
/// that many of its elements may be zero: max(x, 0), select(c, x, 0), and
/// products, roots, casts and views of these. How many are is known at run time
/// alone. Conservative: says no for what it does not know, and for constants.
bool holdsZerosByChoice(Value tensor);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_ANALYSIS_ZEROSBYCHOICE_H

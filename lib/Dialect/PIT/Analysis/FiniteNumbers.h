//===- FiniteNumbers.h - What stays finite ----------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_ANALYSIS_FINITENUMBERS_H
#define PIT_LIB_DIALECT_PIT_ANALYSIS_FINITENUMBERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Whether the body of an op computes finite numbers of finite ones that are
/// not large: it divides by nothing that may be zero, takes no root of what may
/// be negative, and writes no infinite or lowest number itself. Conservative.
bool keepsFinite(linalg::LinalgOp op);

/// Whether a float of the body of an op is above zero, whatever data says, but
/// NaN: a constant, or what a positive one was added to, and roots of these.
bool isPositive(Value element, linalg::LinalgOp op);

/// Whether what the results start from is finite, as far as the program says
/// it: arguments are.
bool startsFinite(linalg::LinalgOp op);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_ANALYSIS_FINITENUMBERS_H

//===- ReportRules.h - Remarks of axes, patterns and rules ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOPIT_REPORTRULES_H
#define PIT_LIB_CONVERSION_LINALGTOPIT_REPORTRULES_H

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Says which axes of the op are PIT-axes, and why others are not.
void reportAxes(linalg::LinalgOp op, bool strict);

/// Says what a mark stands for.
void reportPattern(SparseOp mark, const SparsityPropagation &propagation);

/// Says that the op visits only what is live, and why it may.
void reportRule(linalg::LinalgOp op, const Restriction &restriction,
                const SparsityPropagation &propagation);

/// Says that no rule lets the op skip anything, if a pattern has reached it.
void reportNoRule(linalg::LinalgOp op, const SparsityPropagation &propagation);

/// Warns of a mark, or of an op that a pattern has reached, inside of an op
/// whose regions are not analysed.
void reportOutOfReach(SparseOp mark);
void reportOutOfReach(linalg::LinalgOp op,
                      const SparsityPropagation &propagation);

/// That a pattern ends at an op which moves data, and why.
void reportEnd(Operation *op, unsigned pattern, StringRef reason,
               const SparsityPropagation &propagation);

/// Begins the remark of an op that has a rule and is computed densely anyway.
remarks::InFlight reportDense(Operation *op);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOPIT_REPORTRULES_H

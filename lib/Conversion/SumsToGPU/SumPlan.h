//===- SumPlan.h - #pit.row_plan of sums and numbers ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_SUMSTOGPU_SUMPLAN_H
#define PIT_LIB_CONVERSION_SUMSTOGPU_SUMPLAN_H

#include "Match.h"

#include "PIT/GPU/ChipModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit::sums {

/// Gives each tiled op of the function's body that has none a plan, if it is a
/// sum of listed rows or has a number for each listed element, and says of
/// others why not. `cacheHints` says whether loads may say how caches treat
/// what they read. Fills that kernels of sums do become `taken`.
void planSums(func::FuncOp function, const ChipModel &chip, bool cacheHints,
              DenseSet<Operation *> &taken);

/// Says what the op, or the chip, has not that the op's plan needs.
LogicalResult checkPlan(const SumMatch &match, const ChipModel &chip);

/// Whether the lists have no more elements than an input has rows, as those of
/// an inverse have, and vectors of so many columns are whole loads: hardly any
/// is read twice.
bool isReadOnce(const SumMatch &match, const Operand &input, int64_t vector);

} // namespace mlir::pit::sums

#endif // PIT_LIB_CONVERSION_SUMSTOGPU_SUMPLAN_H

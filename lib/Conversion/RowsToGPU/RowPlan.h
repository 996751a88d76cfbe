//===- RowPlan.h - #pit.row_plan of rows and fills --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_ROWPLAN_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_ROWPLAN_H

#include "Match.h"

#include "PIT/GPU/ChipModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit::rows {

struct RowPlanOptions {
  const ChipModel &chip;
  /// Whether sums of floats keep their order.
  bool strict = false;
};

/// How many threads have a row together where nobody says it: part of a warp
/// for short rows, a warp or a block as long as its registers hold the row.
int64_t chooseThreadsOfRow(int64_t columns);
/// Whether so many threads do not hold a row of so many columns.
bool isLongRow(int64_t columns, int64_t threadsOfRow);

/// Gives ops of the function's body that have none a plan: tiled ops of rows,
/// reductions along all rows with what is computed behind them, other
/// reductions, and large fills that are not `taken` by other kernels. Ops of a
/// group become neighbours. Says of others why not.
void planRows(func::FuncOp function, const RowPlanOptions &options,
              DenseSet<Operation *> taken);

/// Says what rows of the match have not that the plan of `op` needs.
LogicalResult checkPlan(Operation *op, const RowsMatch &match,
                        RowPlanAttr plan);

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_ROWPLAN_H

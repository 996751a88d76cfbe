//===- RowShapes.h - Which structured ops work row by row -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_ROWSHAPES_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_ROWSHAPES_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Utils/Combiner.h"

#include <optional>

namespace mlir::pit::rows {

/// Rows have at most so many columns. Registers of a block hold fewer; a block
/// goes over longer ones several times.
constexpr int64_t kMostColumns = 1 << 18;
/// What a thread holds of a row in registers.
constexpr int64_t kMostColumnsOfThread = 64;

/// How a structured op is planned; null if it is not.
RowPlanAttr getPlan(Operation *op);

/// How the reduction combines what it has with what comes next; none if a
/// kernel cannot.
std::optional<Combiner> matchCombiner(linalg::LinalgOp reduction);

/// Whether a thread can run the body for itself: arithmetic on arguments,
/// indices and constants.
bool isBody(linalg::LinalgOp op);

/// Buffers of rows, and of what all rows share, that ops on single rows may
/// have as operands.
class RowShapes {
public:
  struct Shape {
    bool hasRows = false, hasColumns = false;
  };

  /// Enters a buffer, unless it cannot be one, or has other columns than those
  /// before.
  bool add(Value buffer, bool hasRows);
  /// Null if the buffer was not entered.
  const Shape *find(Value buffer) const;
  /// Whether the op's loops are the rows, and perhaps the columns, its operands
  /// are known, and it writes rows: one number of each if it reduces, or two.
  /// It may ask for its column, and of all rows (`isWhole`) for its row.
  bool accept(linalg::LinalgOp op, bool isWhole = false) const;
  /// Those of all buffers that have any.
  int64_t getColumns() const { return columns.value_or(1); }

private:
  DenseMap<Value, Shape> shapes;
  std::optional<int64_t> columns;
};

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_ROWSHAPES_H

//===- Match.h - Which tiled ops compute rows from rows ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_MATCH_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_MATCH_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Support/MatchLog.h"

#include "RowShapes.h"

namespace mlir::pit::rows {

/// A buffer in memory.
struct Operand {
  /// Which of its rows belongs to the i-th one: the i-th, the one with the
  /// listed number, the one with that number of the segment that lists it, or
  /// there is nothing but one row.
  enum class Rows { Packed, Listed, Points, Shared };
  Value buffer;
  /// What the steps call it.
  Value inside;
  Rows rows = Rows::Shared;
  /// Whether a row has columns, or is one number.
  bool hasColumns = false;
  /// Of points, whether segments are the first axis, and rows the second.
  bool hasSegmentsFirst = false;
  bool isOutput = false;
  /// Of columns that all rows share, what computes each of its place alone, so
  /// that none is loaded; null if nothing does.
  linalg::LinalgOp places;
  /// A fill before of all of it, so of what an output does not list, too; null
  /// if there is none.
  linalg::FillOp fill;
};

/// Ops that compute rows from rows, of buffers in memory and of others, which
/// are in none.
struct RowsMatch {
  SmallVector<Operand> operands;
  /// Columns of all rows that have any.
  int64_t columns = 1;
  /// In order, on one row each: structured ops and copies.
  SmallVector<Operation *> steps;
};

/// Of the region of a tiled op on buffers.
std::optional<RowsMatch> matchRows(TiledOp op, MatchLog log = {});

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_MATCH_H

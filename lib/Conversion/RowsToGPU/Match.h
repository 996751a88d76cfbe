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

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit::rows {

/// An operand of the tiled op.
struct Operand {
  /// Which of its rows belongs to the i-th listed one: the i-th, the one with
  /// the listed number, or there is nothing but one row.
  enum class Rows { Packed, Listed, Shared };
  Value buffer;
  Rows rows = Rows::Shared;
  /// Whether a row has columns, or is one number.
  bool hasColumns = false;
};

/// A tiled op on buffers that computes rows from rows.
struct RowsMatch {
  TiledOp op;
  /// Of the op's operands, in their order.
  SmallVector<Operand> operands;
  /// Columns of all rows that have any.
  int64_t columns = 1;
  /// Ops of the region, in order, on one row each: structured ones and copies.
  SmallVector<Operation *> steps;
  /// Fills before the op of what its outputs do not list, by the number of the
  /// output; null where there is none.
  SmallVector<linalg::LinalgOp> fills;
};

/// Rows have at most so many columns, which the registers of a block hold.
constexpr int64_t kMostColumns = 16384;

std::optional<RowsMatch> matchRows(TiledOp op);

/// The op that combines what is summed up, or whatever the reduction does, with
/// what comes next; null if it is not one op with a neutral element.
Operation *getCombiner(linalg::LinalgOp reduction);

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_MATCH_H

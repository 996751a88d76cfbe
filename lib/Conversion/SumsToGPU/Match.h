//===- Match.h - Which tiled ops become kernels of their own ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_SUMSTOGPU_MATCH_H
#define PIT_LIB_CONVERSION_SUMSTOGPU_MATCH_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Support/MatchLog.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit::sums {

/// What of a buffer a listed element of a segment reads or writes.
struct Operand {
  /// What selects a row: the listed coordinate, the position in the list where
  /// rows are packed, the segment, or nothing.
  enum class Row { Listed, Packed, Segment, All };
  Value buffer;
  Row row = Row::All;
  /// Whether each listed element has a row of its own.
  bool isOfElement() const { return row == Row::Listed || row == Row::Packed; }
  /// Whether there is one element per column, side by side.
  bool hasColumns = false;
};

/// A tiled op whose segments own one row of the output each, to which it adds
/// listed rows.
struct SumMatch {
  TiledOp op;
  /// The op of the region, its inputs, and the output.
  linalg::LinalgOp sum;
  SmallVector<Operand> inputs;
  Operand output;
  /// An op before that fills the output, and one behind that alone reads it;
  /// the latter's output is written instead then.
  linalg::LinalgOp fill, after;
  /// What else that one reads, a row for each segment; the sums have no buffer.
  SmallVector<Operand> afterInputs;
};

std::optional<SumMatch> matchSum(TiledOp op, MatchLog log = {});

/// A tiled op with one number per listed element of each operand, whose output
/// is packed.
struct NumbersMatch {
  TiledOp op;
  /// The op of the region; none if it copies its one input.
  linalg::LinalgOp compute;
  /// The tiled op's operands that it reads, and the one that it writes.
  SmallVector<unsigned> inputs;
  unsigned output = 0;
};

std::optional<NumbersMatch> matchNumbers(TiledOp op, MatchLog log = {});

} // namespace mlir::pit::sums

#endif // PIT_LIB_CONVERSION_SUMSTOGPU_MATCH_H

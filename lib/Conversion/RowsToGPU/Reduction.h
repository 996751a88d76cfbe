//===- Reduction.h - Reductions that kernels split --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions over any loops of a structured op on buffers, with any affine
// subscripts: whole tensors, leading, middle and several axes. Which loop walks
// memory element by element decides how threads share the work.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_REDUCTION_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_REDUCTION_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Utils/Combiner.h"
#include "PIT/GPU/ChipModel.h"

namespace mlir::pit::rows {

struct Reduction {
  Reduction(linalg::LinalgOp op, const Combiner &combiner)
      : op(op), combiner(combiner) {}

  linalg::LinalgOp op;
  Combiner combiner;
  /// Loops of results, and loops that are reduced over, in the order in which
  /// the largest operand lies in memory: the last of the two together is the
  /// inner one, along which most operands are contiguous.
  SmallVector<unsigned> points, reductions;
  /// Whether the inner loop is one that is reduced over: neighbouring threads
  /// then add up for one result, else for neighbouring ones.
  bool isAlongInner = false;
  /// For each result the fill with a constant that it starts from; null if it
  /// starts from what is there.
  SmallVector<linalg::FillOp> starts;

  unsigned getInner() const {
    return isAlongInner ? reductions.back() : points.back();
  }
  /// Whether a step of the inner loop is a step of one element in the operand.
  bool isContiguous(OpOperand &operand) const;
  /// What static extents say of the loops together; dynamic if one is.
  int64_t getExtent(ArrayRef<unsigned> loops) const;
  /// Whether all that is reduced over lies in one piece in each operand, so
  /// that vectors are aligned whatever the extent is.
  bool isOnePiece() const;
  /// Whether `length` elements along the inner loop are a vector, which starts
  /// at a multiple of its bytes.
  bool fitsVector(int64_t length) const;
};

/// Whether threads can compute the op on buffers for themselves, each for
/// points of the results; says why not.
LogicalResult checkPoints(linalg::LinalgOp op, MatchLog log);

/// The fill with a constant that has written all of the result before; views
/// of all of a buffer are as good as the buffer. Null if there is none.
linalg::FillOp findFill(linalg::LinalgOp op, Value buffer);

/// What the op reduces; null, and said why, if a kernel cannot. If `strict`,
/// sums of floats keep their order. `isOfParts` for an op that combines what
/// others left, see `Combiner::match`.
std::optional<Reduction> matchReductionOp(linalg::LinalgOp op, bool strict,
                                          MatchLog log = {},
                                          bool isOfParts = false);

/// Merges loops of the op which lie in one piece in all operands; may replace
/// it.
linalg::LinalgOp mergeLoops(linalg::LinalgOp op);

/// Whether a kernel that splits the reduction is worth it: rows of few elements
/// are as fast with a thread each, and products of matrices share operands.
bool isWorthSplitting(const Reduction &reduction, MatchLog log);

RowPlanAttr planReduction(const Reduction &reduction, const ChipModel &chip);
/// Says what the op has not that its plan needs.
LogicalResult checkPlan(const Reduction &reduction, RowPlanAttr plan);

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_REDUCTION_H

//===- ListedForms.h - What kernels of lists can skip -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOPIT_LISTEDFORMS_H
#define PIT_LIB_CONVERSION_LINALGTOPIT_LISTEDFORMS_H

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Whether one axis of the result is listed. If these are no rows, they are
/// columns, for which there is no kernel.
bool listsResult(linalg::LinalgOp op, ArrayRef<int64_t> axes);

/// Whether micro-tiles of an operand are to be skipped that no kernel skips.
bool hasOtherMicroTiles(linalg::LinalgOp op, PatternAttr pattern,
                        ArrayRef<int64_t> axes);

/// Whether rows of both factors are listed that are summed over, and have a
/// number of columns that no kernel copies: they are copied eight at a time.
bool sumsOddRows(linalg::LinalgOp op, ArrayRef<int64_t> axes);

/// Whether rows are listed in segments, each with a matrix of its own, at
/// places that are known when kernels are compiled.
bool runsAlongSegments(linalg::LinalgOp op, ArrayRef<int64_t> axes);

/// Whether an operand has columns in front of an axis of the list, so that
/// those of a listed row do not lie side by side, as kernels of rows load them.
bool hasScatteredColumns(linalg::LinalgOp op, ArrayRef<int64_t> axes);

/// Whether a product takes single listed elements of one factor, and the other
/// one is not listed along both axes, as it is of a router's logits and their
/// gradients: no kernel multiplies such.
bool multipliesPoints(linalg::LinalgOp op, ArrayRef<int64_t> axes);

/// Whether an op adds up single listed points of a row, of which there are
/// several: kernels that sum listed rows need columns.
bool sumsPoints(linalg::LinalgOp op, const SparsePattern &pattern,
                ArrayRef<int64_t> axes);

/// Whether all that an op sums over is listed.
bool sumsAlong(linalg::LinalgOp op, ArrayRef<int64_t> axes);

/// Whether that is of several axes, which kernels do not look up together.
bool sumsSeveral(linalg::LinalgOp op, ArrayRef<int64_t> axes);

/// Whether an op adds numbers up by column, of rows that are listed: what
/// `--pit-split-reductions` makes segment sums of.
bool addsColumns(linalg::LinalgOp op, ArrayRef<int64_t> axes);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOPIT_LISTEDFORMS_H

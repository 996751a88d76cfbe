//===- WholeRows.h - Reductions of all rows of a matrix ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions along the rows of a matrix, with a constant to start from, and
// what else is computed from the same rows, as a softmax or the choice of an
// expert is: as ops of their own, one thread would take a row, and every op
// would read it again.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_WHOLEROWS_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_WHOLEROWS_H

#include "Match.h"

namespace mlir::pit::rows {

/// A reduction, what is elementwise before it and computes the rows that it
/// reads, and all ops behind it in the same block that can be computed with it,
/// as steps in their order. They may stand where the last one does. If
/// `strict`, none adds up floats, whose order would be another one.
std::optional<RowsMatch> matchWholeRows(linalg::LinalgOp reduction, bool strict,
                                        MatchLog log = {});

/// What ops of one group, in their order, are as a kernel. Says which of them
/// cannot be computed with those before.
FailureOr<RowsMatch> matchPlannedRows(ArrayRef<linalg::LinalgOp> ops,
                                      bool strict);

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_WHOLEROWS_H

//===- FilledResults.h - Fills that products start from ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOCPU_FILLEDRESULTS_H
#define PIT_LIB_CONVERSION_LINALGTOCPU_FILLEDRESULTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// The fill before an op on buffers that sums into its result, if nobody but
/// the op's sum sees what was filled: it fills the same value, in the same
/// block, nothing between them may read or write its memory, and no input of
/// the op may be a part of it. Null if that is not known.
linalg::FillOp findFillOfResult(linalg::LinalgOp op);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOCPU_FILLEDRESULTS_H

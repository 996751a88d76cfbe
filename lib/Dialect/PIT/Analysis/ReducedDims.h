//===- ReducedDims.h - What an op reduces of a pattern ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_ANALYSIS_REDUCEDDIMS_H
#define PIT_LIB_DIALECT_PIT_ANALYSIS_REDUCEDDIMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// The dimensions of a pattern along `axes` that `op` reduces.
inline SmallVector<int64_t> getReducedDims(linalg::LinalgOp op,
                                           ArrayRef<int64_t> axes) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<int64_t> reduced;
  for (auto [i, axis] : llvm::enumerate(axes))
    if (iterators[axis] == utils::IteratorType::reduction)
      reduced.push_back(int64_t(i));
  return reduced;
}

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_ANALYSIS_REDUCEDDIMS_H

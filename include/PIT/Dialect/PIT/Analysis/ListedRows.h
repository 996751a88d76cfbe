//===- ListedRows.h - Ops that kernels compute row by row -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_ANALYSIS_LISTEDROWS_H
#define PIT_DIALECT_PIT_ANALYSIS_LISTEDROWS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// A product: it reduces, and reads more than one tensor.
bool isProduct(linalg::LinalgOp op);

/// Whether iteration axes `axes`, in this order, are the rows of matrices that
/// an op reads and writes, so that kernels of listed rows may take it: each
/// operand starts with all of them, or has none and is shared by all rows.
/// Results have them, and so has one factor of a product. What else an op that
/// is no product has along its other axes are all of these, in one order, or
/// none.
bool runsAlongRows(linalg::LinalgOp op, ArrayRef<int64_t> axes);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_ANALYSIS_LISTEDROWS_H

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

/// Whether the op is a product: it reduces, and multiplies elements of two
/// tensors. An arg-max with places, or the sum of a softmax, reads several
/// tensors, too, and is none.
bool isProduct(linalg::LinalgOp op);

/// Whether the iteration axes `axes`, in this order, are the rows of the
/// matrices that an op reads and writes, so that a kernel of listed rows may
/// compute it:
/// * Each operand either starts with all of these axes, or has none of them and
///   is shared by all rows.
/// * Results have them, and so does exactly one factor of a product.
/// * Unless the op is a product, each operand has either all of the op's other
///   axes, in one order, or none of them.
bool runsAlongRows(linalg::LinalgOp op, ArrayRef<int64_t> axes);

/// The multiplications and additions per microsecond of a GPU's kernels for
/// long products of such elements: with matrix units where these have at most
/// 16 bits, else with threads. Rounded, of an H100 and an H200. None where it
/// is not known what is multiplied.
std::optional<double> getFlopsPerMicrosecond(linalg::LinalgOp product);

/// The time of the products of a list below which it does not pay: `least` for
/// each of them, and half as much again for a single one of threads, which
/// are farther from their speed.
double getLeastMicroseconds(ArrayRef<linalg::LinalgOp> products, double least);

/// How long a product takes on a GPU at that speed, if its extents are known.
std::optional<double> estimateMicroseconds(linalg::LinalgOp product);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_ANALYSIS_LISTEDROWS_H

//===- ProductLoops.h - Loops of a matrix product ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_PRODUCTLOOPS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_PRODUCTLOOPS_H

#include "PIT/Conversion/LinalgToCPU/Contraction.h"

namespace mlir::pit {

/// Which loop of a contraction is what to kernels: of C, rows come before
/// columns.
struct ProductLoops {
  /// On C, and on A, on B, or on both; if there are batches.
  std::optional<unsigned> batch;
  unsigned m = 0, n = 0, k = 0;
  /// A is the contraction's second input.
  bool exchanged = false;
};

/// The loops of one product of matrices, or of one for each batch. Fails where
/// there are more, or fewer.
FailureOr<ProductLoops> findProductLoops(const Contraction &contraction,
                                         AffineMap mapOfC, MatchLog log = {});

/// Whether kernels that add up products in `sum` store elements of a type.
bool canStoreSums(Type sum, Type output);

/// Whether a scalar is the zero that such sums start from, of floats or
/// integers.
bool isZeroOfSums(Value value);

/// Whether an op is such a contraction with batches.
bool hasBatches(linalg::LinalgOp op);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_PRODUCTLOOPS_H

//===- SkippingCost.h - What skipping costs and saves -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SELECTION_SKIPPINGCOST_H
#define PIT_SELECTION_SKIPPINGCOST_H

#include "PIT/Selection/CostModel.h"

namespace mlir::pit {

/// What it takes to skip the dead micro-tiles of A in C[m,n] += A[m,k] * B[k,n]
/// instead of multiplying everything.
struct SkippingCost {
  /// The share of live micro-tiles up to which the product that skips takes no
  /// more time than the dense one, once it is known which are live; 0 if it
  /// always does, 1 if it never does.
  double mostLive;
  /// Milliseconds to find what is live, and what is saved if nothing is.
  double index, mostSaved;
};

/// From times of the most similar shape and micro-tile that were measured,
/// scaled by what is read (the index) and multiplied (the products).
SkippingCost getSkippingCost(const TileDatabase &database, ProductShape shape,
                             MicroTile tile);

} // namespace mlir::pit

#endif // PIT_SELECTION_SKIPPINGCOST_H

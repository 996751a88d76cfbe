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
/// instead of multiplying everything: times of the most similar shape and
/// micro-tile that were measured, scaled by what is read (the index) and
/// multiplied (the products).
class SkippingCost {
public:
  /// The database outlives this.
  SkippingCost(const TileDatabase &database, ProductShape shape,
               MicroTile tile);

  /// The share of live micro-tiles up to which the product that skips takes no
  /// more time than the dense one, once it is known which are live; 0 if it
  /// always does, 1 if it never does.
  double getMostLive() const;

  /// Milliseconds, by the share of micro-tiles that are dead: finding what is
  /// live, the product that skips, and the dense one.
  double getIndexTime(double deadShare) const;
  double getSparseTime(double deadShare) const;
  double getDenseTime(double deadShare) const;

private:
  const MeasuredShape *measured;
  const MeasuredTile *nearest;
  double read, multiplied;
};

/// Whether finding what is live of one A pays for all products that use it,
/// each of them the faster one of both variants: on average where nothing says
/// how much is dead.
bool paysToFindLive(llvm::ArrayRef<SkippingCost> products);

} // namespace mlir::pit

#endif // PIT_SELECTION_SKIPPINGCOST_H

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

/// The cost of skipping dead micro-tiles of A in C[m,n] += A[m,k] * B[k,n],
/// compared with the dense product. Times are those of the most similar
/// measured shape and micro-tile. Detection is scaled by the bytes that it
/// reads, products by their multiplications.
class SkippingCost {
public:
  /// The database must outlive this object.
  SkippingCost(const TileDatabase &database, ProductShape shape,
               MicroTile tile);

  /// The share of live micro-tiles up to which the sparse product takes no
  /// longer than the dense one, detection not counted. 0 if it always takes
  /// longer, 1 if it never does.
  double getMostLive() const;

  /// Milliseconds, by the share of dead micro-tiles: for detection, the sparse
  /// product, and the dense one.
  double getIndexTime(double deadShare) const;
  double getSparseTime(double deadShare) const;
  double getDenseTime(double deadShare) const;

private:
  const MeasuredShape *measured;
  const MeasuredTile *nearest;
  double read, multiplied;
};

/// Whether one detection of A pays for all products that use it. Each product
/// runs the faster of both variants. Times are averaged, as it is not known how
/// much is dead.
bool paysToFindLive(llvm::ArrayRef<SkippingCost> products);

} // namespace mlir::pit

#endif // PIT_SELECTION_SKIPPINGCOST_H

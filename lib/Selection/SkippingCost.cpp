//===- SkippingCost.cpp - What skipping costs and saves -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/SkippingCost.h"

#include <algorithm>
#include <cmath>

using namespace mlir::pit;

/// Whole rows or columns are like whole ones, however long they are.
static MicroTile stretch(MicroTile tile, const ProductShape &shape,
                         const ProductShape &measured) {
  return {tile.rows >= shape.m ? measured.m : tile.rows,
          tile.depth >= shape.k ? measured.k : tile.depth};
}

SkippingCost::SkippingCost(const TileDatabase &database, ProductShape shape,
                           MicroTile tile)
    : measured(&database.getMostAlike(shape)) {
  const ProductShape &other = measured->shape;
  nearest = &measured->getNearest(stretch(tile, shape, other));
  read = double(shape.m) * shape.k / (double(other.m) * other.k);
  multiplied = shape.getVolume() / other.getVolume();
}

double SkippingCost::getIndexTime(double deadShare) const {
  return nearest->index.at(deadShare) * read;
}

double SkippingCost::getSparseTime(double deadShare) const {
  return nearest->product.at(deadShare) * multiplied;
}

double SkippingCost::getDenseTime(double deadShare) const {
  return measured->dense.at(deadShare) * multiplied;
}

double SkippingCost::getMostLive() const {
  return 1 - findBreakEven([&](double deadShare) {
           return getSparseTime(deadShare) <= getDenseTime(deadShare);
         });
}

bool mlir::pit::paysToFindLive(llvm::ArrayRef<SkippingCost> products) {
  double logOfRatio = 0;
  for (double deadShare : kUnknownDeadShares) {
    double found = 0, dense = 0;
    for (const SkippingCost &cost : products) {
      found = std::max(found, cost.getIndexTime(deadShare));
      dense += cost.getDenseTime(deadShare);
    }
    for (const SkippingCost &cost : products)
      found +=
          std::min(cost.getSparseTime(deadShare), cost.getDenseTime(deadShare));
    logOfRatio += std::log(found / dense);
  }
  return logOfRatio < 0;
}

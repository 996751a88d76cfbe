//===- SkippingCost.cpp - What skipping costs and saves -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/SkippingCost.h"

using namespace mlir::pit;

SkippingCost mlir::pit::getSkippingCost(const TileDatabase &database,
                                        ProductShape shape, MicroTile tile) {
  const MeasuredShape &measured = database.getMostAlike(shape);
  // Whole rows or columns are like whole ones, however long they are.
  if (tile.rows >= shape.m)
    tile.rows = measured.shape.m;
  if (tile.depth >= shape.k)
    tile.depth = measured.shape.k;
  const MeasuredTile &nearest = measured.getNearest(tile);
  auto saves = [&](double deadShare) {
    return measured.dense.at(deadShare) - nearest.product.at(deadShare);
  };
  double read =
      double(shape.m) * shape.k / (double(measured.shape.m) * measured.shape.k);
  double multiplied = shape.getVolume() / measured.shape.getVolume();
  return {1 - findBreakEven([&](double share) { return saves(share) >= 0; }),
          nearest.index.at(1) * read, saves(1) * multiplied};
}

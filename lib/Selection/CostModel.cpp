//===- CostModel.cpp - Which micro-tile pays --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/CostModel.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir::pit;

double mlir::pit::getDeadShare(MicroTile tile,
                               const PatternStatistics &pattern) {
  // Both begin at the origin: of aligned extents, one divides the other.
  int64_t blocks = llvm::divideCeil(tile.rows, pattern.granularity.rows) *
                   llvm::divideCeil(tile.depth, pattern.granularity.depth);
  return std::pow(pattern.deadShare, blocks);
}

CostModel::CostModel(const TileDatabase &database, ProductShape shape)
    : measured(database.getNearest(shape)), shape(shape) {}

/// Of so many elements, at the speed of memory: as fast as finding what is live
/// reads A.
double CostModel::getReadTime(double elements) const {
  double ofA = measured.tiles.front().index.at(1);
  for (const MeasuredTile &tile : measured.tiles)
    ofA = std::min(ofA, tile.index.at(1));
  return ofA * elements / (double(measured.shape.m) * measured.shape.k);
}

/// Three matrices take as long as they are large.
double CostModel::getMemoryTime() const {
  return getReadTime(double(shape.m) * shape.k + double(shape.k) * shape.n +
                     double(shape.m) * shape.n);
}

Price CostModel::priceDense(double deadShare) const {
  Price price;
  price.product = std::max(measured.dense.at(deadShare) * shape.getVolume() /
                               measured.shape.getVolume(),
                           getMemoryTime());
  return price;
}

/// With nothing live, B may still be read, and C is written: a time that grows
/// with their sizes. What is on top of it grows with what is multiplied.
double CostModel::getProductTime(const MeasuredTile &tile,
                                 double deadShare) const {
  auto getBytes = [](const ProductShape &s) {
    return double(s.k) * s.n + double(s.m) * s.n;
  };
  auto [mostDead, floor] = tile.product.back();
  if (mostDead < 1)
    floor = 0;
  double onTop = std::max(tile.product.at(deadShare) - floor, 0.);
  return floor * getBytes(shape) / getBytes(measured.shape) +
         onTop * shape.getVolume() / measured.shape.getVolume();
}

/// Where more k are dead together than a micro-tile has, what is live is spread
/// less evenly, and some blocks have more to do than others: as with the
/// deepest micro-tiles of the same rows and family that the pattern has room
/// for.
const MeasuredTile &
CostModel::getUneven(const MeasuredTile &tile,
                     const PatternStatistics &pattern) const {
  const MeasuredTile *deepest = &tile;
  for (const MeasuredTile &other : measured.tiles)
    if (other.family == tile.family && other.tile.rows == tile.tile.rows &&
        other.tile.depth > deepest->tile.depth &&
        other.tile.depth <= pattern.granularity.depth)
      deepest = &other;
  return *deepest;
}

std::optional<Price> CostModel::price(MicroTile tile,
                                      const PatternStatistics &pattern) const {
  const MeasuredTile *found = measured.find(tile);
  if (!found)
    return std::nullopt;
  Price price;
  price.tile = tile;
  price.deadShare = getDeadShare(tile, pattern);
  price.index = found->index.at(price.deadShare) * (double(shape.m) * shape.k) /
                (double(measured.shape.m) * measured.shape.k);
  price.product = getProductTime(getUneven(*found, pattern), price.deadShare);
  return price;
}

llvm::SmallVector<Price>
CostModel::priceAll(const PatternStatistics &pattern,
                    llvm::function_ref<bool(MicroTile)> isPossible) const {
  llvm::SmallVector<Price> prices{priceDense(pattern.deadShare)};
  for (const MeasuredTile &tile : measured.tiles)
    if (isPossible(tile.tile))
      prices.push_back(*price(tile.tile, pattern));
  return prices;
}

const Price &CostModel::choose(llvm::ArrayRef<Price> prices) {
  return *std::min_element(prices.begin(), prices.end(),
                           [](const Price &a, const Price &b) {
                             return a.getTotal() < b.getTotal();
                           });
}

MicroTile CostModel::getNearest(MicroTile tile) const {
  return measured.getNearest(tile).tile;
}

double
mlir::pit::findBreakEven(llvm::function_ref<bool(double deadShare)> pays) {
  if (pays(0))
    return 0;
  if (!pays(1))
    return 1;
  // The sparse time falls faster than the dense one as more is dead: halve the
  // range until it is a thousandth.
  double low = 0, high = 1;
  while (high - low > 1e-3) {
    double middle = (low + high) / 2;
    (pays(middle) ? high : low) = middle;
  }
  return high;
}

std::optional<double> CostModel::getBreakEven(MicroTile tile) const {
  const MeasuredTile *found = measured.find(tile);
  if (!found)
    return std::nullopt;
  return findBreakEven([&](double share) {
    return getProductTime(*found, share) <= priceDense(share).product;
  });
}

std::optional<double> CostModel::getBreakEvenWithIndex(MicroTile tile) const {
  if (!measured.find(tile))
    return std::nullopt;
  return findBreakEven([&](double share) {
    return price(tile, {tile, share})->getTotal() <= priceDense(share).product;
  });
}

/// Both grow with the product.
std::optional<double> CostModel::getMostSampledShare(int64_t rows,
                                                     int64_t columns) const {
  for (const SampledTile &tile : measured.sampled)
    if (tile.rows == rows && tile.columns == columns)
      return 1 - findBreakEven([&](double share) {
               return tile.product.at(share) <= measured.dense.at(0);
             });
  return std::nullopt;
}

//===- CostModel.h - Which micro-tile pays --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The selection of the PIT paper (SOSP'23): each micro-tile is
// priced as the measured time of the tiles that cover what is live, the dense
// product being one of the candidates. The time to find what is live is part of
// the price here.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SELECTION_COSTMODEL_H
#define PIT_SELECTION_COSTMODEL_H

#include "PIT/Selection/TileDatabase.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace mlir::pit {

/// What is known of a pattern: blocks of some extents are dead or live as a
/// whole, a share of them is dead, each independently of the others.
struct PatternStatistics {
  MicroTile granularity;
  double deadShare;
};

/// What a number of rows that nobody knows is taken to be.
inline constexpr int64_t kGuessedRows = 4096;

/// Without an expectation, these shares of dead blocks count alike, from half
/// of them to nearly all, by the geometric mean of the times.
inline constexpr double kUnknownDeadShares[] = {.5, .7, .8, .9, .95, .99};

/// The share of micro-tiles that are dead, which are those that only touch dead
/// blocks.
double getDeadShare(MicroTile tile, const PatternStatistics &pattern);

/// What a candidate takes, in milliseconds.
struct Price {
  /// None is the dense product.
  std::optional<MicroTile> tile;
  /// Of micro-tiles; what is covered in vain is not dead.
  double deadShare = 0;
  double index = 0, product = 0;

  double getTotal() const { return index + product; }
};

/// The least share of what is dead for which something pays that pays the more,
/// the more is dead; 1 if it never does.
double findBreakEven(llvm::function_ref<bool(double deadShare)> pays);

class CostModel {
public:
  CostModel(const TileDatabase &database, ProductShape shape);

  Price priceDense(double deadShare) const;
  /// None if such micro-tiles were not measured.
  std::optional<Price> price(MicroTile tile,
                             const PatternStatistics &pattern) const;
  /// The dense product first, then all measured micro-tiles that `isPossible`.
  llvm::SmallVector<Price>
  priceAll(const PatternStatistics &pattern,
           llvm::function_ref<bool(MicroTile)> isPossible) const;
  /// The cheapest.
  static const Price &choose(llvm::ArrayRef<Price> prices);

  /// The measured micro-tile whose extents are the nearest: the sum of how many
  /// times one fits into the other, in powers of two.
  MicroTile getNearest(MicroTile tile) const;
  /// The least share of dead micro-tiles with which their product is as fast as
  /// the dense one, once it is known which are dead; 1 if there is none.
  /// None if such micro-tiles were not measured.
  std::optional<double> getBreakEven(MicroTile tile) const;
  /// The same where that is decided before anything is found or packed, which
  /// counts then.
  std::optional<double> getBreakEvenWithIndex(MicroTile tile) const;

  /// The largest share of live blocks of C with which computing these alone, in
  /// tiles of such rows and columns, takes no longer than the dense product.
  /// None if such tiles were not measured.
  std::optional<double> getMostSampledShare(int64_t rows,
                                            int64_t columns) const;

private:
  double getReadTime(double elements) const;
  double getMemoryTime() const;
  const MeasuredTile &getUneven(const MeasuredTile &tile,
                                const PatternStatistics &pattern) const;
  double getProductTime(const MeasuredTile &tile, double deadShare) const;

  const MeasuredShape &measured;
  ProductShape shape;
};

} // namespace mlir::pit

#endif // PIT_SELECTION_COSTMODEL_H

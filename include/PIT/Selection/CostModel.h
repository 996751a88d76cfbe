//===- CostModel.h - Which micro-tile pays --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tile selection of the PIT paper (SOSP 2023). The cost of a micro-tile is
// the measured time of the dense tiles that cover what is live. The dense
// product is one of the candidates. Here the cost also includes the time of
// detection.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SELECTION_COSTMODEL_H
#define PIT_SELECTION_COSTMODEL_H

#include "PIT/Selection/TileDatabase.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace mlir::pit {

/// Statistics of a pattern. Blocks of the extents `granularity` are dead or
/// live as a whole, independently of each other. A share of them is dead.
struct PatternStatistics {
  MicroTile granularity;
  double deadShare;
};

/// The number of rows that is assumed if it is not known.
inline constexpr int64_t kGuessedRows = 4096;

/// The shares of dead blocks that are averaged if a mark does not say what to
/// expect: from half to nearly all, by the geometric mean of the times.
inline constexpr double kUnknownDeadShares[] = {.5, .7, .8, .9, .95, .99};

/// The share of micro-tiles that are dead. A micro-tile is dead if it overlaps
/// dead blocks only.
double getDeadShare(MicroTile tile, const PatternStatistics &pattern);

/// The cost of a candidate, in milliseconds.
struct Price {
  /// None stands for the dense product.
  std::optional<MicroTile> tile;
  /// The share of dead micro-tiles. Coverage waste counts as live.
  double deadShare = 0;
  double index = 0, product = 0;

  double getTotal() const { return index + product; }
};

/// The least dead share for which `pays` is true; 1 if it never is. `pays` must
/// be monotonic.
double findBreakEven(llvm::function_ref<bool(double deadShare)> pays);

class CostModel {
public:
  CostModel(const TileDatabase &database, ProductShape shape);

  Price priceDense(double deadShare) const;
  /// None if no such micro-tile was measured.
  std::optional<Price> price(MicroTile tile,
                             const PatternStatistics &pattern) const;
  /// The dense product first, then all measured micro-tiles for which
  /// `isPossible` is true.
  llvm::SmallVector<Price>
  priceAll(const PatternStatistics &pattern,
           llvm::function_ref<bool(MicroTile)> isPossible) const;
  /// The price with the least total.
  static const Price &choose(llvm::ArrayRef<Price> prices);

  /// The measured micro-tile with the nearest extents. The distance is the sum
  /// of |log2| of the ratios of extents.
  MicroTile getNearest(MicroTile tile) const;
  /// The least share of dead micro-tiles for which the sparse product is as
  /// fast as the dense one, detection not counted; 1 if there is none. None if
  /// no such micro-tile was measured.
  std::optional<double> getBreakEven(MicroTile tile) const;
  /// The same with the time of detection and packing counted, for a decision
  /// that is made before them.
  std::optional<double> getBreakEvenWithIndex(MicroTile tile) const;

  /// For SDDMM in tiles of `rows` x `columns`: the largest share of live blocks
  /// of C for which it takes no longer than the dense product. None if no such
  /// tile was measured.
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

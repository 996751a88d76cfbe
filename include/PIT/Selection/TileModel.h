//===- TileModel.h - What a tile of a product costs -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An estimate of how long a product takes in tiles of some extents, from a few
// rates of the card. It ranks tilings; the times that were measured on a card
// correct it, see CardDatabase.h.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SELECTION_TILEMODEL_H
#define PIT_SELECTION_TILEMODEL_H

#include <cstdint>

namespace mlir::pit {

/// A way to tile a product with `wgmma`.
struct Tiling {
  /// Extents of a tile of the result, and stages of the ring.
  int64_t rows, columns, stages;
  /// Columns of B are the rows of the instructions.
  bool swapped = false;
  /// Blocks of a cluster that share the k of a tile.
  int64_t splitsK = 1;
  /// Measured over estimated times, the geometric mean; 1 if not measured.
  double factor = 1;

  /// Warpgroups that multiply.
  int64_t getConsumers(bool ofSegments) const {
    return !swapped ? rows / 64 : ofSegments ? 2 : columns / 64;
  }
  /// Whether tiles are the same, whatever they cost.
  bool isSame(const Tiling &other) const {
    return rows == other.rows && columns == other.columns &&
           stages == other.stages && swapped == other.swapped &&
           splitsK == other.splitsK;
  }
};

/// What is multiplied: how often A, B and C are there, of elements of so many
/// bytes. A of a convolution is there for less than once.
struct ProductWork {
  int64_t m, n, k, elementBytes = 2;
  double ofA = 1;
  int64_t ofB = 1, ofC = 1;
};

/// Rates of a multiprocessor in kernels with `wgmma`, in cycles of 0.5 ns,
/// which is about a cycle of Hopper.
struct TileModel {
  /// Work of a product: rows of A times columns of B times bytes along k.
  double productBytes = 4096;
  /// Bytes to and from shared memory, and bytes from the L2 cache.
  double sharedBytes = 128, loadBytes = 52;
  /// Bytes of device memory that one multiprocessor alone can read, and the
  /// share of the card's memory rate that all together reach.
  double memoryBytesOfOne = 36, memoryShare = 1;
  /// Cycles of a block that overlap with nothing; those of a cluster that
  /// meets, and of one of its blocks that adds up 16 rows.
  double blockCycles = 2500, clusterCycles = 1000, groupCycles = 1500;
  /// Cycles of a launch beside all that.
  double launchCycles = 0;
  /// What the lesser of two things that overlap adds to the greater.
  double hidden = .125;

  static constexpr double kNanosecondsOfCycle = .5;
};

/// About how many cycles a product takes. `memoryBytes` are what the card's
/// memory moves per cycle.
double estimateCycles(const ProductWork &work, const Tiling &tiling,
                      const TileModel &model, double memoryBytes,
                      int64_t multiprocessors);

} // namespace mlir::pit

#endif // PIT_SELECTION_TILEMODEL_H

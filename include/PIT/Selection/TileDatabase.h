//===- TileDatabase.h - Measured times of tiles ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What products with dead micro-tiles take on a chip, as measured. The data are
// files of lib/Selection/Data, made by benchmarks/report/tile_database.py from
// what benchmarks/gpu/bench_micro_tiles.py measures; a chip or an element type
// is one more file.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SELECTION_TILEDATABASE_H
#define PIT_SELECTION_TILEDATABASE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::pit {

/// Extents of what is live or dead together in a matrix A[m,k].
struct MicroTile {
  int64_t rows, depth;

  bool operator==(const MicroTile &other) const {
    return rows == other.rows && depth == other.depth;
  }
};

/// Extents of C[m,n] += A[m,k] * B[k,n].
struct ProductShape {
  int64_t m, n, k;

  /// Multiply-adds.
  double getVolume() const { return double(m) * n * k; }
};

/// A time that depends on a share: linear between measured points, and as at
/// the nearest one outside of them.
class Curve {
public:
  Curve() = default;
  /// Points are a share in [0, 1] and milliseconds, by ascending share.
  explicit Curve(llvm::ArrayRef<std::pair<double, double>> points)
      : points(points) {}

  /// Milliseconds; 0 without points.
  double at(double share) const;
  bool empty() const { return points.empty(); }
  /// The last point's share and time.
  std::pair<double, double> back() const { return points.back(); }

private:
  llvm::SmallVector<std::pair<double, double>> points;
};

/// A kernel that skips dead micro-tiles of one kind.
struct MeasuredTile {
  MicroTile tile;
  /// Tiles of one family take the same time where the same is live.
  std::string family;
  /// By the share of dead micro-tiles: finding what is live, and packing it;
  /// the product itself.
  Curve index, product;
};

/// A kernel that computes sampled blocks of C[m,n] alone, in tiles of such rows
/// and columns.
struct SampledTile {
  int64_t rows, columns;
  /// By the share of the other blocks.
  Curve product;
};

/// All that was measured of one shape.
struct MeasuredShape {
  ProductShape shape;
  /// The dense product, by the share of A's elements that are zero: those cost
  /// less power, and a chip at its limit runs faster.
  Curve dense;
  std::vector<MeasuredTile> tiles;
  std::vector<SampledTile> sampled;

  /// Null if there is none of these extents.
  const MeasuredTile *find(MicroTile tile) const;
  /// The one whose extents are the nearest: the sum of how many times one fits
  /// into the other, in powers of two.
  const MeasuredTile &getNearest(MicroTile tile) const;
};

class TileDatabase {
public:
  /// Reads the JSON text of a database; an error says what is wrong in it.
  static llvm::Expected<TileDatabase> parse(llvm::StringRef json);
  /// Reads the database that a file holds.
  static llvm::Expected<TileDatabase> read(llvm::StringRef path);
  /// Those that are built in.
  static llvm::ArrayRef<TileDatabase> getAll();
  /// That of a chip and an element type ("bf16"; f16 has the same), among those
  /// that are built in; null if there is none. See chooseDatabase for a chip on
  /// which nothing was measured.
  static const TileDatabase *get(llvm::StringRef chip, llvm::StringRef element);

  /// Whether they are times of such elements ("bf16"; f16 has the same).
  bool isOf(llvm::StringRef type) const;

  /// The shape whose volume is the nearest. There is one at least.
  const MeasuredShape &getNearest(const ProductShape &shape) const;
  /// The one whose extents are: one column is not like many, whatever the
  /// volume.
  const MeasuredShape &getMostAlike(const ProductShape &shape) const;

  /// "sm_90a" or "cpu", "NVIDIA H200", "bf16".
  std::string chip, device, element;
  std::vector<MeasuredShape> shapes;
};

} // namespace mlir::pit

#endif // PIT_SELECTION_TILEDATABASE_H

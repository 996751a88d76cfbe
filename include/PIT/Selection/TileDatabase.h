//===- TileDatabase.h - Measured times of tiles ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measured times of products with dead micro-tiles. The data are files in
// lib/Selection/Data, one for each chip and element type.
// benchmarks/gpu/bench_micro_tiles.py measures, and
// benchmarks/report/tile_database.py writes the files.
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

/// The extents of a micro-tile of a matrix A[m,k], which is live or dead as a
/// whole.
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

/// A time as a function of a share: linear between measured points, and
/// constant outside of them.
class Curve {
public:
  Curve() = default;
  /// Each point is a share in [0, 1] and milliseconds. Shares ascend.
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

/// Measured times of a kernel that skips dead micro-tiles of one shape.
struct MeasuredTile {
  MicroTile tile;
  /// Tiles of one family take the same time for the same live elements.
  std::string family;
  /// Times by the share of dead micro-tiles: of detection with packing, and of
  /// the product.
  Curve index, product;
};

/// Measured times of SDDMM: a kernel that computes only sampled blocks of
/// C[m,n], in tiles of `rows` x `columns`.
struct SampledTile {
  int64_t rows, columns;
  /// Times by the share of blocks that are not sampled.
  Curve product;
};

/// All measurements of one shape.
struct MeasuredShape {
  ProductShape shape;
  /// The dense product, by the share of zeros in A. Zeros cost less power, so
  /// that a chip at its power limit runs faster.
  Curve dense;
  std::vector<MeasuredTile> tiles;
  std::vector<SampledTile> sampled;

  /// The measured micro-tile of these extents; null if there is none.
  const MeasuredTile *find(MicroTile tile) const;
  /// The measured micro-tile with the nearest extents. The distance is the sum
  /// of |log2| of the ratios of extents.
  const MeasuredTile &getNearest(MicroTile tile) const;
};

/// The measured times of one chip and element type.
class TileDatabase {
public:
  /// Parses the JSON text of a database. An error says what is wrong.
  static llvm::Expected<TileDatabase> parse(llvm::StringRef json);
  /// Reads the database that a file holds.
  static llvm::Expected<TileDatabase> read(llvm::StringRef path);
  /// The built-in databases.
  static llvm::ArrayRef<TileDatabase> getAll();
  /// The built-in database of a chip and an element type; null if there is
  /// none. f16 has that of "bf16". See `chooseDatabase` for chips without
  /// measurements of their own.
  static const TileDatabase *get(llvm::StringRef chip, llvm::StringRef element);

  /// Whether the times are of this element type; f16 has those of "bf16".
  bool isOf(llvm::StringRef type) const;

  /// The shape with the nearest volume. A database has at least one shape.
  const MeasuredShape &getNearest(const ProductShape &shape) const;
  /// The shape with the nearest extents: a product of one column is not like
  /// one of many, even if volumes agree.
  const MeasuredShape &getMostAlike(const ProductShape &shape) const;

  /// "sm_90a" or "cpu", "NVIDIA H200", "bf16".
  std::string chip, device, element;
  std::vector<MeasuredShape> shapes;
};

} // namespace mlir::pit

#endif // PIT_SELECTION_TILEDATABASE_H

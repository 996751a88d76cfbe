//===- MicroTilePatterns.h - Sparsity patterns of micro-tiles ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kernels of the family know about the micro-tiles of which only live ones
// count: their extents, and what a pattern is read from.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MICROTILEPATTERNS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MICROTILEPATTERNS_H

#include <cstdint>

namespace mlir::pit::hopper {

/// Micro-tiles of A, of which only the live ones are multiplied. A bitmap says
/// which those are: for each strip of rows, words of 32 of its micro-tiles.
struct BlockPattern {
  /// Extents of a micro-tile: rows, a multiple of 8, and k, a multiple of
  /// `kStepDepth` or a power of two that divides it.
  int64_t rows, depth;
  /// What is loaded at a time along k, of inputs of 16 bits.
  static constexpr int64_t kStepDepth = 64;
  /// Words are, for each place along k, of 32 strips' micro-tiles instead. The
  /// depth is a multiple of `kStepDepth` then.
  bool wordsAcross = false;

  bool operator==(const BlockPattern &other) const {
    return rows == other.rows && depth == other.depth &&
           wordsAcross == other.wordsAcross;
  }
};

/// Blocks of the output, of which only those that a list names are computed.
struct SampledPattern {
  /// Extents of a block, and the axis of it whose places the list has; those
  /// of the other axis are its segments.
  int64_t rows, columns;
  int64_t coordinate;
  /// Bits of a number in the list.
  unsigned width;

  /// Extents of a tile, of which a block holds a whole number; 0 if there are
  /// none.
  int64_t getTileRows() const {
    return rows % 128 == 0 ? 128 : rows % 64 == 0 ? 64 : 0;
  }
  int64_t getTileColumns() const {
    return columns % 256 == 0   ? 256
           : columns % 128 == 0 ? 128
           : columns % 64 == 0  ? 64
                                : 0;
  }
  bool operator==(const SampledPattern &other) const {
    return rows == other.rows && columns == other.columns &&
           coordinate == other.coordinate && width == other.width;
  }
};

/// Micro-tiles of A of few k, whose live ones come packed, as
/// `pit.detect_packed_into` leaves them: per strip of rows and part of k a list
/// of k, and the strip's values there.
struct PackedPattern {
  /// Rows of a strip: 16, 32 or 64.
  int64_t rows;
  /// Listed k that are loaded at a time.
  static constexpr int64_t kStepDepth = 32;
  /// Behind each row of B in shared memory, so that eight rows' chunks of 16
  /// bytes, of a column, lie in different banks.
  static constexpr int64_t kRowPadding = 128;
  /// Of zeros in shared memory, for k that are not there.
  static constexpr int64_t kZeroBytes = 16;
  /// Threads copy rows of B, which are short; otherwise the copy engine does.
  bool copiesRows = false;

  bool operator==(const PackedPattern &other) const {
    return rows == other.rows && copiesRows == other.copiesRows;
  }
};

/// Micro-tiles of A, 16 rows and more by few k, whose mask has a byte for each,
/// row by row of micro-tiles.
struct BytePattern {
  int64_t rows, depth;

  bool operator==(const BytePattern &other) const {
    return rows == other.rows && depth == other.depth;
  }
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MICROTILEPATTERNS_H

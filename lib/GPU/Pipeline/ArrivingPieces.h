//===- ArrivingPieces.h - Rows that other ranks push ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix of several ranks arrives in pieces while a kernel gathers rows of
// it. A tile waits for the pieces that its rows are of, and tiles of the rank's
// own piece, which is there first, come first.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_ARRIVINGPIECES_H
#define PIT_LIB_GPU_PIPELINE_ARRIVINGPIECES_H

#include "GPU/Kernel/KernelBuilder.h"
#include "TilePosition.h"

namespace mlir::pit::hopper {

/// What a kernel knows of the pieces.
struct ArrivingPieces {
  int64_t count;
  /// i32 each, in device memory: not 0 when the piece is there. The rank's own
  /// is, and its word is not looked at.
  Value arrived;
  /// i32.
  Value own;
  /// i32: rows of each piece.
  Value rowsOfPiece;
  /// A list of rows, in device memory, and its type.
  Value rowNumbers;
  Type rowNumberType;
};

/// Emits what waits until another device or the host has set an i32 in memory.
void awaitWord(KernelBuilder &builder, Value word);

/// Emits what waits, in a whole warp, for the pieces of a tile's rows, which
/// are at most `mostRows`. Returns, as i32, whether all pieces are there by
/// then, so that no later tile need ask.
Value awaitPieces(KernelBuilder &builder, const ArrivingPieces &pieces,
                  TilePosition tile, Value lane, int64_t mostRows);

/// In which order a walk over segments visits their tiles. Without pieces, it
/// visits each segment once, with all of its tiles. With pieces, the first
/// segments are visited twice: with those tiles that should be of the rank's
/// own piece, and, when all of these had their turn, with the others. That is a
/// guess: what a tile waits for follows from its rows.
struct SegmentVisits {
  /// 0 for none.
  int64_t pieces = 0;
  /// i32: the rank's piece, and how many segments are visited twice.
  Value own, twice;

  /// With pieces, of so many segments.
  static SegmentVisits ofPieces(KernelBuilder &builder, int64_t pieces,
                                Value own, Value numSegments);

  Value countVisits(KernelBuilder &builder, Value numSegments) const;
  Value getSegment(KernelBuilder &builder, Value visit) const;
  /// Of a segment's tiles, how many this visit has.
  Value countTiles(KernelBuilder &builder, Value visit, Value tiles) const;
  /// The number in its segment of a visit's tile.
  Value getTile(KernelBuilder &builder, Value visit, Value number,
                Value tiles) const;

private:
  std::pair<Value, Value> findOwn(KernelBuilder &builder, Value tiles) const;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_ARRIVINGPIECES_H

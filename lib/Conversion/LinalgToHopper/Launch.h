//===- Launch.h - The host's side of a contraction kernel -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOHOPPER_LAUNCH_H
#define PIT_LIB_CONVERSION_LINALGTOHOPPER_LAUNCH_H

#include "Match.h"

#include "PIT/Selection/TileDatabase.h"

namespace mlir::pit::hopper {

/// The member of the kernel family that computes the match, or so many matches
/// of one A that only differ in buffers.
ContractionKernel describeKernel(const ContractionMatch &match,
                                 int64_t numMultiprocessors, int64_t parts = 1);

/// The kernel of the match with nothing skipped.
std::shared_ptr<ContractionKernel> describeDense(const ContractionMatch &match);

/// The match with nothing skipped, operands as they were written.
ContractionMatch withNothingSkipped(const ContractionMatch &match);

/// Pushes what such a kernel takes, and emits what that needs, in front of the
/// match's last op; returns how many tiles there are, an index value.
Value pushDenseArguments(const ContractionMatch &match,
                         const ContractionKernel &dense,
                         SmallVectorImpl<Value> &arguments);

/// The extents of a match, of which dynamic ones are guessed.
ProductShape guessShape(const ContractionMatch &match);

/// Whether a variant with nothing skipped may pay. Of few rows, reading B takes
/// all the time, and less of it is not slower; few tiles would leave most
/// blocks without work.
bool hasManyTiles(const ContractionMatch &match, const ContractionKernel &dense,
                  int64_t numMultiprocessors);

/// Sets whether extents end inside of the kernel's tiles.
void setTails(const ContractionMatch &match, ContractionKernel &kernel);

/// Sets, for a product with nothing listed, the tiles and how many blocks share
/// one, so that the estimated time is least.
void chooseTiles(const ContractionMatch &match, int64_t numMultiprocessors,
                 ContractionKernel &kernel);

/// Adds, for listed rows whose number the device knows, variants of the kernel
/// with smaller tiles.
void chooseTilesOfFewRows(const ContractionMatch &match,
                          int64_t numMultiprocessors,
                          ContractionKernel &kernel);

/// Where the buffers are through which a launch's kernel tells another one's
/// something: made by the launch of the first of the two, used, and freed, by
/// that of the second. Null if it has none.
struct SharedBuffers {
  /// Flags of rows that are handed over.
  Value *flags = nullptr;
  /// Bits of the micro-tiles that are live, of C for another one, and of A from
  /// another one.
  Value *liveOfOutput = nullptr, *liveOfA = nullptr;
};

/// Emits, before the last match's last op, the tensor maps and the launch of at
/// most `maxBlocks` blocks, which compute all of the matches. Buffers that the
/// launch needs are freed behind it, or left to a later pass.
void createLaunch(ArrayRef<const ContractionMatch *> matches,
                  const ContractionKernel &kernel, SymbolRefAttr symbol,
                  int64_t maxBlocks, bool freeBuffers,
                  SharedBuffers shared = {});

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_LINALGTOHOPPER_LAUNCH_H

//===- RowSignals.h - Flags that count rows that are written ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel counts, in a flag per a few segments, the rows that it has written,
// and the next one waits for the rows of each of its tiles instead of the end
// of the first.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_ROWSIGNALS_H
#define PIT_LIB_GPU_PIPELINE_ROWSIGNALS_H

#include "BlockState.h"
#include "GPU/Kernel/KernelBuilder.h"
#include "TilePosition.h"

namespace mlir::pit::hopper {

/// Of a kernel that signals rows.
struct RowSignalShape {
  /// Where notes and barriers lie in shared memory.
  int64_t offset;
  /// Segments that share a flag, and the most rows of a tile.
  int64_t segmentsOfFlag, mostRows;
  /// Warpgroups that multiply.
  int64_t consumers;
  /// Whether the copy engine stores.
  bool storesBoxes;
};

/// How a block signals the rows that it wrote. Stores take their time, and so
/// does to order them before the flag: those that multiply say that the stores
/// of a tile are done when they have multiplied the next one, and a warp that
/// loads raises the flag.
class RowSignals {
public:
  /// Notes and barriers in shared memory.
  static constexpr int64_t kBytes = 32;

  RowSignals(const RowSignalShape &shape, const BlockState &state, Value flags)
      : shape(shape), state(state), flags(flags) {}

  /// Emits, in one thread, what sets up this part of shared memory.
  void initBarriers(KernelBuilder &builder);

  /// Emits, in a warp that loads, what keeps the rows of a tile for its signal.
  void note(KernelBuilder &builder, Value number, TilePosition tile);
  /// Emits, in the same warp, what waits until the tile of a number is written,
  /// and signals it. Numbers below 0 are none.
  void signal(KernelBuilder &builder, Value number);

  /// The tile that the warpgroups that multiply are at.
  void beginTile(TilePosition tile) { number = tile.number; }
  /// Emits what says that the warp has written the tiles before that one, or
  /// before the tile it is at: once for each, and once behind the last.
  void arrive(KernelBuilder &builder, Value number);
  void arrive(KernelBuilder &builder) { arrive(builder, number); }

private:
  Value getBarrier(KernelBuilder &builder, Value number);
  Value getNote(KernelBuilder &builder, Value number);

  const RowSignalShape shape;
  const BlockState &state;
  /// i32, in device memory.
  const Value flags;
  Value number;
};

/// The segments whose rows a kernel waits for, and who counts them.
struct AwaitedRows {
  /// Segments that share a flag, and how often each of their rows is counted.
  int64_t segmentsOfFlag, timesSignaled;
  /// i32 and i64, in device memory: flags, and offsets of segments.
  Value flags, offsets;
  /// i32, how many segments there are, and rows of all of them.
  Value numSegments, numRows;
};

/// Emits what waits, in a warp that loads, for the rows of a tile's segment.
void awaitRows(KernelBuilder &builder, const AwaitedRows &rows,
               TilePosition tile);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_ROWSIGNALS_H

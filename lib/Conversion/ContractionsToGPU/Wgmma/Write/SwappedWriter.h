//===- SwappedWriter.h - Swap A/B: from accumulators to C -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_SWAPPEDWRITER_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_SWAPPEDWRITER_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelEpilogue.h"
#include "GPU/Pipeline/Ring.h"
#include "GPU/Pipeline/Staging.h"
#include "Writers.h"

namespace mlir::pit::hopper {

/// Rounds accumulators whose rows are columns of the output to 16 bits, brings
/// those of a warpgroup together in shared memory, and stores 16 bytes per
/// thread. Of an output of f32, stores them one by one from registers: eight
/// lanes have 32 bytes of a row, as much as memory moves at least.
class SwappedWriter {
public:
  SwappedWriter(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state), outputRows(kernel, state),
        rowEpilogue(createRowEpilogue(kernel)) {}

  /// Emits, once, what does not depend on the tile. `warp` counts from the
  /// first consumer's.
  void prepare(Ring &ring, Value warp);
  /// Emits, before what is written of a tile, what makes the buffers free.
  void begin(Ring &ring);
  /// Writes the rows of the tile that its segment has; `column` is the first of
  /// the warpgroup's 64.
  void write(Ring &ring, ArrayRef<Value> values, Value column,
             TilePosition tile);
  /// The same of 16 rows and 16 columns, from `column` on, that a warp has by
  /// itself, of an output of 16 bits.
  void writePiece(Ring &ring, ArrayRef<Value> values, Value column,
                  TilePosition tile);

private:
  void writeSums(Ring &ring, ArrayRef<Value> values, Value column,
                 TilePosition tile);
  /// Groups of 16 rows that a warpgroup has room for.
  int64_t getNumGroups() const {
    return 4 * kernel.getStagingBytesOfWarp() / Staging::kBytes;
  }
  int64_t getGroupsAtOnce() const;

  const ContractionKernel &kernel;
  const KernelState &state;
  OutputRows outputRows;
  RowEpilogue rowEpilogue;
  Value isFirst, buffers, read, readRow, readChunk;
  /// The same of a piece, of whose rows a lane reads half of one.
  Value pieceBuffer, readPiece, pieceRow, pieceChunk;
  /// Of a thread's first sum.
  Value sumRow, sumColumn;
  TransposedStaging staging;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_SWAPPEDWRITER_H

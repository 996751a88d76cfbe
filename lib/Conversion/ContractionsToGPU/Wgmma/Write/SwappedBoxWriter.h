//===- SwappedBoxWriter.h - Swap A/B: results stored by TMA -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_SWAPPEDBOXWRITER_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_SWAPPEDBOXWRITER_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "GPU/Pipeline/Ring.h"
#include "GPU/Pipeline/Staging.h"

namespace mlir::pit::hopper {

/// Applies the epilogue to accumulators whose rows are columns of the output,
/// as SwappedWriter has them, rounds to 16 bits, brings those of a warpgroup
/// together in shared memory, and has the copy engine store them while the next
/// tile is computed.
class SwappedBoxWriter {
public:
  SwappedBoxWriter(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  /// Emits, once, what does not depend on the tile. `warp` is that in its
  /// warpgroup.
  void prepare(Ring &ring, Value warp);
  /// Writes the tile's rows of 64 columns each, from `column` on, that the
  /// warpgroup has.
  void write(Ring &ring, ArrayRef<SmallVector<Value>> blocks, Value column,
             TilePosition tile);
  /// Emits what follows the last tile.
  void finish(Ring &ring);

private:
  /// Boxes of 16 rows and 64 columns that a warpgroup has room for.
  int64_t getNumBoxes() const {
    return 4 * kernel.getStagingBytesOfWarp() / Staging::kBytes;
  }

  const ContractionKernel &kernel;
  const KernelState &state;
  /// Whether the thread is its warpgroup's first.
  Value isFirst;
  Value buffers, warpColumn;
  TransposedStaging staging;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_SWAPPEDBOXWRITER_H

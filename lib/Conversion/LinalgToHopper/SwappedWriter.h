//===- SwappedWriter.h - From swapped accumulators to the output *- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOHOPPER_SWAPPEDWRITER_H
#define PIT_LIB_CONVERSION_LINALGTOHOPPER_SWAPPEDWRITER_H

#include "Writer.h"

namespace mlir::pit::hopper {

/// Rounds to 16 bits and writes accumulators whose rows are columns of the
/// output: value i of a
/// thread is at column `lane / 4 + 8 * (i / 2 % 2)` of the warp's 16, and row
/// `8 * (i / 4) + lane % 4 * 2 + i % 2` of the tile.
class SwappedWriter {
public:
  explicit SwappedWriter(const ContractionKernel &kernel)
      : kernel(kernel), outputRows(kernel) {}

  /// Emits, once, what does not depend on the tile. `warp` counts from the
  /// first consumer's.
  void prepare(KernelBuilder &builder, const KernelState &state, Value warp);
  /// Emits, before what is written of a tile, what makes the buffer free.
  void begin(KernelBuilder &builder);
  /// Writes the rows of the tile that its segment has; `column` is the warp's
  /// first.
  void write(KernelBuilder &builder, ArrayRef<Value> values, Value column,
             TilePosition tile);

private:
  /// A warp's 64 rows of 16 columns of 16 bits, in 2 KB of its own. The two
  /// chunks of 16 bytes in a row change places in every other group of four
  /// rows, against bank conflicts.
  static constexpr int64_t kStagedRows = 64, kRowBytes = 32;

  Value getChunk(KernelBuilder &builder, Value row, Value chunk);

  const ContractionKernel &kernel;
  OutputRows outputRows;
  Value isFirst, buffer, stored, readRow, readChunk, read;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_LINALGTOHOPPER_SWAPPEDWRITER_H

//===- ResultWriter.h - From accumulators to the output ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOMMA_RESULTWRITER_H
#define PIT_LIB_CONVERSION_LINALGTOMMA_RESULTWRITER_H

#include "MMAKernel.h"

namespace mlir::pit::mma {

/// Stores what a warp computed, 64 x 64. It passes through 2 KB of shared
/// memory of the warp's own, 16 rows of 128 bytes at a time, so that eight
/// neighbouring threads store 128 contiguous bytes.
class ResultWriter {
public:
  explicit ResultWriter(const MMAKernel &kernel) : kernel(kernel) {}

  /// Emits, once, what does not depend on the tile.
  void prepare(MMABuilder &builder, const MMAState &state);
  /// `values` are four f32 per product, 16 x 8, row by row of products. The
  /// ring in shared memory must not be in use.
  void write(MMABuilder &builder, const MMAState &state, ArrayRef<Value> values,
             TilePosition tile);

private:
  static constexpr int64_t kRows = 16, kRowBytes = 128;
  static constexpr int64_t kRowsPerPass = 4, kPasses = kRows / kRowsPerPass;
  static constexpr int64_t kProductM = 16, kProductN = 8;

  struct Row {
    Value pointer; ///< of the thread's first element
    Value exists;  ///< null if all do
  };
  int64_t getElementBytes() const {
    return kernel.outputType.getIntOrFloatBitWidth() / 8;
  }
  Row getRow(MMABuilder &b, const MMAState &state, Value packed, Value column,
             TilePosition tile);
  void stage(MMABuilder &b, ArrayRef<Value> values);
  void store(MMABuilder &b, const MMAState &state, const Row &row, Value source,
             Value column, int64_t offset);

  const MMAKernel &kernel;
  /// The warp's first row and column in the tile.
  Value warpRow, warpColumn;
  /// Where the thread writes (rows 0 and 8 of a fragment) and from where it
  /// reads.
  Value writeRow, writeKey, writePlace;
  SmallVector<Value> readPointers;
  Value readRow, readChunk, strideBytes;
};

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_LINALGTOMMA_RESULTWRITER_H

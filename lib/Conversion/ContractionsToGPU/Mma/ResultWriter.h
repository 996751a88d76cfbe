//===- ResultWriter.h - From accumulators to the output ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_RESULTWRITER_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_RESULTWRITER_H

#include "MMAState.h"

namespace mlir::pit::mma {

/// Stores what a warp computed. It passes through 2 KB of shared memory of the
/// warp's own, 16 rows of up to 128 bytes at a time, so that up to eight
/// neighbouring threads store contiguous bytes.
class ResultWriter {
public:
  explicit ResultWriter(const MMAKernel &kernel) : kernel(kernel) {}

  /// Emits, once, what does not depend on the tile.
  void prepare(MMABuilder &builder, const MMAState &state);
  /// `sums` are four per 16 x 8 of them, row by row; a row has those of all
  /// products. The ring in shared memory must not be in use.
  void write(MMABuilder &builder, const MMAState &state, ArrayRef<Value> sums,
             TilePosition tile);

private:
  static constexpr int64_t kLanes = 32, kRows = 16, kRowBytes = 128;
  static constexpr int64_t kProductM = 16, kProductN = 8;

  /// What Fragment has of the kernel.
  int64_t getRowStep() const { return kernel.interleavesRows() ? 1 : 8; }
  int64_t getColumnStep() const { return kernel.interleavesColumns() ? 2 : 8; }
  SmallVector<Value> sortColumns(ArrayRef<Value> sums);

  struct Row {
    Value pointer; ///< of the thread's first element
    Value exists;  ///< null if all do
  };
  int64_t getElementBytes() const {
    return kernel.outputType.getIntOrFloatBitWidth() / 8;
  }
  /// Chunks of 16 bytes of a row that are stored at once, one per thread.
  int64_t getChunks() const {
    return std::min(kRowBytes, kernel.getWarpColumns() * getElementBytes()) /
           16;
  }
  /// Of a narrow warp's bytes, two threads store each.
  int64_t getRowsPerPass() const {
    return std::min(kRows, kLanes / getChunks());
  }
  int64_t getNumPasses() const { return kRows / getRowsPerPass(); }
  SmallVector<Value> finish(MMABuilder &b, const MMAState &state,
                            ArrayRef<Value> sums, int64_t group,
                            TilePosition tile);
  Row getRow(MMABuilder &b, const MMAState &state, Value packed, Value column,
             TilePosition tile);
  void stage(MMABuilder &b, ArrayRef<Value> values);
  void store(MMABuilder &b, const MMAState &state, const Row &row, Value source,
             Value column, int64_t offset);

  const MMAKernel &kernel;
  /// The warp's first row and column in the tile.
  Value warpRow, warpColumn;
  /// Where the thread's values are in 16 rows.
  Value fragmentRow, fragmentColumn;
  /// Where the thread writes, in the first of a fragment's two rows, and from
  /// where it reads.
  Value writeRow, writeKey, writePlace;
  SmallVector<Value> readPointers;
  Value readRow, readChunk, strideBytes;
};

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_RESULTWRITER_H

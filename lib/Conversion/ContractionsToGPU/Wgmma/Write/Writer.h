//===- Writer.h - From accumulators to the output ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_WRITER_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_WRITER_H

#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"

#include <memory>

namespace mlir::pit::hopper {

/// Writes the 64 rows that a warpgroup computed.
class Writer {
public:
  virtual ~Writer() = default;

  /// Emits, once, what does not depend on the tile. `warp` counts from the
  /// first consumer's.
  virtual void prepare(KernelBuilder &builder, const KernelState &state,
                       Value warp) = 0;
  /// `row` is the first of the warp's 16 rows of the tile.
  virtual void write(KernelBuilder &builder, ArrayRef<Value> values, Value row,
                     TilePosition tile) = 0;
  /// Has the next write use 2 KB of the warp's beside those of its own.
  virtual void lend(Value buffer) {}
  /// Emits what waits, in the warp's first thread, until what was lent is free
  /// again.
  virtual void returnLent(KernelBuilder &builder) {}
  /// Emits what follows the last tile.
  virtual void finish(KernelBuilder &builder) {}
};

/// Rounds to 16 bits, brings each warp's rows together in shared memory, and
/// stores 16 bytes per thread.
std::unique_ptr<Writer> createStagedWriter(const ContractionKernel &kernel);

/// Rounds to 16 bits, brings each warp's rows together in shared memory, and
/// has the copy engine store them while the next tile is computed. For outputs
/// whose rows are one after the other. Where a segment ends within 16 rows,
/// threads store them.
std::unique_ptr<Writer> createBoxWriter(const ContractionKernel &kernel);

/// An output row, and whether it exists (null where it must).
struct OutputRow {
  Value pointer, exists;
};

/// Rows and columns of an output that threads store to.
class OutputRows {
public:
  explicit OutputRows(const ContractionKernel &kernel) : kernel(kernel) {}

  /// Emits, once, what does not depend on the tile.
  void prepare(KernelBuilder &builder, const KernelState &state);
  /// The output row of a packed row, and a pointer to one of its columns.
  OutputRow get(KernelBuilder &builder, Value packed, Value column,
                TilePosition tile);
  /// Stores, `offset` bytes behind the pointer, if the row exists and the
  /// column does.
  void store(KernelBuilder &builder, const OutputRow &row, Value column,
             Value value, int64_t offset, unsigned alignment);

private:
  const ContractionKernel &kernel;
  KernelState state;
  Value strideBytes;
};

/// Stores pairs of f32 from where they are.
std::unique_ptr<Writer> createDirectWriter(const ContractionKernel &kernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_WRITER_H

//===- Writers.h - Ways to write a tile to the output -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_WRITERS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_WRITERS_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "GPU/Pipeline/Writer.h"

#include <memory>

namespace mlir::pit::hopper {

/// Rounds to 16 bits, brings each warp's rows together in shared memory, and
/// stores 16 bytes per thread.
std::unique_ptr<Writer> createStagedWriter(const ContractionKernel &kernel,
                                           const KernelState &state);

/// Rounds to 16 bits, brings each warp's rows together in shared memory, and
/// has the copy engine store them while the next tile is computed. For outputs
/// whose rows are one after the other. Where a segment ends within 16 rows,
/// threads store them.
std::unique_ptr<Writer> createBoxWriter(const ContractionKernel &kernel,
                                        const KernelState &state);

/// An output row, and whether it exists (null where it must).
struct OutputRow {
  Value pointer, exists;
};

/// Rows and columns of an output that threads store to.
class OutputRows {
public:
  OutputRows(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  /// Emits, once, what does not depend on the tile.
  void prepare(KernelBuilder &builder);
  /// The output row of a packed row, and a pointer to one of its columns.
  OutputRow get(KernelBuilder &builder, Value packed, Value column,
                TilePosition tile);
  /// Stores, `offset` bytes behind the pointer, if the row exists and the
  /// column does.
  void store(KernelBuilder &builder, const OutputRow &row, Value column,
             Value value, int64_t offset, unsigned alignment);

private:
  const ContractionKernel &kernel;
  const KernelState &state;
  Value strideBytes;
};

/// Stores pairs of f32 from where they are.
std::unique_ptr<Writer> createDirectWriter(const ContractionKernel &kernel,
                                           const KernelState &state);

/// Sets, in front of a writer, the bits of micro-tiles in which the warp has
/// values that are not zero. Bits of others stay as they are. A micro-tile of
/// which a part lies beyond the output may be called live for what was computed
/// there.
std::unique_ptr<Writer> createLiveBitsWriter(const ContractionKernel &kernel,
                                             const KernelState &state,
                                             std::unique_ptr<Writer> writer);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_WRITERS_H

//===- HandOver.h - Rows that one kernel leaves to the next -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the rows that a product writes to segments are the A of the next one,
// the last tiles of the first leave multiprocessors without work, and most of
// what the second one needs is there. So the first kernel counts, in a flag per
// a few segments, the rows that are written, and the second one waits for the
// rows of each of its tiles instead of the end of the first.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_HANDOVER_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_HANDOVER_H

#include "Conversion/ContractionsToGPU/Plan/DeviceModel.h"
#include "Conversion/ContractionsToGPU/Wgmma/Multiply/TileProduct.h"

namespace mlir::pit::hopper {

struct ContractionMatch;

/// Flags, i32; few enough that another kernel clears them on the way.
inline constexpr int64_t kNumFlags = 30;

/// Whether the second product's A are the rows that the first one writes, of
/// the same segments. Then sets what their kernels need to know.
bool handOver(const ContractionMatch &first, ContractionKernel &firstKernel,
              const ContractionMatch &second, ContractionKernel &secondKernel,
              const DeviceModel &device);

/// How a block tells of the rows that it wrote. Stores take their time, and so
/// does to order them before the flag: of a tile, those that multiply say, when
/// they have multiplied the next one, that its stores are done, and a warp that
/// loads passes it on.
class RowSignals {
public:
  RowSignals(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  /// Emits, in one thread, what sets up this part of shared memory.
  void initBarriers(KernelBuilder &builder);

  /// Emits, in a warp that loads, what keeps what is to be told of a tile.
  void note(KernelBuilder &builder, Value number, TilePosition tile);
  /// Emits, in the same warp, what waits until the tile of a number is written,
  /// and tells of it. Numbers below 0 are none.
  void tell(KernelBuilder &builder, Value number);

  /// The tile that the warpgroups that multiply are at.
  void beginTile(TilePosition tile) { number = tile.number; }
  /// Emits what says that the warp has written the tiles before that one, or
  /// before the tile it is at: once for each, and once behind the last.
  void arrive(KernelBuilder &builder, Value number);
  void arrive(KernelBuilder &builder) { arrive(builder, number); }

private:
  Value getBarrier(KernelBuilder &builder, Value number);
  Value getNote(KernelBuilder &builder, Value number);

  const ContractionKernel &kernel;
  const KernelState &state;
  Value number;
};

/// Emits what waits, in a warp that loads, for the rows of a tile's segment.
void awaitRows(KernelBuilder &builder, const ContractionKernel &kernel,
               const KernelState &state, TilePosition tile);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOOP_HANDOVER_H

//===- TileProduct.h - How a tile is multiplied -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_TILEPRODUCT_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_TILEPRODUCT_H

#include "Conversion/ContractionsToGPU/Wgmma/Load/Loader.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/Writer.h"

#include <functional>

namespace mlir::pit::hopper {

class RowSignals;

/// A place in the ring of stages. The phase flips with every turn.
struct RingPosition {
  Value stage, phase;
};

/// Bytes of a row that one matrix instruction multiplies, whatever the type,
/// and how many of them multiply a stage.
inline constexpr int64_t kProductBytes = 32;
inline constexpr int64_t kProductsOfStage =
    ContractionKernel::kRowBytes / kProductBytes;

/// Extent of one instruction along k, of 16 bits.
inline constexpr int64_t kProductDepth = kProductBytes / 2;

/// From one instruction to the next along k: bytes in a row, or rows, which
/// only 16 bits have.
inline int64_t getStepBytes(SharedLayout layout) {
  return layout == SharedLayout::KMajor
             ? kProductBytes
             : kProductDepth * ContractionKernel::kRowBytes;
}

/// How often, per tile, the threads that multiply wait for their cluster if a
/// cluster shares a tile.
inline constexpr int kClusterSyncs = 2;

/// The ring as the warpgroups that multiply see it.
class Ring {
public:
  Ring(KernelBuilder &builder, const ContractionKernel &kernel,
       const KernelState &state, bool needsFence)
      : b(builder), kernel(kernel), state(state), needsFence(needsFence) {}

  Value getFullBarrier(Value stage);
  Value getEmptyBarrier(Value stage);
  /// Completes when those who multiply may take a stage: when it is filled,
  /// unless dead rows of it have to be cleared first.
  Value getReadyBarrier(Value stage);
  RingPosition next(RingPosition position);
  /// The position so many steps later, fewer than there are stages.
  RingPosition advance(RingPosition position, Value steps);
  /// Initializes the barriers, in one thread, for a loader's arrivals.
  void initBarriers(int64_t arrivals);
  void waitUntilEmpty(RingPosition position);
  /// Fills a stage that is empty with the step from `k` on.
  void load(Loader &loader, RingPosition position, Value k);
  /// Waits until the stage of a tile's step is ready; returns its distance in a
  /// descriptor.
  Value begin(RingPosition position, Value step);
  /// Gives a stage back, in one thread of the warpgroup.
  void release(Value stage);
  /// The same in every lane, where lanes have read the stage by themselves.
  void releaseFromLanes(Value stage);
  /// Emits what else stands between a tile's products and what writes them.
  void afterProducts();

  KernelBuilder &b;
  const ContractionKernel &kernel;
  const KernelState &state;
  /// Steps of a tile along k.
  Value numSteps;
  /// Number of the warpgroup among those that multiply, and whether the thread
  /// is its first.
  Value consumer, isLeader;
  /// What tells another kernel of rows; null if nothing does.
  RowSignals *signals = nullptr;
  /// Emits loads of later steps, given the one that begins, where no warpgroup
  /// does nothing but load.
  std::function<void(RingPosition, Value step)> loadAhead;

private:
  bool needsFence;
};

/// Multiplies and writes tiles in the warpgroups that do.
class TileProduct {
public:
  virtual ~TileProduct() = default;

  /// Emits, in one thread and before the block's first barrier, what sets up
  /// its part of shared memory.
  virtual void initShared(KernelBuilder &builder, const KernelState &state) {}
  /// Emits, once, what does not depend on the tile. `warp` counts from the
  /// first consumer's.
  virtual void prepare(Ring &ring, Value warp) = 0;
  /// Emits a tile's products and what writes them, from this place in the ring
  /// on; returns the place after it.
  virtual SmallVector<Value> compute(Ring &ring, TilePosition tile,
                                     ValueRange position) = 0;
  /// Emits what follows the last tile.
  virtual void finish(Ring &ring) {}
  /// Whether a warpgroup's rows of a tile are 64 of its own, so that it has
  /// nothing to do where a segment ends before them.
  virtual bool hasRowsOfItsOwn() const { return false; }
};

/// Rows of A times columns of B, with a writer of tiles.
std::unique_ptr<TileProduct> createRowProduct(const ContractionKernel &kernel,
                                              std::unique_ptr<Writer> writer);

/// The same of an A of which a mask says what is dead; see RegisterMask.h.
std::unique_ptr<TileProduct>
createMaskedProduct(const ContractionKernel &kernel,
                    std::unique_ptr<Writer> writer);

/// The same where single rows are dead in a step, whatever the next row is.
std::unique_ptr<TileProduct>
createLiveRowProduct(const ContractionKernel &kernel,
                     std::unique_ptr<Writer> writer);

/// Writes the 16 rows from `row` on that a warp has of a tile, given its part
/// of the accumulator, once what stands behind the sums is computed.
void writeRows(Ring &ring, const ContractionKernel &kernel, Writer &writer,
               Value accumulator, Value row, TilePosition tile);

/// Columns of B times rows of A, for tiles of few rows, of a matrix or of
/// segments.
std::unique_ptr<TileProduct>
createSwappedProduct(const ContractionKernel &kernel);

/// Tiles that count as whole (`isWholeTile`) as rows times columns, written by
/// the writer; other ones, where a segment ends, with operands swapped.
std::unique_ptr<TileProduct> createMixedProduct(const ContractionKernel &kernel,
                                                std::unique_ptr<Writer> writer);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_TILEPRODUCT_H

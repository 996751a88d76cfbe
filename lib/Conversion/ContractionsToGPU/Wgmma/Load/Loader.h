//===- Loader.h - How operands come into shared memory ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_LOADER_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_LOADER_H

#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"

#include <memory>

namespace mlir::pit::hopper {

/// Fills the stages of a ring in shared memory. The main loop waits until a
/// stage is empty, asks the loader to fill it, and goes on to the next; the
/// loader sees to it that the stage's full barrier completes once the stage is
/// filled.
class Loader {
public:
  virtual ~Loader() = default;

  /// How many arrivals complete a full barrier, besides bytes.
  virtual unsigned getNumArrivals() const = 0;
  /// Whether one thread does all of it, or the whole warpgroup takes part.
  virtual bool isSingleThreaded() const = 0;
  /// Whether consumers need a fence before they multiply what was loaded.
  virtual bool needsConsumerFence() const = 0;
  /// Registers per thread that the loading warpgroup keeps.
  virtual unsigned getNumRegisters() const = 0;

  /// Emits, once, what does not depend on the tile.
  virtual void prepare(KernelBuilder &builder, const KernelState &state) = 0;
  /// Values of a tile that are better read one tile ahead.
  virtual SmallVector<Value> prefetch(KernelBuilder &builder,
                                      TilePosition tile) {
    return {};
  }
  /// Emits what the stages of a tile share, given its prefetched values.
  virtual void beginTile(KernelBuilder &builder, TilePosition tile,
                         ValueRange prefetched) = 0;
  /// Values of the step from `k` on that are better read one step ahead. What
  /// is read for the step behind a tile's last one is not used.
  virtual SmallVector<Value> prefetchStep(KernelBuilder &builder, Value k) {
    return {};
  }
  /// Takes the prefetched values of the step that is loaded next.
  virtual void beginStep(ValueRange prefetched) {}
  /// Fills the stage at `stage`, which holds A and then B, with the operands
  /// from `k` on.
  virtual void load(KernelBuilder &builder, Value k, Value stage,
                    Value fullBarrier) = 0;
};

/// Both operands by the copy engine, issued by one thread.
std::unique_ptr<Loader> createTensorMapLoader(const ContractionKernel &kernel);

/// The same, with what is dead of the operand that is masked as zeros.
std::unique_ptr<Loader> createMaskedLoader(const ContractionKernel &kernel);

/// Rows of A through a list of row numbers, 16 bytes per thread and copy, put
/// where the copy engine would have put them; B by the copy engine. One barrier
/// counts both.
std::unique_ptr<Loader> createRowGatherLoader(const ContractionKernel &kernel);

/// Both operands through a list of k, of which every tile takes all: rows of
/// both, 16 bytes per thread and copy, put into panels as the copy engine would
/// have put them. What is behind the end of the list becomes zero. A sum over
/// nothing is one stage of zeros.
std::unique_ptr<Loader> createKGatherLoader(const ContractionKernel &kernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_LOADER_H
